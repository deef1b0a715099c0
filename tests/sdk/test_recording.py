"""Functions of this process, recorded for a server that cannot call them."""

import asyncio
from typing import Any

import pytest

from aloi.core.case import Case, CaseStatus
from aloi.core.errors import InvalidInput
from aloi.core.run import RunLimits
from aloi.core.target import Target
from aloi.core.usage import Usage
from aloi.plugins import build
from aloi.sdk.recording import recorded
from aloi.targets.python import Answer, Python

CASES = [Case(key=f"k{n}", input=f"prompt {n}") for n in range(3)]
LIMITS = RunLimits()


async def outputs(function: Any, cases: list[Case] = CASES, limits: RunLimits = LIMITS) -> dict[str, Any]:
    """What is recorded, by case, without the latencies, which are there."""
    found: dict[str, Any] = dict((await recorded(function, cases, limits)).outputs)
    assert all(record.pop("latency") >= 0 for record in found.values())
    return found


async def test_answers() -> None:
    async def answer(given: str) -> str:
        return given.upper()

    assert await outputs(answer) == {f"k{n}": {"output": f"PROMPT {n}"} for n in range(3)}
    assert await outputs(str.upper) == await outputs(answer) == await outputs(Python.of(answer))


async def test_structured_answers_and_such_as_look_like_records() -> None:
    def answer(given: str) -> dict[str, Any]:
        return {"output": "not a record", "latency": 99}

    assert await outputs(answer, CASES[:1]) == {"k0": {"output": {"output": "not a record", "latency": 99}}}


async def test_tool_calls_and_usage() -> None:
    def answer(given: str) -> Answer | dict[str, Any]:
        if given == "prompt 0":
            return {"output": "a", "tool_calls": [{"tool": "search", "args": {"q": "x"}, "output": "found"}]}
        if given == "prompt 1":
            return {"output": "b", "tool_calls": []}
        return Answer(output="c", usage=Usage(calls=1, input_tokens=3, output_tokens=4, cost=0.5))

    found = await outputs(answer)
    assert [(call["tool"], call["args"], call["output"]) for call in found["k0"]["tool_calls"]] == [
        ("search", {"q": "x"}, "found")
    ]
    assert found["k1"] == {"output": "b", "tool_calls": []}
    assert found["k2"] == {"output": "c", "input_tokens": 3, "output_tokens": 4, "cost": 0.5}


async def test_failures() -> None:
    async def answer(given: str) -> str | None:
        if given == "prompt 0":
            raise ValueError("no idea")
        if given == "prompt 1":
            return None
        await asyncio.sleep(60)
        return "late"

    found = await outputs(answer, limits=RunLimits(seconds_per_case=0.1))
    types = {key: record["failure"]["type"] for key, record in found.items()}
    assert types == {"k0": "exception", "k1": "no_answer", "k2": "timeout"}
    assert all(record["output"] is None for record in found.values())
    assert "no idea" in found["k0"]["failure"]["message"]


async def test_only_cases_that_run_are_called() -> None:
    called: list[str] = []
    left_out = [Case(key="off", input="x", enabled=False), Case(key="draft", input="x", status=CaseStatus.DRAFT)]
    assert list(await outputs(called.append, [CASES[0], *left_out])) == ["k0"]
    assert called == ["prompt 0"]
    with pytest.raises(InvalidInput, match="no case to run"):
        await recorded(called.append, left_out, LIMITS)


async def test_as_many_at_once_as_the_limits_say() -> None:
    going, most = 0, 0

    async def answer(given: str) -> str:
        nonlocal going, most
        going += 1
        most = max(most, going)
        await asyncio.sleep(0.01)
        going -= 1
        return given

    await outputs(answer, [Case(key=f"k{n}", input="x") for n in range(9)], RunLimits(concurrency=3))
    assert most == 3


async def test_trials_are_refused() -> None:
    with pytest.raises(InvalidInput, match="one recorded answer a case, and trials is 2"):
        await recorded(str.upper, CASES, RunLimits(trials=2))


async def test_it_is_a_definition_that_another_process_can_use() -> None:
    target: Target = await recorded(str.upper, CASES, LIMITS)
    assert target.portable() is target
    assert build("targets", target.to_spec(), Target) == target
