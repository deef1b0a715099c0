"""Lists and receipts that a client gives."""

from typing import Generic, NamedTuple, TypeVar

from pydantic import AwareDatetime, Field

from aloi.core.case import Case, CaseStatus
from aloi.core.run import RunStatus
from aloi.core.spec import JsonObject, Value

T = TypeVar("T")


class Page(Value, Generic[T]):
    """A part of a list: `page` counts from 1, `total` is of the whole list."""

    items: tuple[T, ...]
    total: int
    page: int
    size: int

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return -(-self.total // self.size)


class DatasetFilter(NamedTuple):
    """Which datasets are wanted: those with a text in name or description, of that name, for that target.

    What is null or empty lets all through, here and in the other filters.
    """

    q: str = ""
    name: str | None = None
    target_id: str | None = None


class CaseFilter(NamedTuple):
    """Which cases are wanted: those with a text in them, with a tag, in a state."""

    q: str = ""
    tag: str | None = None
    enabled: bool | None = None
    status: CaseStatus | None = None


class EvaluatorFilter(NamedTuple):
    """Which saved evaluators are wanted: those with a text in name or description, of a kind, of a target.

    An evaluator is of a target when it belongs to it, or when a dataset of that target binds it.
    """

    q: str = ""
    kind: str | None = None
    target_id: str | None = None


class LastRun(Value):
    """The newest run over a dataset. `passed` of `decided` results; both are null until it is finished."""

    id: str
    status: RunStatus
    passed: int | None = None
    decided: int | None = None
    finished_at: AwareDatetime | None = None


class PageOut(Value, Generic[T]):
    """A part of a list: `total` counts the whole list, `pages` its pages."""

    items: tuple[T, ...]
    total: int
    page: int
    size: int
    pages: int


class DatasetEntry(Value):
    """A dataset in a list.

    `runnable`: whether it has a case that runs, one that is enabled and ready. `evaluator_count`: those bound to it.
    `may_change`: whether the targets that the reader is granted let them change it, if their role does.
    """

    id: str
    name: str
    description: str
    target_id: str | None = None
    case_count: int
    runnable: bool = False
    evaluator_count: int = 0
    judge_samples: int
    last_run: LastRun | None = None
    updated_at: AwareDatetime
    may_change: bool = True


class Saved(Value):
    """What saving cases did: how many were given, and how many the dataset had before and has now."""

    dataset_id: str
    dataset_name: str
    given: int
    before: int
    after: int
    unknown_columns: tuple[str, ...] = ()


class ImportPreview(Value):
    """What importing a file would do; nothing was stored.

    `given` cases are in the file: `new` and `changed` ones would be written, `unchanged` ones are there already as they
    are. `removed` others would go. `cases` are the first few of the file.
    """

    given: int
    new: int
    changed: int
    unchanged: int
    removed: int
    unknown_columns: tuple[str, ...] = ()
    cases: tuple[Case, ...] = ()


class BulkDone(Value):
    """What a change of several cases did: how many were changed, and the ids of those that are not there any more."""

    changed: int
    missing: tuple[str, ...] = ()


class KindInfo(Value):
    """A kind of evaluator, target or tool: its title, its documentation, and the JSON schema of its fields.

    `allowed` is false where it runs code and the operator does not allow that here.
    """

    kind: str
    title: str
    doc: str
    schema_: JsonObject = Field(alias="schema")
    allowed: bool = True
