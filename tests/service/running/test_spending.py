"""What a run used goes to the workspace's usage: its own calls once, however often it stops and goes on."""

from datetime import date, timedelta
from typing import Any

from aloi.core.run import JudgeSpec, RunRequest
from aloi.core.score import Verdict
from aloi.core.usage import Usage
from aloi.service import again, runs, targets
from aloi.service.context import Context
from aloi.store import usage
from aloi.targets.openai import OpenAI
from aloi.targets.python import Answer
from tests.model_server import ModelServer
from tests.service.granted_usage import used_of
from tests.service.started_runs import Gate, finished, prompts, save, start, until_passed

JUDGED = ({"kind": "llm_judge", "rubric": "Is it right?"},)


def spent(given: str) -> Answer:
    """A target that says what it used."""
    return Answer(output="ok", usage=Usage(calls=1, input_tokens=10, output_tokens=2, cost=0.5))


async def used(context: Context) -> dict[tuple[str, str], Usage]:
    """What is written down, by side and model."""
    today = date.today()
    async with context.database.read() as rx:
        rows = await usage.by_day(rx, today - timedelta(days=1), today + timedelta(days=1))
    return {(row.side, row.model): row.usage for row in rows}


async def start_judged(context: Context, models: ModelServer, verdicts: str = "judge-pass") -> Any:
    """A finished run of three cases with an echo as the target and a judge."""
    await save(context, prompts(3), JUDGED)
    version = await targets.save(context, "echo", OpenAI(model="echo", base_url=models.url))
    judge = JudgeSpec(model=f"openai:{verdicts}", base_url=models.url)
    return await finished(
        context, await runs.start(context, RunRequest(target_version_id=version.id, dataset="data", judge=judge))
    )


async def test_both_sides_under_their_models(context: Context, model_server: ModelServer) -> None:
    run = await start_judged(context, model_server)
    assert run.summary is not None
    assert await used(context) == {
        ("target", "openai:echo"): run.summary.usage,
        ("judge", "openai:judge-pass"): run.summary.judge_usage,
    }
    assert run.summary.judge_usage.calls == 3
    granted = await used_of(context, (await targets.get(context, "echo")).id)
    assert (granted.target.calls, granted.judge.calls) == (3, 3)
    assert (await used_of(context)).models == ()


async def test_what_a_retry_took_over_is_not_counted_again(context: Context, model_server: ModelServer) -> None:
    run = await start_judged(context, model_server, "judge-fail")
    before = await used(context)
    model_server.reply = None
    retried = await finished(context, await again.retry(context, run.id, [Verdict.FAIL]))
    assert retried.summary is not None
    after = await used(context)
    for key, now in after.items():
        assert now.calls == 2 * before[key].calls == 6


async def test_a_regrade_uses_the_judge_alone(context: Context, model_server: ModelServer) -> None:
    run = await start_judged(context, model_server)
    before = await used(context)
    await finished(context, await again.regrade(context, run.id))
    after = await used(context)
    assert after["target", "openai:echo"] == before["target", "openai:echo"]
    assert after["judge", "openai:judge-pass"].calls == 6


async def test_a_run_that_stops_and_goes_on_is_counted_once(context: Context) -> None:
    calls = 0

    async def target(given: str) -> Any:
        nonlocal calls
        calls += 1
        if calls == 3:
            await Gate()(given)
        return spent(given)

    await save(context, prompts(5))
    run = await start(context, target, concurrency=1)
    await until_passed(context, run, 2)
    await runs.cancel(context, run.id)
    assert (await used(context))["target", ""].calls == 2
    await finished(context, await runs.resume(context, run.id))
    assert (await used(context))["target", ""] == Usage(calls=5, input_tokens=50, output_tokens=10, cost=2.5)


async def test_a_run_that_is_given_back(context: Context) -> None:
    release = Gate(2)

    async def target(given: str) -> Any:
        await release(given)
        return spent(given)

    await save(context, prompts(5))
    run = await start(context, target, concurrency=1)
    await until_passed(context, run, 2)
    await context.drain(0)
    assert (await used(context))["target", ""].calls == 2


async def test_a_run_without_calls_leaves_nothing(context: Context) -> None:
    await save(context, prompts(2))
    await finished(context, await start(context, Gate(2)))
    assert await used(context) == {}
