"""Saved evaluators: named rules of a workspace. What changes in one changes in every dataset that binds it.

Every change of what one says is a version of it; see `evaluator_versions`.
"""

from aloi.core.dataset import Dataset
from aloi.core.errors import Conflict
from aloi.core.listing import EvaluatorFilter, Page
from aloi.core.saved_evaluator import EvaluatorVersion, SavedEvaluator, same_spec
from aloi.core.spec import JsonObject
from aloi.service.accounts.narrowed_evaluators import refuse_evaluator_change
from aloi.service.changes import record_change
from aloi.service.checks import checked, refuse, refuse_stale, spec_faults, unstorable
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.evaluators import evaluator_builder
from aloi.service.online.rules import refuse_while_used
from aloi.store import cases, datasets, evaluator_versions, grants, targets
from aloi.store import evaluators as stored
from aloi.store.connection import Connection

NAMED = 20
TEXTS = ("description", "note")


async def create(context: Context, fields: JsonObject) -> SavedEvaluator:
    """A new evaluator.

    Args:
        fields: `name`, `spec` and, where there is one, `description` and `target_id`.

    Raises:
        Misfit: a field does not fit, or the spec does not fit its kind.
        NotPermitted: it runs code, which the operator does not allow.
        Conflict: the name is taken.
        NotFound: there is no such target.
    """
    at = now()
    made = _checked(context, {"id": new_id(), "created_at": at, "updated_at": at, **_given(fields)})
    async with context.database.transaction() as tx:
        return await add(context, tx, made)


async def add(context: Context, tx: Connection, made: SavedEvaluator) -> SavedEvaluator:
    """Store a new evaluator with its version 1, in the caller's transaction."""
    evaluator = await _belonging(tx, made)
    await stored.create(tx, evaluator)
    await refuse_evaluator_change(context, tx, evaluator)
    await evaluator_versions.add(tx, _version(context, evaluator), new_id())
    await record_change(context, tx, "evaluator.create", (evaluator.id, evaluator.name), None, evaluator)
    return evaluator


async def _belonging(tx: Connection, evaluator: SavedEvaluator) -> SavedEvaluator:
    """The evaluator with its target's id, which may have been told by its name."""
    if evaluator.target_id is None:
        return evaluator
    return evaluator.model_copy(update={"target_id": (await targets.get(tx, evaluator.target_id)).id})


def _version(
    context: Context, evaluator: SavedEvaluator, note: str = "", restores: int | None = None
) -> EvaluatorVersion:
    return EvaluatorVersion(
        evaluator_id=evaluator.id,
        number=evaluator.version,
        spec=evaluator.spec,
        note=note,
        restores=restores,
        created_by=context.principal.name,
        created_at=evaluator.updated_at,
    )


async def read(context: Context, evaluator_id: str) -> SavedEvaluator:
    """An evaluator by its id.

    Raises:
        NotFound: there is none.
    """
    async with context.database.read() as rx:
        return await stored.get(rx, evaluator_id)


async def page(context: Context, wanted: EvaluatorFilter, number: int, size: int) -> Page[SavedEvaluator]:
    """A page, counted from 1, of the evaluators that a filter lets through, newest first."""
    async with context.database.read() as rx:
        items = await stored.page(rx, wanted, (number - 1) * size, size)
        total = await stored.count(rx, wanted)
    return Page(items=tuple(items), total=total, page=number, size=size)


async def update(
    context: Context, evaluator_id: str, changes: JsonObject, if_match: str | None = None
) -> SavedEvaluator:
    """Change an evaluator, here and in every dataset that binds it; what is not given stays, null clears.

    Another spec is a new version of it.

    Args:
        changes: of the fields that `create` takes; `note` says what is new in the spec.

    Raises:
        Misfit, NotPermitted: as `create`.
        Conflict: the new name is taken, here or in a dataset that binds it, or criteria of cases use the old name.
        NotFound: there is none, or no such target.
        Stale: it was changed by somebody else.
    """
    given = _given(changes)
    note = given.pop("note", "")
    refuse(list(unstorable({"note": note})))
    async with context.database.transaction() as tx:
        await stored.lock(tx)
        present = await stored.get(tx, evaluator_id)
        refuse_stale(present.edited(), if_match, f"the evaluator {present.name!r}")
        changed = _checked(context, {**dict(present), **given, "updated_at": now()})
        if "target_id" in changes:
            await grants.adopt(tx, present.id)
        return await put(context, tx, present, await _belonging(tx, changed), str(note))


