"""Any number of server processes and one queue: each execution is graded once, also when one of them is killed."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from aloi.core.online_rule import Finished
from aloi.core.outcome import Outcome
from aloi.core.result import CaseResult
from aloi.core.score import Verdict
from aloi.service import targets, usage
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.online import grading, places
from aloi.service.online.grading import CLAIM, grade_due, look_after_online
from aloi.service.online.sampling import let_wait
from aloi.service.online.verdict import verdict_on
from aloi.store import observed
from aloi.store.observed import ObservedRow, VersionIds
from tests.model_server import ModelServer
from tests.otlp_requests import new_trace
from tests.service.traffic import HELLO, POLITE, TARGET, all_graded, echoing, opened, rule_now, ruled, said
from tests.store.backends import BACKENDS, fresh

TIMES = 300
ROOT = Path(__file__).parents[3]
# A server process: it grades until nothing was left for a while, and says how many it claimed.
PROCESS = """
import asyncio, sys
from pathlib import Path
from aloi.service.online.grading import CLAIM, grade_due, look_after_online
from tests.service.traffic import opened

async def main(home, database, url, judge):
    context = await opened(Path(home), database, judge, url)
    claimed = 0
    print("ready", flush=True)
    sys.stdin.readline()
    while number := await grade_due(context):
        claimed += number
        await asyncio.sleep(0)
    await context.close()
    print(claimed)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture(params=BACKENDS)
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    async with fresh(request, tmp_path) as where:
        yield where


@pytest.fixture
async def context(address: str, tmp_path: Path, model_server: ModelServer) -> AsyncIterator[Context]:
    context = await opened(tmp_path, address, "openai:judge-pass", model_server.url)
    await echoing(context)
    yield context
    await context.close()


async def arrive(context: Context, number: int) -> None:
    """Let executions of production end, all in one transaction."""
    version = await version_of(context)
    rows = [
        ObservedRow(new_id(), new_trace(), now(), "hello", Outcome(output=f"hello {count}"), version)
        for count in range(number)
    ]
    async with context.database.transaction() as tx:
        await observed.put(tx, rows)
        await let_wait(
            tx, [Finished(row.execution_id, *row.version, row.created_at, row.input, row.outcome) for row in rows]
        )


async def version_of(context: Context) -> VersionIds:
    found = await targets.get(context, TARGET)
    assert found.active_version is not None
    return VersionIds(found.id, found.active_version.id)


async def test_many_servers_in_one_process_grade_each_once(
    context: Context, address: str, tmp_path: Path, model_server: ModelServer
) -> None:
    others = [await opened(tmp_path, address, "openai:judge-pass", model_server.url) for _ in range(3)]
    await ruled(context, POLITE)
    await arrive(context, TIMES)
    claimed = await asyncio.gather(*(all_graded(one) for one in [context, *others] * 2))
    for other in others:
        await other.close()
    assert sum(claimed) == TIMES
    await graded_once(context)


async def test_two_processes_grade_each_once(
    context: Context, address: str, tmp_path: Path, model_server: ModelServer
) -> None:
    await ruled(context, POLITE)
    await arrive(context, TIMES)
    processes = [server(tmp_path, address, model_server) for _ in range(2)]
    for process in processes:
        await ready(process)
    told = await asyncio.gather(*(asyncio.to_thread(process.communicate, "go\n") for process in processes))
    claimed = [int(out) for out, _ in told]
    assert sum(claimed) == TIMES
    assert min(claimed) > 0, "one process did all the work, so nothing was raced"
    await graded_once(context)


def server(home: Path, address: str, model_server: ModelServer, judge: str = "judge-pass") -> subprocess.Popen[str]:
    """A server process; it waits for a line."""
    command = [sys.executable, "-c", PROCESS, str(home), address, model_server.url, f"openai:{judge}"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)


