"""The evaluators of a target: which its datasets bind, and those that one without any begins with."""

from aloi.core.dataset import Dataset
from aloi.core.default_evaluators import DEFAULT_EVALUATORS, free_name
from aloi.core.listing import EvaluatorFilter, Page
from aloi.core.saved_evaluator import BoundDataset, DefaultEvaluators, SavedEvaluator
from aloi.core.target_record import TargetRecord
from aloi.service import saved_evaluators
from aloi.service.accounts.narrowed import refuse_change
from aloi.service.changes import record_change
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import datasets, evaluators, targets
from aloi.store.connection import Connection
from aloi.store.narrowing import whole

NONE = DefaultEvaluators(created=())


async def bound(context: Context, target: str, number: int, size: int) -> Page[BoundDataset]:
    """A page, counted from 1, of a target's datasets with the evaluators that they bind, the oldest first.

    Raises:
        NotFound: there is no such target.
    """
    async with context.database.read() as rx:
        record = await targets.get(rx, target)
        found = await datasets.of_target(rx, record.id)
    first = (number - 1) * size
    items = tuple(map(_bound, found[first : first + size]))
    return Page(items=items, total=len(found), page=number, size=size)


def _bound(dataset: Dataset) -> BoundDataset:
    return BoundDataset(id=dataset.id, name=dataset.name, evaluators=dataset.bindings)


async def create_defaults(context: Context, target: str) -> DefaultEvaluators:
    """Make the default evaluators of a target that has none; see `core.default_evaluators`.

    It has some when a saved one belongs to it, or when one of its datasets binds any. Only the first of the new ones is
    bound, to the target's first dataset, which is made where there is none. Asked twice, the second does nothing.

    Raises:
        NotFound: there is no such target.
    """
    async with context.database.transaction() as tx:
        await evaluators.lock(tx)
        record = await targets.hold(tx, target)
        found = await datasets.of_target(tx, record.id)
        has_own = await evaluators.count(tx, EvaluatorFilter(target_id=record.id))
        if has_own or any(dataset.bindings for dataset in found):
            return NONE
        created = await _create(context, tx, record)
        dataset = await datasets.hold_by_id(tx, found[0].id) if found else await _new_dataset(context, tx, record)
        await refuse_change(context, tx, dataset)
        changed = dataset.model_copy(update={"bindings": (created[0].bound(1.0),), "updated_at": now()})
        await datasets.update(tx, changed)
        await record_change(context, tx, "dataset.bind", (dataset.id, dataset.name), dataset, changed)
    created = (created[0].model_copy(update={"datasets": 1}), *created[1:])
    return DefaultEvaluators(created=created, dataset=_bound(changed), dataset_created=not found)


async def _create(context: Context, tx: Connection, target: TargetRecord) -> tuple[SavedEvaluator, ...]:
    """All of them, made so that a list that begins with the newest shows them in their order."""
    taken, made = await evaluators.names(whole(tx)), list[SavedEvaluator]()
    for default in reversed(DEFAULT_EVALUATORS):
        at = now()
        evaluator = SavedEvaluator(
            id=new_id(),
            name=free_name(f"{default.kind} · ", target.name, "", taken),
            description=default.description,
            spec=default.spec,
            target_id=target.id,
            created_at=at,
            updated_at=at,
        )
        made.append(await saved_evaluators.add(context, tx, evaluator))
    return tuple(reversed(made))


async def _new_dataset(context: Context, tx: Connection, target: TargetRecord) -> Dataset:
    at = now()
    name = free_name("", target.name, " cases", await datasets.names(whole(tx)))
    dataset = Dataset(id=new_id(), name=name, target_id=target.id, created_at=at, updated_at=at)
    await datasets.create(tx, dataset)
    await record_change(context, tx, "dataset.create", (dataset.id, dataset.name), None, dataset)
    return dataset
