"""A saved, named rule that datasets bind, and its versions."""

from pydantic import AwareDatetime, Field

from aloi.core.access import NAME_LENGTH
from aloi.core.binding import Binding
from aloi.core.json_values import json_equal
from aloi.core.spec import JsonObject, Value

MOST_EVALUATOR_VERSIONS = 1_000_000


class SavedEvaluator(Value):
    """An evaluator of a workspace. Its name is unique there; `spec` names its kind and that kind's fields.

    `target_id`: the target that it was made for; null when it is for any. `version`: the number of its present version.
    `datasets` counts the datasets that bind it.
    """

    id: str
    name: str = Field(min_length=1, max_length=NAME_LENGTH)
    description: str = ""
    spec: JsonObject
    target_id: str | None = None
    version: int = 1
    datasets: int = 0
    created_at: AwareDatetime
    updated_at: AwareDatetime

    def edited(self) -> "SavedEvaluator":
        """What an ETag of it covers: not how many datasets bind it."""
        return self.model_copy(update={"datasets": 0})

    def bound(self, weight: float) -> Binding:
        """It as a dataset binds it."""
        return Binding(name=self.name, weight=weight, spec=self.spec, evaluator_id=self.id, version=self.version)


def same_spec(a: JsonObject, b: JsonObject) -> bool:
    """Whether two specs say the same, so that one in the place of the other is no new version: 1 is 1.0, not true."""
    return a == b and json_equal(a, b)


class EvaluatorVersion(Value):
    """What a saved evaluator was, or is: an immutable, numbered version of its spec, kept when the evaluator goes.

    `note`: what is new in it, in words. `restores`: the number of the earlier version that it brings back, null when it
    brings back none. `created_by`: who made it, empty where that is not known.
    """

    evaluator_id: str
    number: int = Field(ge=1)
    spec: JsonObject
    note: str = ""
    restores: int | None = None
    created_by: str = ""
    created_at: AwareDatetime


class BoundDataset(Value):
    """A dataset of a target with the evaluators that it binds."""

    id: str
    name: str
    evaluators: tuple[Binding, ...]


class DefaultEvaluators(Value):
    """What was made for a target that had no evaluators; nothing where it had some.

    `dataset`: the dataset that the first of them is bound to, null where nothing was made. `dataset_created`: whether
    that dataset is new too.
    """

    created: tuple[SavedEvaluator, ...]
    dataset: BoundDataset | None = None
    dataset_created: bool = False