async def ready(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert await asyncio.to_thread(process.stdout.readline) == "ready\n"


async def test_what_a_killed_process_was_grading_is_graded_by_another(
    context: Context, address: str, tmp_path: Path, model_server: ModelServer
) -> None:
    await ruled(context, POLITE)
    await arrive(context, 5)
    doomed = server(tmp_path, address, model_server, "hang")
    await ready(doomed)
    assert doomed.stdin is not None
    doomed.stdin.write("go\n")
    doomed.stdin.flush()
    async with asyncio.timeout(10):
        while len(model_server.requests) < 5:
            await asyncio.sleep(0.01)
    doomed.kill()
    await asyncio.to_thread(doomed.communicate)
    assert await all_graded(context) == 0, "it holds its claims for a while"
    assert await grade_due(context, now() + CLAIM) == 5
    assert {result.verdict for result in await said(context)} == {Verdict.PASS}
    rule = await rule_now(context)
    assert (rule.today.graded, rule.waiting) == (5, 0)


async def graded_once(context: Context) -> None:
    """Each was graded, stored, counted and paid once."""
    results = await said(context)
    assert {result.verdict for result in results} == {Verdict.PASS}
    async with context.database.read() as rx:
        [(number,)] = await rx.fetch("SELECT count(*) FROM online_results")
    rule = await rule_now(context)
    assert rule.recent is not None
    assert (number, rule.recent.passed, rule.today.graded, rule.waiting) == (TIMES, TIMES, TIMES, 0)
    assert (await usage.report(context)).judge.calls == TIMES


async def test_the_budget_holds_however_many_servers_there_are(
    context: Context, address: str, tmp_path: Path, model_server: ModelServer
) -> None:
    others = [await opened(tmp_path, address, "openai:judge-pass", model_server.url) for _ in range(3)]
    await ruled(context, POLITE, most_per_day=50)
    await arrive(context, TIMES)
    await asyncio.gather(*(all_graded(one) for one in [context, *others]))
    for other in others:
        await other.close()
    rule = await rule_now(context)
    assert (rule.today.graded, rule.today.skipped, rule.waiting) == (50, TIMES - 50, 0)
    assert len(await said(context)) == 50


async def test_a_server_that_ends_gives_back_what_it_was_grading(
    context: Context, address: str, tmp_path: Path, model_server: ModelServer
) -> None:
    ending = await opened(tmp_path, address, "openai:hang", model_server.url)
    await ruled(context, POLITE)
    await arrive(context, 5)
    work = asyncio.create_task(grade_due(ending))
    async with asyncio.timeout(10):
        while len(model_server.requests) < 5:
            await asyncio.sleep(0.01)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert await all_graded(context) == 5
    assert {result.verdict for result in await said(context)} == {Verdict.PASS}
    assert (await rule_now(context)).today.graded == 5, "each is in the budget once"
    await ending.close()


async def test_large_executions_take_turns(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "MOST_IN_HAND", 1)
    monkeypatch.setattr(grading, "NEXT_TURN", timedelta())
    verdict, at_once = verdict_on, [0]

    async def counted(*given: Any) -> CaseResult:
        at_once.append(at_once[-1] + 1)
        await asyncio.sleep(0.02)
        at_once.append(at_once[-1] - 1)
        return await verdict(*given)

    monkeypatch.setattr(grading, "verdict_on", counted)
    await ruled(context)
    await arrive(context, 4)
    async with asyncio.timeout(20):
        while (await rule_now(context)).waiting:
            await grade_due(context)
    assert max(at_once) == 1
    rule = await rule_now(context)
    assert rule.recent is not None
    assert (rule.recent.errors, len(await said(context)), rule.today.graded) == (0, 4, 4)


async def test_a_judge_that_hangs_holds_up_no_rule_without_one(
    address: str, tmp_path: Path, model_server: ModelServer
) -> None:
    context = await opened(tmp_path, address, "openai:hang", model_server.url)
    await echoing(context)
    for name, evaluator in (("judged", POLITE), ("plain", HELLO)):
        await ruled(context, evaluator, name=name)
    await arrive(context, 40)
    work = asyncio.create_task(look_after_online(context))
    async with asyncio.timeout(20):
        while (await rule_now(context, "plain")).waiting:
            await asyncio.sleep(0.05)
    assert len(await said(context, "plain")) == 40
    assert (await rule_now(context, "judged")).waiting == 40
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    await context.close()
