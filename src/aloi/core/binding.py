"""An evaluator as it is written: its spec with a name and a weight."""

from collections.abc import Sequence
from typing import Any, cast

from pydantic import Field, model_validator

from aloi.core.spec import JsonObject, Value


class Binding(Value):
    """An evaluator as it is bound to a dataset or written on a case: its spec with a name and a weight.

    Written flat: `{"kind": "contains", "text": "Paris", "weight": 0}`. The name is the kind unless given.
    """

    name: str = Field(min_length=1, max_length=200)
    weight: float = Field(default=1.0, ge=0, allow_inf_nan=False, description="0 informs without deciding.")
    spec: JsonObject

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, given: Any) -> Any:
        if not isinstance(given, dict) or "spec" in given:
            return cast(Any, given)
        spec: dict[str, Any] = {**given}
        if not isinstance(spec.get("kind"), str):
            raise ValueError("an evaluator names its kind; write e.g. {kind: contains, text: Paris}")
        name = spec.pop("name", None) or spec["kind"]
        return {"name": name, "weight": spec.pop("weight", 1.0), "spec": spec}


def unique_names(bindings: Sequence[Binding]) -> tuple[Binding, ...]:
    """The bindings with later bearers of a name numbered: `contains`, `contains-2`, ..."""
    taken: set[str] = set()
    named: list[Binding] = []
    for binding in bindings:
        name, number = binding.name, 1
        while name in taken:
            number += 1
            name = f"{binding.name}-{number}"
        taken.add(name)
        named.append(binding if name == binding.name else binding.model_copy(update={"name": name}))
    return tuple(named)
