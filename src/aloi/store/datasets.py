"""Datasets: their names, their bindings and their number of judge samples. Their cases are in `cases`."""

from datetime import datetime
from typing import NamedTuple

from pydantic_core import from_json

from aloi.core.dataset import Dataset
from aloi.core.errors import Conflict, NotFound
from aloi.store import targets
from aloi.store.codec import id_or_none, json_of, pack_id, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, Params, Row, held
from aloi.store.narrowing import whole

DATASETS = """
SELECT d.id, d.target_id, d.name, d.description, d.judge_samples, d.bindings, d.simulations, d.created_at,
  d.updated_at,  (SELECT count(*) FROM cases c WHERE c.dataset_id = d.id) FROM datasets d WHERE d.workspace_id = ?"""


class CountedDataset(NamedTuple):
    """A dataset with how many cases it has, those that do not run included."""

    dataset: Dataset
    cases: int


async def create(tx: Connection, dataset: Dataset) -> None:
    """Store a new dataset.

    Raises:
        Conflict: its name is taken.
        NotFound: its target is not there.
    """
    await _name_is_free(tx, dataset)
    await tx.execute(
        "INSERT INTO datasets (target_id, name, description, judge_samples, bindings, simulations, created_at,"
        " updated_at, id, workspace_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        await _params(tx, dataset),
    )


async def update(tx: Connection, dataset: Dataset) -> None:
    """Replace what is stored of a dataset. Revisions that were taken of it do not change.

    Raises:
        NotFound: it, or its target, is not there.
        Conflict: its new name is taken.
    """
    await _name_is_free(tx, dataset)
    changed = await tx.execute(
        "UPDATE datasets SET target_id = ?, name = ?, description = ?, judge_samples = ?, bindings = ?,"
        " simulations = ?, created_at = ?, updated_at = ? WHERE id = ? AND workspace_id = ?",
        await _params(tx, dataset),
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
    await tx.lock(f"dataset {tx.workspace.hex()} {ref}")
    found = await get(tx, ref)
    await held(tx, "SELECT 1 FROM datasets WHERE id = ?", (pack_id(found.id),))
    return await get(tx, found.id)  # as it is now that nobody else changes it


async def by_id(rx: Connection, dataset_id: str) -> Dataset:
    """A dataset by its id alone.

    Raises:
        NotFound: there is no such dataset.
    """
    packed = id_or_none(dataset_id)
    row = packed and await rx.fetch_one(DATASETS + " AND d.id = ?", (rx.workspace, packed))
    if not row:
        raise _absent(dataset_id)
    return _entry(row).dataset


async def hold_by_id(tx: Connection, dataset_id: str) -> Dataset:
    """As `by_id`; until this transaction ends no other changes the dataset or its cases."""
    found = await by_id(tx, dataset_id)
    await held(tx, "SELECT 1 FROM datasets WHERE id = ?", (pack_id(found.id),))
    return await by_id(tx, dataset_id)


async def binding(rx: Connection, evaluator_id: str) -> list[Dataset]:
    """The datasets that bind a saved evaluator, by name."""
    found = await rx.fetch(DATASETS + " AND d.bindings LIKE ? ORDER BY d.name", (rx.workspace, f"%{evaluator_id}%"))
    datasets = [_entry(row).dataset for row in found]
    return [dataset for dataset in datasets if any(bound.evaluator_id == evaluator_id for bound in dataset.bindings)]


async def of_target(rx: Connection, target_id: str) -> list[Dataset]:
    """The datasets that were made for a target, the oldest first: that one is the target's default."""
    sql = DATASETS + " AND d.target_id = ? ORDER BY d.created_at, d.id"
    return [_entry(row).dataset for row in await rx.fetch(sql, (rx.workspace, pack_id(target_id)))]


async def names(rx: Connection) -> set[str]:
    """The names of all datasets, which no other may have."""
    rows = await rx.fetch("SELECT name FROM datasets WHERE workspace_id = ?", (rx.workspace,))
    return {name for (name,) in rows}


async def touch(tx: Connection, dataset_id: str, at: datetime) -> None:
    """Note that a dataset's cases changed."""
    await tx.execute(
        "UPDATE datasets SET updated_at = ? WHERE id = ? AND workspace_id = ?",
        (pack_time(at), pack_id(dataset_id), tx.workspace),
    )


async def entry(rx: Connection, ref: str) -> CountedDataset:
    """As `get`, with its number of cases."""
    # By the id first: else a dataset that was given another's id as its name would stand in its place.
    packed = id_or_none(ref)
    row = packed and await rx.fetch_one(DATASETS + " AND d.id = ?", (rx.workspace, packed))
    row = row or await rx.fetch_one(DATASETS + " AND d.name = ?", (rx.workspace, ref))
    if row is None:
        raise _absent(ref)
    return _entry(row)


async def listing(rx: Connection) -> list[CountedDataset]:
    """All datasets by name."""
    return [_entry(row) for row in await rx.fetch(DATASETS + " ORDER BY d.name", (rx.workspace,))]


async def delete(tx: Connection, dataset_id: str) -> None:
    """Delete a dataset and its cases. Runs over it stay, with what they froze.

    Raises:
        NotFound: it is not there.
    """
    params = (pack_id(dataset_id), tx.workspace)
    if not await tx.execute("DELETE FROM datasets WHERE id = ? AND workspace_id = ?", params):
        raise _absent(dataset_id)


async def _name_is_free(tx: Connection, dataset: Dataset) -> None:
    taken = "SELECT 1 FROM datasets WHERE workspace_id = ? AND name = ? AND id <> ?"
    if await whole(tx).fetch_one(taken, (tx.workspace, dataset.name, pack_id(dataset.id))):
        raise Conflict(f"there is a dataset {dataset.name!r} already; give this one another name")


def _absent(ref: str) -> NotFound:
    return NotFound(f"there is no dataset {ref!r}; `aloi datasets list` shows those there are")


async def _params(tx: Connection, dataset: Dataset) -> Params:
    target = None if dataset.target_id is None else pack_id((await targets.get(tx, dataset.target_id)).id)
    return (
        target,
        dataset.name,
        dataset.description,
        dataset.judge_samples,
        json_of(dataset.bindings, f"dataset {dataset.name!r}"),
        json_of(dataset.simulations, f"dataset {dataset.name!r}"),
        pack_time(dataset.created_at),
        pack_time(dataset.updated_at),
        pack_id(dataset.id),
        tx.workspace,
    )


def _entry(row: Row) -> CountedDataset:
    packed, target_id, name, description, judge_samples, bindings, simulations, created_at, updated_at, cases = row
    dataset = Dataset(
        id=unpack_id(packed),
        target_id=None if target_id is None else unpack_id(target_id),
        name=name,
        description=description,
        judge_samples=judge_samples,
        bindings=from_json(bindings),
        simulations=from_json(simulations),
        created_at=unpack_time(created_at),
        updated_at=unpack_time(updated_at),
    )
    return CountedDataset(dataset, cases)
