"""One invocation: whatever the target does becomes an outcome."""

import asyncio
import os
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.spec import JsonObject
from aloi.core.target import Invocation, TargetContext
from aloi.core.usage import NO_USAGE
from aloi.simulation.generated import AnswerWriter
from aloi.simulation.simulator import Simulator
from tests.runner.stand_ins import invoker, task
from tests.scripted_model import USAGE, ScriptedModel


async def outcome_of(answer: Any, seconds: float = 5.0) -> Any:
    async def do(invocation: Invocation, ctx: TargetContext) -> Any:
        if isinstance(answer, BaseException):
            raise answer
        return answer

    return await invoker(do, seconds).invoke(task())


@pytest.mark.parametrize(
    "answer", ["", "text", 0, False, [], {}, {"a": [None, 1.5]}, "\x00", "né 日本 🎉", "x" * 10_000_000]
)
async def test_any_answer_is_kept_as_it_is(answer: Any) -> None:
    outcome = await outcome_of(answer)
    assert outcome.failure is None
    assert outcome.output == answer
    assert type(outcome.output) is type(answer)


async def test_no_answer_is_an_error() -> None:
    outcome = await outcome_of(None)
    assert outcome.output is None
    assert (outcome.failure.stage, outcome.failure.type) == ("invoke", "no_answer")


@pytest.mark.parametrize("answer", ["bad \ud800 half", {"k\ud800": ["\udfff"]}])
async def test_lone_surrogates_become_replacement_characters(answer: Any) -> None:
    outcome = await outcome_of(answer)
    text = outcome.model_dump_json()
    assert "\ufffd" in text
    text.encode()


@pytest.mark.parametrize(
    ("error", "type_", "words"),
    [
        (ValueError("wrong"), "exception", "the target raised ValueError: wrong"),
        (TimeoutError("its own"), "exception", "TimeoutError: its own"),
        (StageFailure("invoke", "step_limit", "too many steps"), "step_limit", "too many steps"),
        (InvalidInput("no such tool"), "invalid_target", "no such tool"),
        (ValueError("half \ud800"), "exception", "half"),
    ],
)
async def test_what_the_target_raises_is_a_failure(error: Exception, type_: str, words: str) -> None:
    failure = (await outcome_of(error)).failure
    assert failure.type == type_
    assert words in failure.message
    failure.message.encode()


async def test_the_deadline_is_a_failure_that_says_how_to_mend_it() -> None:
    async def hang(invocation: Invocation, ctx: TargetContext) -> Any:
        await asyncio.sleep(60)

    outcome = await invoker(hang, seconds=0.02).invoke(task())
    assert outcome.failure is not None
    assert outcome.failure.type == "timeout"
    assert "0.02 s" in outcome.failure.message
    assert "seconds_per_case" in outcome.failure.message


async def test_a_slow_target_under_its_deadline_is_called_once() -> None:
    calls: list[str] = []

    async def slow(invocation: Invocation, ctx: TargetContext) -> Any:
        calls.append(invocation.case_key)
        await asyncio.sleep(0.1)
        return "done"

    outcome = await invoker(slow, seconds=5).invoke(task())
    assert outcome.output == "done"
    assert calls == ["c0"]
    assert outcome.latency >= 0.1
    assert outcome.latency == round(outcome.latency, 6)


async def test_a_cancel_passes_through() -> None:
    async def hang(invocation: Invocation, ctx: TargetContext) -> Any:
        await asyncio.sleep(60)

    work = asyncio.create_task(invoker(hang).invoke(task()))
    await asyncio.sleep(0)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work


@pytest.mark.parametrize("swallowed", [None, ValueError("instead")])
async def test_a_cancel_that_the_target_swallows_passes_through_too(swallowed: Exception | None) -> None:
    async def hang(invocation: Invocation, ctx: TargetContext) -> Any:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        if swallowed is not None:
            raise swallowed
        return "an answer"

    work = asyncio.create_task(invoker(hang).invoke(task()))
    await asyncio.sleep(0.01)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work


async def test_a_target_that_raises_a_cancel_of_its_own_is_a_failure() -> None:
    failure = (await outcome_of(asyncio.CancelledError("its own"))).failure
    assert (failure.stage, failure.type) == ("invoke", "exception")
    assert "CancelledError: its own" in failure.message


