"""What a finished scheduled run tells: each thing once, whoever looks, however often."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.core.notice import Notice
from aloi.core.run import Run
from aloi.service import pickup, runs
from aloi.service.context import Context
from aloi.service.scheduling import notices, schedules
from aloi.service.scheduling.notices import NoticeFilter
from aloi.service.scheduling.scheduler import fire_due
from aloi.service.scheduling.telling import tell_of_runs
from aloi.settings import Settings
from aloi.store import runs as stored
from aloi.store.connection import Connection
from tests.service.schedules_there import MINUTE, START, Answers, fire, scheduled
from tests.service.started_runs import Gate, prompts, save, start


@pytest.fixture
async def context(tmp_path: Path) -> AsyncIterator[Context]:
    """A server's context."""
    opened = await Context.open(Settings(home=tmp_path), {}, served=True)
    yield opened
    await opened.close()


async def told(context: Context, number: int) -> list[str]:
    """The kinds of what the run of the minute of that number told."""
    await fire(context, START + number * MINUTE)
    return [notice.kind for notice in await tell_of_runs(context, START)]


async def listed(context: Context) -> list[Notice]:
    return list((await notices.page(context, NoticeFilter(), 1, 20)).items)


async def test_all_is_well(context: Context) -> None:
    await scheduled(context, cases=10)
    assert [await told(context, number) for number in range(3)] == [[], [], []]
    assert await listed(context) == []


async def test_a_drop_beyond_chance(context: Context) -> None:
    """Five cases that got worse, and none better, are the least that is beyond chance."""
    answers = Answers()
    made = await scheduled(context, answers, cases=10)
    assert await told(context, 0) == []
    answers.say(no=4)
    assert await told(context, 1) == []
    answers.say(no=9)
    assert await told(context, 2) == ["regression"]
    answers.say(no=10)
    assert await told(context, 3) == [], "it is compared with the run before, not with the best one"
    [notice] = await listed(context)
    assert (notice.schedule_name, notice.schedule_id, notice.read) == ("nightly", made.id, False)
    assert notice.text == (
        "The pass rate dropped from 60% to 10%, beyond what chance explains: 5 cases got worse and 0 better than in "
        "the run before (mid-p 0.031)."
    )
    page = await schedules.firings_of(context, "nightly", 1, 20)
    assert notice.run_id == page.items[1].run_id


async def test_more_errors(context: Context) -> None:
    answers = Answers()
    await scheduled(context, answers, cases=40)
    answers.say(down=1)
    assert await told(context, 0) == [], "one of forty"
    answers.say(down=2)
    assert await told(context, 1) == [], "one of forty more"
    answers.say(down=4)
    assert await told(context, 2) == ["errors"], "one of twenty more"
    assert await told(context, 3) == []
    assert (await listed(context))[0].text == "4 of 40 results are errors, after 2 of 40 in the run before."


async def test_nothing_decided(context: Context) -> None:
    answers = Answers()
    await scheduled(context, answers, cases=3)
    answers.say(down=3)
    assert await told(context, 0) == ["nothing_decided"]
    assert (await listed(context))[0].text == "The run decided nothing: all its 3 results are errors."


async def test_a_run_that_somebody_cancelled_tells_nothing_and_is_no_base(context: Context) -> None:
    gate = Gate(free=10)
    await scheduled(context, gate, cases=10)
    assert await told(context, 0) == []
    [firing] = await fire_due(context, START + MINUTE)
    assert await tell_of_runs(context, START) == [], "it goes on"
    assert firing.run_id is not None
    await runs.cancel(context, firing.run_id)
    assert await tell_of_runs(context, START) == []
    assert await listed(context) == []


async def test_a_run_that_failed(context: Context) -> None:
    await scheduled(context, Gate())
    [firing] = await fire_due(context, START)
    assert firing.run_id is not None
    await context.drain(0)
    other = await Context.open(context.settings, {}, served=True)  # where the function is not in memory
    try:
        await pickup.take_up(other)
        [notice] = await tell_of_runs(other, START)
    finally:
        await other.close()
    assert (notice.kind, notice.run_id) == ("failed", firing.run_id)
    assert notice.text.startswith("The run failed: it was interrupted and cannot go on: ")


async def test_other_runs_tell_nothing(context: Context) -> None:
    """Those that people start of the same target over the same dataset."""
    answers = Answers()
    await scheduled(context, answers, cases=10)
    assert await told(context, 0) == []
    answers.say(no=10)
    await runs.wait(context, (await start(context, answers)).id, 10)
    assert await tell_of_runs(context, START) == []
    answers.say()
    assert await told(context, 1) == []


async def test_it_is_told_once_whoever_looks(context: Context, tmp_path: Path) -> None:
    answers = Answers()
    await scheduled(context, answers, cases=5)
    await told(context, 0)
    answers.say(no=5)
    await fire(context, START + MINUTE)
    other = await Context.open(Settings(home=tmp_path), {}, served=True)
    try:
        found = await asyncio.gather(*(tell_of_runs(each, START) for each in (context, other) * 3))
    finally:
        await other.close()
    assert sum(map(len, found)) == 1
    assert len(await listed(context)) == 1


async def test_what_is_gone_tells_nothing_and_what_was_told_stays(context: Context) -> None:
    answers = Answers()
    await scheduled(context, answers, cases=5)
    answers.say(down=5)
    await told(context, 0)
    firing = await fire(context, START + MINUTE)
    assert firing.run_id is not None
    await runs.delete(context, firing.run_id)
    assert await tell_of_runs(context, START) == []
    await fire(context, START + 2 * MINUTE)
    await schedules.delete(context, "nightly")
    assert await tell_of_runs(context, START) == []
    assert [notice.kind for notice in await listed(context)] == ["nothing_decided"]


async def test_cases_that_were_changed_are_not_compared(context: Context) -> None:
    answers = Answers()
    await scheduled(context, answers, cases=10)
    await told(context, 0)
    await save(context, [{**case, "prompt": case["prompt"] + "!"} for case in prompts(10)])
    answers.said = {f"prompt {number}!": "no" for number in range(10)}
    assert await told(context, 1) == []


async def test_one_of_which_nothing_can_be_told_holds_up_no_other(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = Answers()
    await scheduled(context, answers, cases=10)
    await fire(context, START)
    answers.say(no=9)
    strange = await fire(context, START + MINUTE)
    answers.say(down=9)
    await fire(context, START + 2 * MINUTE)
    get, read = stored.get, list[str]()

    async def breaks(rx: Connection, ref: str) -> Run:
        read.append(ref)
        if ref == strange.run_id and read.count(ref) == 1:
            raise ValueError("a row that cannot be read")
        return await get(rx, ref)

    monkeypatch.setattr(stored, "get", breaks)
    assert [notice.kind for notice in await tell_of_runs(context, START)] == ["errors"]
    assert [notice.kind for notice in await tell_of_runs(context, START)] == ["regression"]
