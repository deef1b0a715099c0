"""Datasets: their names, their bindings and their number of judge samples. Their cases are in `cases`."""

from typing import NamedTuple

from pydantic_core import from_json

from aloi.core.dataset import Dataset
from aloi.core.errors import Conflict, NotFound
from aloi.store.codec import id_or_none, json_of, pack_id, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, Params, Row, held

DATASETS = """
SELECT d.id, d.name, d.description, d.judge_samples, d.bindings, d.created_at, d.updated_at,
  (SELECT count(*) FROM cases c WHERE c.dataset_id = d.id) FROM datasets d"""


class CountedDataset(NamedTuple):
    """A dataset with how many cases it has, those that do not run included."""

    dataset: Dataset
    cases: int


async def create(tx: Connection, dataset: Dataset) -> None:
    """Store a new dataset.

    Raises:
        Conflict: its name is taken.
    """
    await _name_is_free(tx, dataset)
    await tx.execute(
        "INSERT INTO datasets (name, description, judge_samples, bindings, created_at, updated_at, id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        _params(dataset),
    )


async def update(tx: Connection, dataset: Dataset) -> None:
    """Replace what is stored of a dataset. Revisions that were taken of it do not change.

    Raises:
        NotFound: it is not there.
        Conflict: its new name is taken.
    """
    await _name_is_free(tx, dataset)
    changed = await tx.execute(
        "UPDATE datasets SET name = ?, description = ?, judge_samples = ?, bindings = ?, created_at = ?,"
        " updated_at = ? WHERE id = ?",
        _params(dataset),
    )
    if not changed:
        raise _absent(dataset.name)


async def get(rx: Connection, ref: str) -> Dataset:
    """A dataset by its name or its id.

    Raises:
        NotFound: there is no such dataset.
    """
    return (await entry(rx, ref)).dataset


async def hold(tx: Connection, ref: str) -> Dataset:
    """As `get`; until this transaction ends no other changes the dataset or its cases, nor creates one of that name."""
    await tx.lock(f"dataset {ref}")
    found = await get(tx, ref)
    await held(tx, "SELECT 1 FROM datasets WHERE id = ?", (pack_id(found.id),))
    return await get(tx, found.id)  # as it is now that nobody else changes it


async def entry(rx: Connection, ref: str) -> CountedDataset:
    """As `get`, with its number of cases."""
    row = await rx.fetch_one(DATASETS + " WHERE d.name = ?", (ref,))
    packed = id_or_none(ref)
    if row is None and packed is not None:
        row = await rx.fetch_one(DATASETS + " WHERE d.id = ?", (packed,))
    if row is None:
        raise _absent(ref)
    return _entry(row)


async def listing(rx: Connection) -> list[CountedDataset]:
    """All datasets by name."""
    return [_entry(row) for row in await rx.fetch(DATASETS + " ORDER BY d.name")]


async def delete(tx: Connection, dataset_id: str) -> None:
    """Delete a dataset and its cases. Runs over it stay, with what they froze.

    Raises:
        NotFound: it is not there.
    """
    if not await tx.execute("DELETE FROM datasets WHERE id = ?", (pack_id(dataset_id),)):
        raise _absent(dataset_id)


async def _name_is_free(tx: Connection, dataset: Dataset) -> None:
    if await tx.fetch_one("SELECT 1 FROM datasets WHERE name = ? AND id <> ?", (dataset.name, pack_id(dataset.id))):
        raise Conflict(f"there is a dataset {dataset.name!r} already; give this one another name")


def _absent(ref: str) -> NotFound:
    return NotFound(f"there is no dataset {ref!r}; `aloi datasets list` shows those there are")


def _params(dataset: Dataset) -> Params:
    return (
        dataset.name,
        dataset.description,
        dataset.judge_samples,
        json_of(dataset.bindings, f"dataset {dataset.name!r}"),
        pack_time(dataset.created_at),
        pack_time(dataset.updated_at),
        pack_id(dataset.id),
    )


def _entry(row: Row) -> CountedDataset:
    packed, name, description, judge_samples, bindings, created_at, updated_at, cases = row
    dataset = Dataset(
        id=unpack_id(packed),
        name=name,
        description=description,
        judge_samples=judge_samples,
        bindings=from_json(bindings),
        created_at=unpack_time(created_at),
        updated_at=unpack_time(updated_at),
    )
    return CountedDataset(dataset, cases)
