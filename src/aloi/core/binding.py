"""An evaluator as it is written: its spec with a name and a weight."""

from collections.abc import Sequence
from typing import Any, cast

from pydantic import Field, model_validator

from aloi.core.spec import JsonObject, Value


# Built at once, for several values have it in a field, and each would build what is not built for itself.
class Binding(Value, defer_build=False):
    """An evaluator as it is bound to a dataset or written on a case: its spec with a name and a weight.

    Written flat: `{"kind": "contains", "text": "Paris", "weight": 0}`. The name is the kind unless given.

    `evaluator_id`: the saved evaluator that it is; its name and spec here follow every change of that one. Null for one
    that is written here alone. `version`: which version of the saved one the spec is; null where that is not known.
    """

    name: str = Field(min_length=1, max_length=200)
    weight: float = Field(default=1.0, ge=0, allow_inf_nan=False, description="0 informs without deciding.")
    spec: JsonObject
    evaluator_id: str | None = None
    version: int | None = None

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, given: Any) -> Any:
        if not isinstance(given, dict) or "spec" in given:
            return cast(Any, given)
        spec: dict[str, Any] = {**given}
        if not isinstance(spec.get("kind"), str):
            raise ValueError("an evaluator names its kind; write e.g. {kind: contains, text: Paris}")
        name = spec.pop("name", None) or spec["kind"]
        weight, saved = spec.pop("weight", 1.0), spec.pop("evaluator_id", None)
        # A kind may have a field of that name; only what is saved has versions.
        version = spec.pop("version", None) if saved is not None else None
        return {"name": name, "weight": weight, "evaluator_id": saved, "version": version, "spec": spec}

    def content(self) -> JsonObject:
        """What decides how it grades, as JSON: not whether it is saved somewhere, nor as which version."""
        return {"name": self.name, "weight": self.weight, "spec": self.spec}


def unique_names(bindings: Sequence[Binding]) -> tuple[Binding, ...]:
    """The bindings with later bearers of a name numbered: `contains`, `contains-2`, ...

    A saved evaluator keeps its name, which is unique among them.
    """
    taken = {binding.name for binding in bindings if binding.evaluator_id is not None}
    return tuple(binding if binding.evaluator_id else _numbered(binding, taken) for binding in bindings)


def _numbered(binding: Binding, taken: set[str]) -> Binding:
    """The binding under a name that is free, which is then taken."""
    name, number = binding.name, 1
    while name in taken:
        number += 1
        name = f"{binding.name}-{number}"
    taken.add(name)
    return binding if name == binding.name else binding.model_copy(update={"name": name})
