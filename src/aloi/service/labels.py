"""Labels: what people say of results, with the judges' word beside it or without."""

import hashlib

from aloi.core.audit import changed_fields
from aloi.core.errors import NotFound
from aloi.core.label import BlindResult, Label, LabelGiven, LabellingEntry, blind_result, own_label
from aloi.core.listing import Page
from aloi.core.run import Run
from aloi.core.spec import JsonObject
from aloi.service import runs
from aloi.service.audit import record
from aloi.service.checks import refuse, unstorable
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.service.runs import offset_of
from aloi.store import labels as stored
from aloi.store import result_pages, revisions
from aloi.store.connection import Connection
from aloi.store.labels import Place


async def give(context: Context, ref: str, case: str, given: LabelGiven, blind: bool = False) -> Label:
    """Label a finished result, by the case's key or id; an earlier label is replaced.

    Args:
        blind: whether it was given without the judge's word on the page.

    Raises:
        NotFound: there is no such run, or no such result in it (yet).
        Misfit: the note holds text that cannot be stored.
    """
    refuse(list(unstorable({"note": given.note})))
    run = await runs.get(context, ref)
    async with context.database.transaction() as tx:
        place = await stored.hold(tx, run.id, case, given.trial)
        before = await stored.get(tx, run.id, place)
        label = Label(
            case_key=(await _key(tx, run, place)),
            trial=given.trial,
            verdict=given.verdict,
            note=given.note or "",
            blind=blind,
            by=context.principal.name,
            at=now(),
        )
        await stored.give(tx, run.id, place, label)
        await _record(context, tx, run, before, label)
    return label


async def remove(context: Context, ref: str, case: str, trial: int) -> None:
    """Take the label of a result away.

    Raises:
        NotFound: there is no such run, no such result in it, or it has no label.
    """
    run = await runs.get(context, ref)
    async with context.database.transaction() as tx:
        place = await stored.hold(tx, run.id, case, trial)
        before = await stored.get(tx, run.id, place)
        if before is None:
            raise NotFound(f"the result of case {case!r} in run {run.id} has no label, so there is none to take away")
        await stored.remove(tx, run.id, place)
        await _record(context, tx, run, before, None)


async def _key(tx: Connection, run: Run, place: Place) -> str:
    [found] = await stored.at(tx, run.id, [place])
    return found.case_key


async def _record(context: Context, tx: Connection, run: Run, before: Label | None, after: Label | None) -> None:
    """Write down what became of a label: all of one that is new or gone, and of another what changed."""
    label = after or before
    assert label is not None
    verb = "update" if before and after else "create" if after else "delete"
    old, new = changed_fields(before, after) if before and after else (_whole(before), _whole(after))
    await record(
        context,
        tx,
        action=f"label.{verb}",
        kind="label",
        id=f"{run.id}/{label.case_key}/{label.trial}",
        name=f"{label.case_key} in {run.dataset_name} on {run.target}",
        before=old,
        after=new,
    )


def _whole(label: Label | None) -> JsonObject | None:
    return None if label is None else label.model_dump(mode="json")


async def listing(context: Context, ref: str, page: int, size: int) -> Page[Label]:
    """A page of a run's labels, in the order of the cases.

    Raises:
        NotFound: there is no such run.
        InvalidInput: there is no such page.
    """
    run = await runs.get(context, ref)
    async with context.database.read() as rx:
        items = await stored.page(rx, run.id, offset_of(page, size), size)
        total = await stored.count(rx, run.id)
    return Page[Label](items=tuple(items), total=total, page=page, size=size)


async def labelling(context: Context, ref: str, unlabelled: bool, page: int, size: int) -> Page[LabellingEntry]:
    """A page of a run's results to label, all of them, whatever came of them.

    They are shuffled, always in the same way, so that neither their order nor the page they are on tells anything.

    Args:
        unlabelled: only those that nobody labelled.

    Raises:
        NotFound: there is no such run.
        InvalidInput: there is no such page.
    """
    offset = offset_of(page, size)
    run = await runs.get(context, ref)
    async with context.database.read() as rx:
        places = shuffled(run.id, await stored.places(rx, run.id, unlabelled))
        found = await stored.at(rx, run.id, places[offset : offset + size])
    items = (
        LabellingEntry(
            case_id=one.case_id,
            case_key=one.case_key,
            case_name=one.case_name,
            trial=one.trial,
            labelled=one.label is not None,
            label=own_label(one.label, context.principal.name),
        )
        for one in found
    )
    return Page[LabellingEntry](items=tuple(items), total=len(places), page=page, size=size)


def shuffled(run_id: str, places: list[Place]) -> list[Place]:
    """The places in an order that hangs on nothing but the run and the places."""

    def lot(place: Place) -> bytes:
        return hashlib.sha256(f"{run_id}/{place.position}/{place.trial}".encode()).digest()

    return sorted(places, key=lot)


async def blind(context: Context, ref: str, case: str, trial: int) -> BlindResult:
    """One result by the case's key or id, without any judge's verdict, score or reasoning.

    Raises:
        NotFound: there is no such run, or no such result in it.
    """
    run = await runs.get(context, ref)
    async with context.database.read() as rx:
        result = await result_pages.one(rx, run.id, case, trial)
        frozen = await revisions.case(rx, run.spec.revision_id, result.case_key)
        revision = await revisions.get(rx, run.spec.revision_id)
        label = await stored.of_case(rx, run.id, result.case_key, trial)
    return blind_result(frozen, trial, result.outcome, revision.bindings, own_label(label, context.principal.name))
