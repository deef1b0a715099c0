"""The cases of a dataset, edited one by one or several at once."""

from collections.abc import Sequence
from enum import StrEnum

from aloi.core.case import Case, CaseStatus
from aloi.core.dataset import Dataset
from aloi.core.identity import as_written
from aloi.core.listing import BulkDone, CaseFilter, Page
from aloi.core.misfit import Misplaced, pointer
from aloi.core.spec import JsonObject
from aloi.service import attaching, audit
from aloi.service.accounts.narrowed import refuse_change
from aloi.service.binding import spec_place, written
from aloi.service.changes import record_change
from aloi.service.checks import checked, refuse, refuse_stale, spec_faults
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.evaluators import evaluator_builder
from aloi.store import case_sets, datasets
from aloi.store import cases as stored
from aloi.store.connection import Connection

NAMED = 100


class BulkAction(StrEnum):
    """What can be done to several cases at once."""

    ENABLE = "enable"
    DISABLE = "disable"
    READY = "ready"
    DRAFT = "draft"
    DELETE = "delete"


async def create(context: Context, dataset_id: str, fields: JsonObject) -> Case:
    """A new case behind the others.

    Args:
        fields: those of a `Case` without `id` and `source`; `prompt` may be written for an input that is text, and
            evaluators as `service.binding.written` takes them.

    Raises:
        Misfit: a field does not fit, or an evaluator does not fit its kind.
        NotPermitted: an evaluator runs code, which the operator does not allow.
        Conflict: the key is taken.
        NotFound: there is no such dataset.
    """
    async with context.database.transaction() as tx:
        dataset = await datasets.hold_by_id(tx, dataset_id)
        await refuse_change(context, tx, dataset)
        case = _case(context, dataset, {"id": new_id(), **await attaching.filled(tx, fields)})
        await stored.insert(tx, dataset.id, case)
        await _changed(context, tx, "case.create", dataset, None, case)
    return case


async def read(context: Context, dataset_id: str, case_id: str) -> Case:
    """A case by its id.

    Raises:
        NotFound: there is no such dataset, or no such case in it.
    """
    async with context.database.read() as rx:
        await datasets.by_id(rx, dataset_id)
        return await stored.by_id(rx, dataset_id, case_id)


async def page(context: Context, dataset_id: str, wanted: CaseFilter, number: int, size: int) -> Page[Case]:
    """A page, counted from 1, of the cases that a filter lets through, in the dataset's order.

    Raises:
        NotFound: there is no such dataset.
    """
    async with context.database.read() as rx:
        await datasets.by_id(rx, dataset_id)
        items = await case_sets.page(rx, dataset_id, wanted, (number - 1) * size, size)
        total = await case_sets.count(rx, dataset_id, wanted)
    return Page(items=tuple(items), total=total, page=number, size=size)


async def update(
    context: Context, dataset_id: str, case_id: str, changes: JsonObject, if_match: str | None = None
) -> Case:
    """Change a case; what is not given stays, null clears. `prompt` stands for an input that is text.

    Raises:
        Misfit, NotPermitted, Conflict: as `create`.
        NotFound: there is no such dataset, or no such case in it.
        Stale: it was changed by somebody else.
    """
    async with context.database.transaction() as tx:
        dataset = await datasets.hold_by_id(tx, dataset_id)
        await refuse_change(context, tx, dataset)
        case = await stored.by_id(tx, dataset_id, case_id)
        refuse_stale(case, if_match, f"the case {case.key!r}")
        changed = _case(context, dataset, await attaching.filled(tx, _merged(case, changes)))
        await stored.update(tx, dataset.id, changed)
        await _changed(context, tx, "case.update", dataset, case, changed)
    return changed


def _merged(case: Case, changes: JsonObject) -> JsonObject:
    fields = {**case.model_dump(mode="json"), **changes}
    if "prompt" in changes and changes.get("input") is None:
        del fields["input"]
    return fields


async def delete(context: Context, dataset_id: str, case_id: str, if_match: str | None = None) -> None:
    """Delete a case; runs keep what they froze of it.

    Raises:
        NotFound: there is no such dataset, or no such case in it.
        Stale: it was changed by somebody else.
    """
    async with context.database.transaction() as tx:
        dataset = await datasets.hold_by_id(tx, dataset_id)
        await refuse_change(context, tx, dataset)
        case = await stored.by_id(tx, dataset_id, case_id)
        refuse_stale(case, if_match, f"the case {case.key!r}")
        await stored.delete(tx, dataset.id, case.id)
        await _changed(context, tx, "case.delete", dataset, case, None)


async def change_several(context: Context, dataset_id: str, case_ids: Sequence[str], action: BulkAction) -> BulkDone:
    """Do one thing to several cases; ids of cases that are gone are told, and hold nothing up.

    Raises:
        NotFound: there is no such dataset.
    """
    async with context.database.transaction() as tx:
        dataset = await datasets.hold_by_id(tx, dataset_id)
        await refuse_change(context, tx, dataset)
        keys = await case_sets.keys(tx, dataset.id, case_ids)
        if action is BulkAction.DELETE:
            await case_sets.delete(tx, dataset.id, list(keys))
        elif action in (BulkAction.ENABLE, BulkAction.DISABLE):
            await case_sets.switch(tx, dataset.id, list(keys), enabled=action is BulkAction.ENABLE)
        else:
            await case_sets.switch(tx, dataset.id, list(keys), status=CaseStatus(action.value))
        if keys:
            await _several_changed(context, tx, dataset, list(keys.values()), action)
    missing = [case_id for case_id in dict.fromkeys(case_ids) if as_written(case_id) not in keys]
    return BulkDone(changed=len(keys), missing=tuple(missing))


async def _several_changed(
    context: Context, tx: Connection, dataset: Dataset, keys: Sequence[str], action: BulkAction
) -> None:
    await datasets.touch(tx, dataset.id, now())
    await audit.record(
        context,
        tx,
        action=f"case.{action}",
        kind="dataset",
        id=dataset.id,
        name=dataset.name,
        after={"cases": len(keys), "keys": list(keys[:NAMED])},
    )


async def _changed(
    context: Context, tx: Connection, action: str, dataset: Dataset, before: Case | None, after: Case | None
) -> None:
    case = after or before
    assert case is not None
    await datasets.touch(tx, dataset.id, now())
    await record_change(context, tx, action, (case.id, f"{dataset.name}: {case.key}"), before, after)


def _case(context: Context, dataset: Dataset, fields: JsonObject) -> Case:
    """The case of these fields, with evaluators and criteria that fit their kinds."""
    given = fields.get("evaluators")
    evaluators = [item for item in given if isinstance(item, dict)] if isinstance(given, list | tuple) else []
    case = checked(Case, {**fields, "evaluators": [written(item) for item in evaluators]})
    build = evaluator_builder(context.settings.allow_code)
    faults: list[Misplaced] = []
    for index, (item, binding) in enumerate(zip(evaluators, case.evaluators, strict=True)):
        if binding.evaluator_id is not None:
            reason = "saved evaluators are bound to a dataset; on a case write the kind and its fields"
            faults.append(Misplaced(pointer(("evaluators", index, "evaluator_id")), reason))
        faults += spec_faults(build, binding.spec, ("evaluators", index, *spec_place(item)))
    bound = {binding.name: binding.spec for binding in dataset.bindings}
    for name, values in case.criteria.items():
        if name in bound:
            faults += spec_faults(build, {**bound[name], **values}, ("criteria", name))
    refuse(faults)
    return case
