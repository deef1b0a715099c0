"""A saved, named rule that datasets bind."""

from pydantic import AwareDatetime, Field

from aloi.core.access import NAME_LENGTH
from aloi.core.spec import JsonObject, Value


class SavedEvaluator(Value):
    """An evaluator of a workspace. Its name is unique there; `spec` names its kind and that kind's fields.

    `datasets` counts the datasets that bind it.
    """

    id: str
    name: str = Field(min_length=1, max_length=NAME_LENGTH)
    description: str = ""
    spec: JsonObject
    datasets: int = 0
    created_at: AwareDatetime
    updated_at: AwareDatetime

    def edited(self) -> "SavedEvaluator":
        """What an ETag of it covers: not how many datasets bind it."""
        return self.model_copy(update={"datasets": 0})
