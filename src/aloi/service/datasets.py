"""Datasets: creating, changing, listing and reading them, and saving their cases."""

from collections.abc import AsyncIterable, AsyncIterator, Mapping, Sequence

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.dataset import Dataset
from aloi.core.errors import NotFound
from aloi.core.listing import DatasetEntry, DatasetFilter, Page, Saved
from aloi.core.simulation import Simulations
from aloi.core.spec import JsonObject, valid
from aloi.service import audit, gates
from aloi.service.accounts.narrowed import refuse_change, with_changeable
from aloi.service.attaching import attached
from aloi.service.binding import resolved
from aloi.service.changes import record_change
from aloi.service.checks import checked, refuse_stale
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.scheduled import refuse_while_scheduled
from aloi.store import cases as stored_cases
from aloi.store import dataset_pages, grants
from aloi.store import datasets as stored
from aloi.store.connection import Connection

# What clearing a field, or leaving it out of a new dataset, makes of it.
CLEARED: JsonObject = {"description": "", "target_id": None, "judge_samples": 1, "simulations": {}}
ALL = 1_000_000


async def create(context: Context, fields: JsonObject) -> Dataset:
    """A new dataset without cases.

    Args:
        fields: `name`, and `description`, `target_id`, `judge_samples` and `simulations` where they are known.

    Raises:
        Misfit: a field does not fit.
        Conflict: the name is taken.
        NotFound: there is no such target.
    """
    at = now()
    dataset = checked(Dataset, {"id": new_id(), "created_at": at, "updated_at": at, **_given(fields)})
    async with context.database.transaction() as tx:
        await stored.create(tx, dataset)
        await refuse_change(context, tx, dataset)
        await record_change(context, tx, "dataset.create", (dataset.id, dataset.name), None, dataset)
    return dataset


async def read(context: Context, dataset_id: str) -> Dataset:
    """A dataset by its id.

    Raises:
        NotFound: there is none.
    """
    async with context.database.read() as rx:
        return await stored.by_id(rx, dataset_id)


async def update(context: Context, dataset_id: str, changes: JsonObject, if_match: str | None = None) -> Dataset:
    """Change a dataset; what is not given stays, null clears.

    Raises:
        Misfit: a field does not fit.
        Conflict: the new name is taken.
        NotFound: there is no such dataset or target.
        Stale: it was changed by somebody else.
    """
    async with context.database.transaction() as tx:
        dataset = await stored.hold_by_id(tx, dataset_id)
        await refuse_change(context, tx, dataset)
        refuse_stale(dataset.edited(), if_match, f"the dataset {dataset.name!r}")
        changed = checked(Dataset, {**dict(dataset), **_given(changes), "updated_at": now()})
        await stored.update(tx, changed)
        await refuse_change(context, tx, changed)
        if "target_id" in changes:
            await grants.adopt(tx, dataset.id)
        await record_change(context, tx, "dataset.update", (dataset.id, dataset.name), dataset, changed)
    return changed


def _given(fields: JsonObject) -> JsonObject:
    return {name: CLEARED.get(name) if value is None else value for name, value in fields.items()}


async def delete(context: Context, dataset_id: str, if_match: str | None = None) -> None:
    """Delete a dataset with its cases. Runs over it stay, and go on, with what they froze.

    Raises:
        NotFound: there is none.
        Stale: it was changed by somebody else.
        Conflict: a target's gate is on it, or a schedule.
    """
    async with context.database.transaction() as tx:
        dataset = await stored.hold_by_id(tx, dataset_id)
        await refuse_change(context, tx, dataset)
        refuse_stale(dataset.edited(), if_match, f"the dataset {dataset.name!r}")
        await gates.refuse_deletion(tx, dataset)
        await refuse_while_scheduled(tx, f"the dataset {dataset.name!r}", dataset_id=dataset.id)
        await stored.delete(tx, dataset.id)
        await record_change(context, tx, "dataset.delete", (dataset.id, dataset.name), dataset, None)


async def page(context: Context, wanted: DatasetFilter, number: int, size: int) -> Page[DatasetEntry]:
    """A page, counted from 1, of the datasets that a filter lets through, the last changed first."""
    async with context.database.read() as rx:
        items = await with_changeable(context, rx, await dataset_pages.page(rx, wanted, (number - 1) * size, size))
        total = await dataset_pages.count(rx, wanted)
    return Page(items=tuple(items), total=total, page=number, size=size)


