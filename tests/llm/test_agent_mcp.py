"""MCP servers serve interactive use; a run opens no connection to them."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.core.target import Target
from aloi.llm.models import Models
from tests.llm.agent_runs import Agents
from tests.llm.mcp_shop import HttpShop, serve_shop
from tests.model_server import ModelServer

PROGRAM = Path(__file__).with_name("mcp_shop.py")
SHOP_KEY = "sh0p-secret"
ASKS = 'tool-once:shop_price:{"item": "tea"}'


@pytest.fixture
def agents(model_server: ModelServer, models: Models) -> Agents:
    return Agents(model_server.url, models)


@pytest.fixture
async def shop() -> AsyncIterator[HttpShop]:
    async with serve_shop() as server:
        yield server


async def test_a_run_opens_no_connection_and_names_what_it_skipped(agents: Agents, shop: HttpShop) -> None:
    target = agents.target(ASKS, mcp_servers=[{"name": "shop", "url": shop.url}])
    run = await agents.run(target)
    assert shop.connections == 0
    assert target.skipped() == ("shop",)
    assert [call.error for call in run.path.tool_calls] == ["there is no tool 'shop_price'"]


async def test_interactive_use_opens_one_connection_and_its_tools_serve(agents: Agents, shop: HttpShop) -> None:
    run = await agents.run(agents.target(ASKS, mcp_servers=[{"name": "shop", "url": shop.url}]), interactive=True)
    assert shop.connections == 1
    assert run.reply is not None
    assert run.reply.output == "The answer is tea costs 5."
    [call] = run.path.tool_calls
    assert (call.tool, call.args, call.output) == ("shop_price", {"item": "tea"}, "tea costs 5")
    root = run.trace.spans[0]
    assert {span.parent_id for span in run.trace.spans[1:]} == {root.span_id}


@pytest.mark.parametrize("arguments", ['{"item": "air"}', '{"itm": "tea"}'])
async def test_a_call_that_fails_there_ends_nothing(agents: Agents, shop: HttpShop, arguments: str) -> None:
    target = agents.target(f"tool-once:shop_price:{arguments}", mcp_servers=[{"name": "shop", "url": shop.url}])
    run = await agents.run(target, interactive=True)
    assert run.reply is not None
    [call] = run.path.tool_calls
    assert call.error is not None
    assert "price" in call.error


async def test_headers_come_from_the_environment(agents: Agents, shop: HttpShop) -> None:
    server = {"name": "shop", "url": shop.url, "headers_env": {"X-Shop-Key": "SHOP_KEY"}}
    target = agents.target(ASKS, mcp_servers=[server])
    await agents.run(target, interactive=True, environ={"SHOP_KEY": "s3cret"})
    assert shop.headers["x-shop-key"] == "s3cret"
    run = await agents.run(target, interactive=True)
    assert run.failure is not None
    assert "SHOP_KEY" in run.failure.message


@pytest.mark.parametrize("item", ["tea", "air"])
async def test_a_secret_that_a_server_repeats_is_masked_before_the_model_sees_it(
    model_server: ModelServer, agents: Agents, shop: HttpShop, item: str
) -> None:
    server = {"name": "shop", "url": shop.url, "headers_env": {"X-Shop-Key": "SHOP_KEY"}}
    target = agents.target(f'tool-once:shop_echo:{{"item": "{item}"}}', mcp_servers=[server])
    run = await agents.run(target, interactive=True, environ={"SHOP_KEY": SHOP_KEY})
    assert shop.headers["x-shop-key"] == SHOP_KEY
    assert run.reply is not None
    [call] = run.path.tool_calls
    assert "[SHOP_KEY]" in str((call.output, call.error))
    assert SHOP_KEY not in run.trace.model_dump_json() + run.reply.model_dump_json()
    assert all(SHOP_KEY not in str(request.body) for request in model_server.requests)


async def test_an_unreachable_server_is_named(agents: Agents) -> None:
    target = agents.target("echo", mcp_servers=[{"name": "shop", "url": "http://127.0.0.1:1/mcp"}])
    run = await agents.run(target, interactive=True)
    assert run.failure is not None
    assert run.failure.type == "mcp"
    assert "'shop'" in run.failure.message


def program(agents: Agents, starts: Path) -> Target:
    server = {"name": "shop", "command": sys.executable, "args": [str(PROGRAM), str(starts)], "env": ["SHOP_PRICE"]}
    return agents.target(ASKS, mcp_servers=[server])


async def test_a_command_starts_once_and_only_in_interactive_use(agents: Agents, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    target = program(agents, starts)
    environ = {"SHOP_PRICE": "7"}
    await agents.run(target, allow_code=True, environ=environ)
    assert not starts.exists()
    run = await agents.run(target, interactive=True, allow_code=True, environ=environ)
    assert run.reply is not None
    assert run.reply.output == "The answer is tea costs 7."
    assert starts.read_text() == "started\n"


async def test_a_command_is_code_and_needs_leave(agents: Agents, tmp_path: Path) -> None:
    run = await agents.run(program(agents, tmp_path / "starts"), interactive=True)
    assert run.failure is not None
    assert run.failure.type == "not_permitted"
    assert not (tmp_path / "starts").exists()
