"""Datasets: saving cases, listing, reading."""

from collections.abc import AsyncIterable, AsyncIterator, Sequence

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.dataset import Dataset
from aloi.core.errors import NotFound
from aloi.core.listing import DatasetEntry, Saved
from aloi.core.spec import valid
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.evaluators import evaluator_builder
from aloi.store import cases as stored_cases
from aloi.store import datasets as stored
from aloi.store.connection import Connection


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
        before = (await stored.entry(tx, dataset.id)).cases
        given = await stored_cases.upsert_many(tx, dataset.id, cases, new_id, replace)
        after = (await stored.entry(tx, dataset.id)).cases
    return Saved(dataset_id=dataset.id, dataset_name=dataset.name, given=given, before=before, after=after)


async def prepared(
    context: Context, tx: Connection, name: str, bindings: Sequence[Binding] | None, judge_samples: int | None
) -> Dataset:
    """The dataset of that name, made or changed as `save` says, with the cases that it has so far.

    Raises:
        InvalidInput: a binding does not fit its kind.
        NotPermitted: it runs code, which the operator does not allow.
    """
    build = evaluator_builder(context.settings.allow_code)
    for binding in bindings or ():
        build(binding.spec)
    return await _dataset(tx, name, bindings, judge_samples)


async def _dataset(tx: Connection, name: str, bindings: Sequence[Binding] | None, judge_samples: int | None) -> Dataset:
    """The dataset of that name with what was given of it, stored."""
    changes: dict[str, object] = {"updated_at": now()}
    if bindings is not None:
        changes["bindings"] = tuple(bindings)
    if judge_samples is not None:
        changes["judge_samples"] = judge_samples
    try:
        dataset = await stored.hold(tx, name)
    except NotFound:
        dataset = _valid({"id": new_id(), "name": name, "created_at": now(), **changes})
        await stored.create(tx, dataset)
        return dataset
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
        entries = await stored.listing(rx)
    entries.sort(key=lambda entry: entry.dataset.updated_at, reverse=True)
    return [
        DatasetEntry(
            id=entry.dataset.id,
            name=entry.dataset.name,
            description=entry.dataset.description,
            case_count=entry.cases,
            judge_samples=entry.dataset.judge_samples,
            updated_at=entry.dataset.updated_at,
        )
        for entry in entries
    ]


async def cases(context: Context, name: str) -> AsyncIterator[Case]:
    """See `Client.cases`."""
    async with context.database.read() as rx:
        dataset = await stored.get(rx, name)
        async for case in stored_cases.every(rx, dataset.id):
            yield case