async def save(
    context: Context,
    name: str,
    cases: AsyncIterable[Case],
    bindings: Sequence[Binding] | None = None,
    judge_samples: int | None = None,
    replace: bool = False,
) -> Saved:
    """See `Client.save_dataset`."""
    async with context.database.transaction() as tx:
        dataset = await prepared(context, tx, name, bindings, judge_samples)
        return await write_cases(context, tx, dataset, cases, replace)


async def prepared(
    context: Context,
    tx: Connection,
    name: str,
    bindings: Sequence[Binding] | None,
    judge_samples: int | None,
    simulations: Simulations | None = None,
) -> Dataset:
    """The dataset of that name, made or changed as `save` says, with the cases that it has so far.

    What is null stays as it is.

    Raises:
        InvalidInput: a binding does not fit its kind.
        NotPermitted: it runs code, which the operator does not allow.
    """
    found = None if bindings is None else await resolved(context, tx, bindings)
    given = {"bindings": found, "judge_samples": judge_samples, "simulations": simulations}
    return await _dataset(context, tx, name, {field: value for field, value in given.items() if value is not None})


async def write_cases(
    context: Context, tx: Connection, dataset: Dataset, cases: AsyncIterable[Case], replace: bool
) -> Saved:
    """Store cases in a dataset, in the caller's transaction; see `Client.save_dataset`."""
    before = (await stored.entry(tx, dataset.id)).cases
    given = await stored_cases.upsert_many(tx, dataset.id, attached(tx, cases), new_id, replace)
    after = (await stored.entry(tx, dataset.id)).cases
    await _record_import(context, tx, dataset, before, after, given)
    return Saved(dataset_id=dataset.id, dataset_name=dataset.name, given=given, before=before, after=after)


async def filling(
    context: Context, tx: Connection, dataset: Dataset, cases: AsyncIterable[Case]
) -> AsyncIterator[dict[str, Case]]:
    """Make a dataset hold exactly these cases. They are given in batches, by their ids, as they are stored."""
    before, given = (await stored.entry(tx, dataset.id)).cases, 0
    async for batch in stored_cases.stored(tx, dataset.id, attached(tx, cases), new_id, replace=True):
        given += len(batch)
        yield batch
    await _record_import(context, tx, dataset, before, given, given)


async def _record_import(
    context: Context, tx: Connection, dataset: Dataset, before: int, after: int, given: int
) -> None:
    await audit.record(
        context,
        tx,
        action="dataset.import",
        kind="dataset",
        id=dataset.id,
        name=dataset.name,
        before={"cases": before},
        after={"cases": after, "given": given},
    )


async def _dataset(context: Context, tx: Connection, name: str, given: Mapping[str, object]) -> Dataset:
    """The dataset of that name with what was given of it, stored."""
    changes = {**given, "updated_at": now()}
    try:
        dataset = await stored.hold(tx, name)
    except NotFound:
        dataset = _valid({"id": new_id(), "name": name, "created_at": now(), **changes})
        await stored.create(tx, dataset)
        await refuse_change(context, tx, dataset)
        return dataset
    await refuse_change(context, tx, dataset)
    dataset = _valid({**dict(dataset), **changes})
    await stored.update(tx, dataset)
    return dataset


def _valid(fields: dict[str, object]) -> Dataset:
    return valid(Dataset, fields, f"the dataset {fields['name']!r:.100}")


async def get(context: Context, name: str) -> Dataset:
    """See `Client.dataset`."""
    async with context.database.read() as rx:
        return await stored.get(rx, name)


async def listing(context: Context) -> list[DatasetEntry]:
    """See `Client.datasets`."""
    async with context.database.read() as rx:
        return await dataset_pages.page(rx, DatasetFilter(), 0, ALL)


async def cases(context: Context, name: str) -> AsyncIterator[Case]:
    """See `Client.cases`."""
    async with context.database.read() as rx:
        dataset = await stored.get(rx, name)
        async for case in stored_cases.every(rx, dataset.id):
            yield case