async def put(
    context: Context,
    tx: Connection,
    present: SavedEvaluator,
    changed: SavedEvaluator,
    note: str = "",
    restores: int | None = None,
) -> SavedEvaluator:
    """Put a changed evaluator in the place of the present one, in the caller's transaction, which holds the lock.

    Args:
        note: what is new in its spec, where that differs.
        restores: the number of the version that its spec is of.

    Raises:
        Conflict: as `update`.
    """
    for evaluator in (present, changed):
        await refuse_evaluator_change(context, tx, evaluator)
    if same_spec(changed.spec, present.spec):
        changed = changed.model_copy(update={"spec": present.spec})
    else:
        changed = changed.model_copy(update={"version": present.version + 1})
        await evaluator_versions.add(tx, _version(context, changed, note, restores), new_id())
    await stored.update(tx, changed)
    # By their ids, as whoever decides a gate holds them: else the two could wait for each other.
    for found in sorted(await datasets.binding(tx, present.id), key=lambda dataset: dataset.id):
        dataset = await datasets.hold_by_id(tx, found.id)
        if changed.name != present.name:
            await _renameable(tx, dataset, present.name, changed.name)
        await datasets.update(tx, _rebound(dataset, changed))
    await record_change(context, tx, "evaluator.update", (present.id, present.name), present, changed)
    return changed


def _given(fields: JsonObject) -> JsonObject:
    return {name: "" if name in TEXTS and value is None else value for name, value in fields.items()}


def _checked(context: Context, fields: dict[str, object]) -> SavedEvaluator:
    evaluator = checked(SavedEvaluator, fields)
    refuse(spec_faults(evaluator_builder(context.settings.allow_code), evaluator.spec, ("spec",)))
    return evaluator


async def _renameable(tx: Connection, dataset: Dataset, old: str, new: str) -> None:
    """Refuse a name by which a dataset knows another evaluator, and to take away one that criteria of cases use."""
    if any(binding.name == new for binding in dataset.bindings):
        raise Conflict(f"the dataset {dataset.name!r} has another evaluator named {new!r}; choose another name")
    keys = [case.key async for case in cases.every(tx, dataset.id) if old in case.criteria]
    if keys:
        shown = ", ".join(keys[:NAMED]) + (f" and {len(keys) - NAMED} more" if len(keys) > NAMED else "")
        raise Conflict(
            f"cases of the dataset {dataset.name!r} have criteria for {old!r}, which a new name would leave without an "
            f"evaluator: {shown}; remove those criteria first, or keep the name"
        )


def _rebound(dataset: Dataset, saved: SavedEvaluator) -> Dataset:
    """The dataset with the evaluator as it is now."""
    bindings = tuple(
        saved.bound(bound.weight) if bound.evaluator_id == saved.id else bound for bound in dataset.bindings
    )
    return dataset.model_copy(update={"bindings": bindings, "updated_at": saved.updated_at})


async def delete(context: Context, evaluator_id: str, if_match: str | None = None) -> None:
    """Delete an evaluator that no dataset binds. Its versions stay, for the runs that it graded.

    Raises:
        NotFound: there is none.
        Conflict: datasets bind it; up to 20 are named.
        Stale: it was changed by somebody else.
    """
    async with context.database.transaction() as tx:
        await stored.lock(tx)
        present = await stored.get(tx, evaluator_id)
        await refuse_evaluator_change(context, tx, present)
        refuse_stale(present.edited(), if_match, f"the evaluator {present.name!r}")
        names = [dataset.name for dataset in await datasets.binding(tx, present.id)]
        if names:
            more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
            raise Conflict(
                f"the evaluator {present.name!r} is bound to datasets: {', '.join(names[:NAMED])}{more}; "
                "take it off them first"
            )
        await refuse_while_used(tx, present)
        await stored.delete(tx, present.id)
        await record_change(context, tx, "evaluator.delete", (present.id, present.name), present, None)