async def test_an_answer_after_the_deadline_is_too_late() -> None:
    async def late(invocation: Invocation, ctx: TargetContext) -> Any:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        return "late"

    outcome = await invoker(late, seconds=0.02).invoke(task())
    assert outcome.output is None
    assert outcome.failure is not None
    assert outcome.failure.type == "timeout"


async def test_each_case_has_a_fresh_workspace_that_is_gone_afterwards() -> None:
    seen: list[str] = []

    async def write(invocation: Invocation, ctx: TargetContext) -> Any:
        folder = ctx.tools.workspace
        assert os.listdir(folder) == []
        with open(os.path.join(folder, "note"), "w") as file:
            file.write("mine")
        seen.append(folder)
        await asyncio.sleep(0.01)
        return "ok"

    used = invoker(write)
    outcomes = await asyncio.gather(*(used.invoke(task(n)) for n in range(4)))
    assert all(outcome.failure is None for outcome in outcomes)
    assert len(set(seen)) == 4
    assert not any(os.path.exists(folder) for folder in seen)


async def test_the_spans_of_a_failed_invocation_are_kept_with_what_they_used() -> None:
    async def half(invocation: Invocation, ctx: TargetContext) -> Any:
        chat: JsonObject = {
            "gen_ai.operation.name": "chat",
            "gen_ai.usage.input_tokens": 3,
            "gen_ai.usage.output_tokens": 4,
        }
        with ctx.recorder.span("chat m", chat):
            pass
        raise StageFailure("invoke", "step_limit", "stopped")

    outcome = await invoker(half).invoke(task())
    assert outcome.trace is not None
    assert [span.name for span in outcome.trace.spans] == ["chat m"]
    assert (outcome.usage.calls, outcome.usage.tokens, outcome.usage.cost) == (1, 7, None)


SIMULATED: JsonObject = {"lookup": {"kind": "static", "answers": [{"output": 1}, {"output": 2}]}}


async def test_each_trial_has_stand_ins_of_its_own() -> None:
    async def ask(invocation: Invocation, ctx: TargetContext) -> Any:
        return [(await ctx.stand_ins.answer("lookup", {}, None)).output for _ in range(2)]

    used = invoker(ask)
    outcomes = [await used.invoke(task(simulations=SIMULATED)) for _ in range(2)]
    assert [outcome.output for outcome in outcomes] == [[1, 2], [1, 2]]
    assert outcomes[0].simulation_usage == NO_USAGE


async def test_a_case_without_simulations_has_none() -> None:
    async def ask(invocation: Invocation, ctx: TargetContext) -> Any:
        return ctx.stand_ins.covers("lookup")

    assert (await invoker(ask).invoke(task())).output is False


@pytest.mark.parametrize("fails", [False, True])
async def test_what_writing_answers_used_is_told_apart(fails: bool) -> None:
    async def ask(invocation: Invocation, ctx: TargetContext) -> Any:
        answer = await ctx.stand_ins.answer("weather", {}, None)
        if fails:
            raise ValueError("after the answer")
        return answer.output

    writer = AnswerWriter(ScriptedModel(["Mild."]))
    used = replace(invoker(ask), simulator=Simulator(writer=writer))
    outcome = await used.invoke(task(simulations={"weather": {"kind": "generated", "description": "Mild."}}))
    assert outcome.output == (None if fails else "Mild.")
    assert (outcome.usage, outcome.simulation_usage) == (NO_USAGE, USAGE)


async def test_a_simulation_without_an_answer_is_a_failure_that_says_so() -> None:
    async def ask(invocation: Invocation, ctx: TargetContext) -> Any:
        return (await ctx.stand_ins.answer("lookup", {"id": 7}, None)).output

    meant = {"output": 1, "when": [{"path": "$.id", "equals": 8}]}
    outcome = await invoker(ask).invoke(task(simulations={"lookup": {"kind": "static", "answers": [meant]}}))
    assert outcome.failure is not None
    assert (outcome.failure.stage, outcome.failure.type) == ("invoke", "simulation")
