"""The MCP server of simulated tools: who may ask there, for how long, and what it stands."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models.test import TestModel

from aloi.core.served import ServedTool
from aloi.core.target import Target
from aloi.plugins import build
from aloi.service.clock import new_id, now
from aloi.service.served_tools.serving import StoreServing
from aloi.store.codec import pack_time
from tests.api.calls import RunningServer
from tests.api.served_lab import ASK, IN_TURN, PLACE, READ, WRITTEN, Lab, answers_of, asking
from tests.mcp_agent import McpAgent
from tests.service.started_runs import results_of

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture
async def agent(tmp_path: Path) -> AsyncIterator[McpAgent]:
    folder = tmp_path / "real"
    folder.mkdir()
    async with McpAgent(folder) as agent:
        yield agent


@pytest.fixture
async def lab(server: RunningServer, agent: McpAgent) -> Lab:
    server.context.address = server.url
    return Lab(server.context, agent)


@pytest.fixture
async def url(lab: Lab) -> AsyncIterator[str]:
    tool = ServedTool(name="weather", input_schema=PLACE, simulation=READ.validate_python({"x": IN_TURN})["x"])
    target = build("targets", {"kind": "http", "url": lab.agent.url}, Target)
    serving = StoreServing(lab.context, target, new_id(), None)
    async with serving.session((tool,), 10) as session:
        yield session.url


async def asked(server: RunningServer, url: str, body: Any = PING, **headers: str) -> int:
    given = {"Accept": "application/json, text/event-stream", **headers}
    async with server.session.post(url, json=body, headers=given) as response:
        return response.status


async def test_it_is_there_while_the_invocation_goes_on(server: RunningServer, url: str) -> None:
    assert await asked(server, url) == 200


async def test_an_unknown_token_is_nothing(server: RunningServer, url: str) -> None:
    for token in ("x" * 43, url[-43:].swapcase(), "%00", "a" * 5000):
        assert await asked(server, f"{server.url}/mcp/{token}") == 404
    assert await asked(server, f"{server.url}/mcp/") in (404, 405)


async def test_it_is_over_with_the_invocation(lab: Lab, server: RunningServer) -> None:
    run = await lab.run([asking("a", ASK), asking("b", ASK)], {"weather": IN_TURN, "write": WRITTEN})
    assert run.summary is not None
    for url, _ in lab.agent.urls:
        assert url is not None and await asked(server, url) == 404
    async with lab.context.database.read() as rx:
        assert await rx.fetch("SELECT * FROM served_sessions") == await rx.fetch("SELECT * FROM served_calls") == []


async def test_it_is_over_when_its_time_is(server: RunningServer, url: str) -> None:
    """As of a process that died."""
    async with server.context.database.transaction() as tx:
        await tx.execute("UPDATE served_sessions SET until = ?", (pack_time(now()),))
    assert await asked(server, url) == 404


async def test_no_page_of_a_browser_may_ask(server: RunningServer, url: str) -> None:
    assert await asked(server, url, Origin="http://evil.example") == 403
    assert await asked(server, url, Host="evil.example") == 421
    assert await asked(server, url, Host="localhost:8000") == 200


async def test_there_is_nothing_to_get_or_delete(server: RunningServer, url: str) -> None:
    for method in ("GET", "DELETE", "PUT"):
        async with server.session.request(method, url) as response:
            assert response.status == 405


async def test_a_body_is_bounded(server: RunningServer, url: str) -> None:
    assert await asked(server, url, {**PING, "params": {"x": "y" * 2_000_000}}) == 413


@pytest.mark.parametrize("body", [7, [], {}, {"jsonrpc": "2.0"}, {**PING, "method": "none"}, {**PING, "params": 3}])
async def test_garbage_breaks_nothing(server: RunningServer, url: str, body: Any) -> None:
    assert await asked(server, url, body) < 500
    assert await asked(server, url) == 200


async def test_calls_are_bounded(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aloi.service.served_tools.answering.MOST_CALLS", 2)
    run = await lab.run([asking("a", ASK, ASK, ASK)], {"weather": IN_TURN, "write": WRITTEN})
    answers = answers_of((await results_of(lab.context, run))["a"])
    assert "there were 2 calls of simulated tools" in answers[2]["error"]


async def test_their_size_is_bounded(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aloi.service.served_tools.answering.MOST_CHARACTERS", 1_000)
    large = ["weather", {"city": "x" * 1_000}]
    run = await lab.run([asking("a", ASK, large, ASK)], {"weather": IN_TURN, "write": WRITTEN})
    answers = answers_of((await results_of(lab.context, run))["a"])
    assert answers[:2] == [{"degrees": 1}, {"degrees": 2}]
    assert "took more than 1,000 characters" in answers[2]["error"]


async def test_it_is_no_part_of_the_rest_api(server: RunningServer) -> None:
    assert not any("mcp" in path for path in server.app.openapi()["paths"])


async def test_an_agent_of_pydantic_ai_takes_its_tools_there(url: str) -> None:
    """It calls each tool once, with arguments made from its schema."""
    agent = Agent(TestModel(), toolsets=[MCPToolset(url)])
    assert json.loads((await agent.run("How is the weather?")).output) == {"weather": {"degrees": 1}}
