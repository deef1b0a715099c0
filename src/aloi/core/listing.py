"""Lists and receipts that a client gives."""

from typing import Generic, TypeVar

from pydantic import AwareDatetime

from aloi.core.spec import Value

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


class DatasetEntry(Value):
    """A dataset in a list."""

    id: str
    name: str
    description: str
    case_count: int
    judge_samples: int
    updated_at: AwareDatetime


class Saved(Value):
    """What saving cases did: how many were given, and how many the dataset had before and has now."""

    dataset_id: str
    dataset_name: str
    given: int
    before: int
    after: int
    unknown_columns: tuple[str, ...] = ()
