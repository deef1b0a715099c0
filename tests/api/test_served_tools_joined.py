"""An agent elsewhere that also sends spans of its own: each call stands once, and shows whether it was simulated."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from aloi.core.trajectory import trajectory
from tests.api.calls import Caller, RunningServer
from tests.api.served_lab import ASK, IN_TURN, WRITE, WRITTEN, Lab, asking
from tests.mcp_agent import Call, McpAgent
from tests.otlp_requests import Json, span
from tests.service.started_runs import results_of

PARIS = {"city": "Paris"}
EXACT: Json = {"kind": "tool_call_order", "tools": ["weather", "lookup", "write"], "mode": "exact"}


def spans_of(traceparent: str, calls: list[Call], told: bool, prefix: str) -> list[Json]:
    """What the agent did: the calls, and one of a tool of its own behind the first."""
    _, trace_id, parent_id, _ = traceparent.split("-")
    root = span(trace_id, 0, name="invoke_agent", gen_ai__operation__name="invoke_agent")
    made = [(f"{prefix}{tool}", arguments) for tool, arguments in calls]
    made.insert(1, ("lookup", {"x": 1}))
    work: list[Json] = []
    for number, (tool, arguments) in enumerate(made, 1):
        content = {"gen_ai__tool__call__arguments": arguments, "gen_ai__tool__call__result": "seen"} if told else {}
        given = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": tool, **content}
        work.append(span(trace_id, number, 0, name=f"execute_tool {tool}", **given))
    return [{**root, "parentSpanId": parent_id}, *work]


@pytest.fixture
async def agent(tmp_path: Path) -> AsyncIterator[McpAgent]:
    async with McpAgent(tmp_path) as agent:
        yield agent


@pytest.fixture
async def lab(server: RunningServer, agent: McpAgent) -> Lab:
    server.context.address = server.url
    return Lab(server.context, agent)


@pytest.mark.parametrize(("told", "prefix"), [(True, ""), (False, ""), (True, "concierge_")])
async def test_calls_that_the_agent_reports_too(lab: Lab, editor: Caller, told: bool, prefix: str) -> None:
    async def report(traceparent: str, calls: list[Call]) -> None:
        spans = spans_of(traceparent, calls, told, prefix)
        body = {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"spans": spans}]}]}
        assert (await editor.post("/v1/traces", body)).status == 200

    lab.agent.report = report
    simulations = {"weather": IN_TURN, "write": WRITTEN}
    run = await lab.run([asking("a", ASK, WRITE)], simulations, (EXACT,), only_served_tools=False)
    result = (await results_of(lab.context, run))["a"]
    assert result.scores[0].verdict == "pass", result
    assert result.outcome.trace is not None
    calls = trajectory(result.outcome.trace).tool_calls
    real: Any = ({"x": 1}, "seen") if told else ({}, None)
    assert [(call.tool, call.args, call.output, call.provenance) for call in calls] == [
        ("weather", PARIS, {"degrees": 1}, "static"),
        ("lookup", *real, "real"),
        ("write", {"path": "note.txt"}, "done", "static"),
    ]


async def test_without_them_what_was_served_proves_no_order(lab: Lab) -> None:
    simulations = {"weather": IN_TURN, "write": WRITTEN}
    run = await lab.run([asking("a", ASK)], simulations, (EXACT,), only_served_tools=False, span_wait=0)
    result = (await results_of(lab.context, run))["a"]
    assert result.scores[0].verdict == "error"
