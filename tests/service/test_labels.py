"""Labels: what cannot be seen over HTTP."""

import asyncio

import pytest

from aloi.core.access import Principal, Role, Workspace
from aloi.core.errors import NotFound
from aloi.core.label import LabelGiven
from aloi.core.misfit import Misfit
from aloi.core.run import Run
from aloi.service import audit, labels
from aloi.service.context import Context
from aloi.store.labels import Place
from tests.service.started_runs import Gate, finished, prompts, save, start, until_passed

PASS, FAIL = LabelGiven(verdict="pass"), LabelGiven(verdict="fail", note="no")


async def a_run(context: Context, cases: int = 3) -> Run:
    await save(context, prompts(cases))
    return await finished(context, await start(context, answer))


async def answer(_: object) -> str:
    return "ok"


def somebody(context: Context, name: str) -> Context:
    workspace = Workspace(id=context.principal.workspace.id, name="w")
    return context.acting_as(Principal(workspace=workspace, name=name, role=Role.EDITOR, kind="member"))


def test_the_order_hangs_on_the_run_and_stays_when_results_come() -> None:
    places = [Place(position, trial) for position in range(50) for trial in range(2)]
    order = labels.shuffled("run", places)
    assert sorted(order) == places
    assert order not in (places, labels.shuffled("another", places))
    assert labels.shuffled("run", places[::-1]) == order
    assert [place for place in order if place.position < 20] == labels.shuffled("run", places[:40])


async def test_a_result_can_be_labelled_while_its_run_goes_on(context: Context) -> None:
    gate = Gate(free=1)
    await save(context, prompts(2))
    run = await start(context, gate, concurrency=1)
    await until_passed(context, run, 1)
    label = await labels.give(context, run.id[:18], "k0", PASS)
    assert (label.case_key, label.by) == ("k0", "local")
    with pytest.raises(NotFound, match="no result of trial 1"):
        await labels.give(context, run.id, "k1", PASS)
    assert (await labels.labelling(context, run.id, False, 1, 10)).total == 1


async def test_two_who_label_at_once_are_both_in_the_audit_log(context: Context) -> None:
    run = await a_run(context)
    people = [somebody(context, f"person {number}") for number in range(8)]
    given = [labels.give(person, run.id, "k0", PASS if number % 2 else FAIL) for number, person in enumerate(people)]
    await asyncio.gather(*given)
    [stands] = (await labels.listing(context, run.id, 1, 10)).items
    entries = (await audit.listing(context, 1, 50, action="label.update")).items
    made = (await audit.listing(context, 1, 50, action="label.create")).items
    assert (len(entries), len(made)) == (7, 1)
    assert entries[0].after is not None and entries[0].after["by"] == stands.by
    # Each change begins where the one before it ended.
    steps = [*reversed(entries)]
    ends = [made[0].after and made[0].after["by"], *(entry.after and entry.after["by"] for entry in steps)]
    assert [entry.before and entry.before["by"] for entry in steps] == ends[:-1]


async def test_a_label_that_is_not_there_cannot_be_taken_away(context: Context) -> None:
    run = await a_run(context)
    with pytest.raises(NotFound, match="has no label"):
        await labels.remove(context, run.id, "k0", 0)
    await labels.give(context, run.id, "k0", FAIL)
    await labels.remove(context, run.id, "k0", 0)
    assert (await labels.listing(context, run.id, 1, 10)).total == 0


async def test_a_note_that_not_every_database_keeps_is_refused(context: Context) -> None:
    run = await a_run(context)
    with pytest.raises(Misfit, match="/note: holds a NUL character"):
        await labels.give(context, run.id, "k0", LabelGiven(verdict="pass", note="a\0b"))
    assert (await labels.listing(context, run.id, 1, 20)).total == 0
