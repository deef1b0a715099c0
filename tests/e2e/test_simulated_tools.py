"""An agent elsewhere and two server processes on one database: either answers the calls of its simulated tools."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import Command
from tests.e2e.serving import Served
from tests.mcp_agent import McpAgent
from tests.store.backends import BACKENDS, fresh

CALLS = 6
LOOK, WRITE = ["look", {"n": 1}], ["write", {"path": "note.txt"}]


@pytest.fixture(params=BACKENDS)
async def aloi(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Command]:
    """The command over a home of its own, with each kind of database."""
    command = Command(tmp_path / "home")
    async with fresh(request, tmp_path) as address:
        if request.param != "sqlite":
            command.environ["ALOI_DATABASE_URL"] = address
        yield command


@pytest.fixture
async def agent(tmp_path: Path) -> AsyncIterator[McpAgent]:
    folder = tmp_path / "real"
    folder.mkdir()
    async with McpAgent(folder) as agent:
        yield agent


@pytest.fixture
def servers(aloi: Command) -> Iterator[list[Served]]:
    started = [Served(aloi), Served(aloi)]
    yield started
    for server in started:
        server.kill()


def start(server: Served, agent: McpAgent, **more: Any) -> dict[str, Any]:
    """Start a run, by the API alone."""
    tools = [{"name": "look"}, {"name": "write", "side_effect": True}]
    definition = {"kind": "http", "url": agent.url, "tools": tools, "only_served_tools": True}
    target = server.post("/api/targets", {"name": "remote", "definition": definition})
    dataset = server.post("/api/eval/datasets", {"name": "data", "target_id": target["id"]})
    order = {"kind": "tool_call_order", "tools": ["look"] * CALLS + ["write"], "mode": "exact"}
    case = {"key": "a", "input": {"calls": [LOOK] * CALLS + [WRITE]}, "evaluators": [order]}
    server.post(f"/api/eval/datasets/{dataset['id']}/cases", case)
    body = {"target_id": target["id"], "dataset_id": dataset["id"], **more}
    return server.post("/api/eval/runs", body)


async def test_either_server_answers_in_turn_and_the_real_tool_is_not_called(
    servers: list[Served], agent: McpAgent
) -> None:
    agent.servers = [server.url for server in servers]
    simulations = {
        "look": {"kind": "static", "answers": [{"output": n} for n in range(CALLS)]},
        "write": {"kind": "static", "answers": [{"output": "written"}]},
    }
    first = servers[0]
    run = await asyncio.to_thread(start, first, agent, simulations=simulations, trials=2)
    run = await asyncio.to_thread(first.finished, run)
    assert (run["status"], run["summary"]["passed"]) == ("completed", 2), run
    for trial in (0, 1):
        path = f"/api/eval/runs/{run['id']}/results/{run['results'][0]['case_id']}?trial={trial}"
        result = await asyncio.to_thread(first.get, path)
        answers = result["result"]["outcome"]["output"]["answers"]
        assert answers == [*map(str, range(CALLS)), "written"]
    assert list(agent.folder.iterdir()) == []


async def test_the_real_tool_would_have_written(servers: list[Served], agent: McpAgent) -> None:
    run = await asyncio.to_thread(start, servers[0], agent, allow_side_effects=True)
    await asyncio.to_thread(servers[0].finished, run)
    assert {file.name for file in agent.folder.iterdir()} == {"look", "note.txt"}
