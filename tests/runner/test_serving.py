"""Simulated tools of a target elsewhere: which are served, and what their calls make of the outcome."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from pydantic import TypeAdapter

from aloi.core.case import Case
from aloi.core.errors import StoreUnavailable
from aloi.core.outcome import Failure, Outcome
from aloi.core.served import ServedCall, ServedTool
from aloi.core.simulation import Simulations
from aloi.core.target import Component, Invocation, Reply, Target, TargetContext
from aloi.core.trace import Span, Trace
from aloi.core.trajectory import trajectory
from aloi.core.usage import Usage
from aloi.runner.invoke import Invoker
from aloi.runner.serving import tools_to_serve, with_calls
from aloi.simulation.simulator import Simulator
from tests.runner.stand_ins import invoker, task

READ = TypeAdapter[Simulations](Simulations)
ANSWER = {"kind": "static", "answers": [{"output": 1}]}
OTHER = {"kind": "static", "answers": [{"output": 2}]}


class Remote(Target):
    """A target elsewhere that says where its tools are served."""

    kind: ClassVar[str] = "remote-in-test"

    async def invoke(self, invocation: Invocation, ctx: TargetContext) -> Reply:
        with ctx.recorder.span("POST"):
            if invocation.input == "hang":
                await asyncio.sleep(60)
        return Reply(output=ctx.mcp_url or "nowhere")

    def components(self) -> tuple[Component, ...]:
        return Component(name="a", description="A.", input_schema={"type": "object", "x": 1}), Component(
            name="b", description="B.", output_schema={}
        )

    def elsewhere(self) -> str | None:
        return "localhost"


class Session:
    def __init__(self, calls: tuple[ServedCall, ...]) -> None:
        self.url = "http://server/mcp/token"
        self.calls = calls


class Serving:
    """Serves nothing, and says that these calls were made."""

    def __init__(self, *calls: ServedCall, fault: str = "") -> None:
        self.calls = calls
        self.fault = fault
        self.served: list[tuple[str, ...]] = []
        self.ended = 0

    @asynccontextmanager
    async def session(self, tools: tuple[ServedTool, ...], seconds: float) -> AsyncGenerator[Session]:
        self.served.append(tuple(tool.name for tool in tools))
        if self.fault == "open":
            raise StoreUnavailable("the disk is full")
        try:
            yield Session(self.calls)
        finally:
            self.ended += 1
            if self.fault == "close":
                raise StoreUnavailable("the disk is full")


def call(tool: str = "a", **more: Any) -> ServedCall:
    return ServedCall(tool=tool, arguments={}, provenance="generated", start_ns=5, end_ns=6, **more)


def remote(serving: Serving, simulations: dict[str, Any]) -> Invoker:
    async def nothing(_: Invocation, __: TargetContext) -> None:
        """Not asked."""

    local = invoker(nothing)
    simulator = Simulator(READ.validate_python(simulations))
    return replace(local, target=Remote(), simulator=simulator, serving=serving)


def test_what_is_simulated_for_a_case_is_served() -> None:
    case = Case.model_validate({"key": "k", "input": "x", "simulations": {"b": OTHER}})
    given = READ.validate_python({"a": ANSWER, "b": ANSWER, "none": ANSWER})
    assert [tool.model_dump(exclude={"simulation"}) for tool in tools_to_serve(Remote(), given, case)] == [
        {"name": "a", "description": "A.", "input_schema": {"type": "object", "x": 1}, "output_schema": None},
        {"name": "b", "description": "B.", "input_schema": {"type": "object"}, "output_schema": {}},
    ]
    assert tools_to_serve(Remote(), given, case)[1].simulation == READ.validate_python({"b": OTHER})["b"]
    assert tools_to_serve(Target(), given, case) == ()


async def test_the_target_is_told_where_and_the_calls_join_the_trace() -> None:
    serving = Serving(call(usage=Usage(calls=2)), call("b", usage=Usage(calls=1)))
    outcome = await remote(serving, {"a": ANSWER, "b": ANSWER}).invoke(task())
    assert outcome.output == "http://server/mcp/token"
    assert (serving.served, serving.ended) == ([("a", "b")], 1)
    assert outcome.trace is not None
    request, *calls = outcome.trace.spans
    assert {span.parent_id for span in calls} == {request.span_id}
    assert [(one.tool, one.provenance) for one in trajectory(outcome.trace).tool_calls] == [
        ("a", "generated"),
        ("b", "generated"),
    ]
    assert outcome.simulation_usage.calls == 3


async def test_without_simulations_nothing_is_served() -> None:
    serving = Serving()
    assert (await remote(serving, {}).invoke(task())).output == "nowhere"
    assert serving.served == []


@pytest.mark.parametrize("fault", ["open", "close"])
async def test_what_cannot_be_served_is_an_error(fault: str) -> None:
    outcome = await remote(Serving(fault=fault), {"a": ANSWER}).invoke(task())
    assert outcome.failure is not None and outcome.output is None
    assert (outcome.failure.stage, outcome.failure.type) == ("invoke", "serving")
    assert "the disk is full" in outcome.failure.message


@pytest.mark.parametrize("fault", ["", "close"])
async def test_a_cancel_ends_the_session_and_passes_through(fault: str) -> None:
    serving = Serving(fault=fault)
    doing = asyncio.create_task(remote(serving, {"a": ANSWER}).invoke(task(input="hang")))
    while not serving.served:
        await asyncio.sleep(0)
    await asyncio.sleep(0.01)
    doing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await doing
    assert serving.ended == 1


def test_a_simulation_without_an_answer_makes_the_outcome_an_error() -> None:
    trace = Trace(trace_id="t", spans=(Span(span_id="r", name="POST", start_ns=1, end_ns=9),))
    answered = Outcome(output="all is well", trace=trace)
    outcome = with_calls(answered, (call(), call(error="no answer is meant for this", broken=True)))
    assert outcome.failure == Failure(stage="invoke", type="simulation", message="no answer is meant for this")
    assert outcome.output is None
    assert outcome.trace is not None and len(outcome.trace.spans) == 3


def test_an_error_of_the_agents_own_making_does_not() -> None:
    outcome = with_calls(Outcome(output="well"), (call(error="the arguments do not fit"),))
    assert (outcome.output, outcome.failure) == ("well", None)


def test_no_calls_change_nothing() -> None:
    outcome = Outcome(output="well")
    assert with_calls(outcome, ()) is outcome
