"""The MCP server of simulated tools: who may ask there, for how long, and what it stands."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models.test import TestModel

from aloi.core.chat import ModelSpec
from aloi.core.served import ServedTool
from aloi.core.target import Target
from aloi.plugins import build
from aloi.service.clock import new_id, now
from aloi.service.process.desk import Desk
from aloi.service.served_tools.serving import StoreServing
from aloi.store.codec import pack_time
from tests.api.calls import RunningServer
from tests.api.served_lab import ASK, IN_TURN, PLACE, READ, WRITTEN, Lab, answers_of, asking
from tests.mcp_agent import McpAgent
from tests.model_server import ChatRequestBody, ModelServer
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


def call(tool: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}}}


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


async def test_agents_that_send_slowly_keep_no_others_waiting(server: RunningServer, url: str) -> None:
    server.context.desk = Desk(at_once=2)
    address = urlsplit(url)
    head = f"POST {address.path} HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Type: application/json\r\n"
    slow = [await asyncio.open_connection(address.hostname, address.port) for _ in range(3)]
    for _, writer in slow:
        writer.write(f'{head}Content-Length: 1000\r\n\r\n{{"jsonrpc": '.encode())
        await writer.drain()
    await asyncio.sleep(0.1)  # so that they are waited for
    assert await asyncio.wait_for(asked(server, url), 10) == 200
    for _, writer in slow:
        writer.close()
        await writer.wait_closed()
    assert [await asked(server, url) for _ in range(4)] == [200] * 4


async def test_a_model_that_hangs_keeps_no_fixed_answer_waiting(
    lab: Lab, server: RunningServer, model_server: ModelServer
) -> None:
    server.context.desk = Desk(at_once=1)
    is_asked, go_on = asyncio.Event(), asyncio.Event()

    async def reply(_: ChatRequestBody) -> str:
        is_asked.set()
        await go_on.wait()
        return "at last"

    model_server.reply = reply
    given = READ.validate_python({"slow": {"kind": "generated", "description": "It is slow."}, "fixed": WRITTEN})
    tools = tuple(ServedTool(name=name, input_schema={"type": "object"}, simulation=given[name]) for name in given)
    target = build("targets", {"kind": "http", "url": lab.agent.url}, Target)
    writer = ModelSpec(model="openai:any", base_url=model_server.url)
    async with StoreServing(lab.context, target, new_id(), writer).session(tools, 60) as session:
        slow = asyncio.create_task(asked(server, session.url, call("slow")))
        await asyncio.wait_for(is_asked.wait(), 10)
        assert await asyncio.wait_for(asked(server, session.url, call("fixed")), 10) == 200
        go_on.set()
        assert await slow == 200
    assert [(made.tool, made.output) for made in session.calls] == [("slow", "at last"), ("fixed", "done")]


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
