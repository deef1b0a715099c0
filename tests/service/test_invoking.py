"""Invoking is the very engine of runs, with MCP servers, and keeps what was paid."""

import asyncio
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aloi.core.errors import Conflict, NotPermitted
from aloi.core.execution import Execution, ExecutionFilter, Invoke, SpanEnded
from aloi.core.run import RunRequest
from aloi.core.spec import JsonObject
from aloi.core.target import Target
from aloi.plugins import build
from aloi.service import invoking, runs, targets
from aloi.service.context import Context
from aloi.settings import Settings
from aloi.store import execution_pages, executions, usage
from aloi.targets.python import Python
from tests.llm.mcp_shop import serve_shop
from tests.model_server import Answer, ChatRequestBody, ModelServer, ToolCall, Wire
from tests.service.started_runs import finished, results_of, save

SECRET = "pl4nted-secret"
ASKS = 'tool-once:shop_price:{"item": "tea"}'


async def invoked(context: Context, definition: JsonObject, given: str = "Hi") -> Execution:
    """The execution of a new version of the target `bot`."""
    await targets.save(context, "bot", build("targets", definition, Target))
    version = await targets.version(context, "bot")
    return await invoking.carry_out(await invoking.prepare(context, version.target_id, Invoke(input=given)))


def agent(models: ModelServer, model: str = "echo", **fields: Any) -> JsonObject:
    return {"kind": "agent", "model": f"openai:{model}", "base_url": models.url, **fields}


async def run_of(context: Context) -> Any:
    """A finished run of the target `bot` on one case."""
    await save(context, [{"key": "a", "prompt": "What is 17 * 23?"}])
    version = await targets.version(context, "bot")
    return await finished(context, await runs.start(context, RunRequest(target_version_id=version.id, dataset="data")))


async def test_a_run_and_an_invocation_ask_the_model_the_same_and_get_the_same(
    context: Context, model_server: ModelServer
) -> None:
    settings: JsonObject = {"temperature": 0.5, "max_tokens": 100}
    model = 'tool-once:calculator:{"expression": "17 * 23"}'
    definition = agent(model_server, model, instructions="Be exact.", settings=settings, tools=["calculator"])
    by_hand = await invoked(context, definition, "What is 17 * 23?")
    asked_by_hand = [request.body for request in model_server.requests]
    model_server.requests.clear()
    model_server.stats.reset()  # which numbers the calls of tools
    run = await run_of(context)
    in_run = (await results_of(context, run))["a"].outcome
    assert [request.body for request in model_server.requests] == asked_by_hand
    assert len(asked_by_hand) == 2
    assert asked_by_hand[0]["temperature"] == 0.5
    assert by_hand.outcome.output == in_run.output == "The answer is 391."
    assert by_hand.outcome.usage == in_run.usage
    assert run.skipped == ()


async def test_mcp_servers_serve_an_invocation_and_a_run_names_them_as_skipped(
    context: Context, model_server: ModelServer
) -> None:
    async with serve_shop() as shop:
        servers = [{"name": "shop", "url": shop.url}]
        execution = await invoked(context, agent(model_server, ASKS, mcp_servers=servers))
        assert execution.outcome.output == "The answer is tea costs 5."
        before = shop.connections
        run = await run_of(context)
        assert (run.skipped, shop.connections) == (("shop",), before)


async def test_what_an_mcp_server_repeats_is_masked(tmp_path: Path, model_server: ModelServer) -> None:
    context = await Context.open(Settings(home=tmp_path), {"SHOP_PRICE": SECRET})
    try:
        program = Path(__file__).parents[1] / "llm" / "mcp_shop.py"
        import_path = {"name": "shop", "command": sys.executable, "args": [str(program), str(tmp_path / "starts")]}
        servers = [{**import_path, "env": ["SHOP_PRICE"]}]
        execution = await invoked(context, agent(model_server, ASKS, mcp_servers=servers))
    finally:
        await context.close()
    assert execution.outcome.output == "The answer is tea costs [SHOP_PRICE]."
    assert all(SECRET not in str(request.body) for request in model_server.requests)
    assert SECRET not in execution.model_dump_json()


async def test_spans_are_shown_masked_as_they_end(tmp_path: Path, model_server: ModelServer) -> None:
    context = await Context.open(Settings(home=tmp_path), {"SOME_API_KEY": SECRET})
    model_server.reply = unauthorised
    try:
        await targets.save_definition(context, "bot", agent(model_server, api_key_env="SOME_API_KEY"))
        prepared = await invoking.prepare(context, "bot", Invoke(input="Hi"))
        found = [event async for event in invoking.events(prepared)]
    finally:
        await context.close()
    assert [type(event) for event in found] == [SpanEnded, SpanEnded, Execution]
    assert all("[SOME_API_KEY]" in event.model_dump_json() for event in found if isinstance(event, SpanEnded))
    assert SECRET not in str(found)


def unauthorised(_: object) -> Wire:
    return Wire((json.dumps({"error": {"message": f"Wrong key: {SECRET}"}}).encode(),), status=401)


def tells(given: Any) -> str:
    return f"You said {given}"


async def test_a_changed_module_is_refused_before_it_is_called(context: Context) -> None:
    definition: JsonObject = {"kind": "python", "function": "tests.targets.functions:shout"}
    version = await targets.save_definition(context, "bot", definition)
    changed = version.model_copy(update={"fingerprint": {"source_sha256": "0" * 64}})
    with pytest.raises(Conflict, match="bot@1 is not what it was: source_sha256 changed"):
        targets.check_unchanged(changed, build("targets", definition, Target))


async def test_a_callable_can_be_invoked_where_it_lives(context: Context) -> None:
    await targets.save(context, "bot", Python.of(tells))
    execution = await invoking.carry_out(await invoking.prepare(context, "bot", Invoke(input="Hi")))
    assert execution.outcome.output == "You said Hi"


async def test_code_needs_leave(context: Context) -> None:
    await targets.save_definition(context, "bot", {"kind": "python", "function": "tests.targets.functions:shout"})
    strict = replace(context, settings=context.settings.model_copy(update={"allow_code": False}))
    with pytest.raises(NotPermitted, match="ALOI_ALLOW_CODE"):
        await invoking.prepare(strict, "bot", Invoke(input="Hi"))


async def test_what_was_used_until_a_cancel_is_kept(context: Context, model_server: ModelServer) -> None:
    async def reply(request: ChatRequestBody) -> Answer:
        if request.tool_results:
            await asyncio.sleep(60)
        return Answer(tool_calls=(ToolCall("calculator", '{"expression": "1 + 1"}'),))

    model_server.reply = reply
    task = asyncio.create_task(invoked(context, agent(model_server, tools=["calculator"])))
    async with asyncio.timeout(5):
        await model_server.until(lambda stats: stats.requests == 2)
        task.cancel()
        await asyncio.wait([task])
    assert task.cancelled()
    async with context.database.read() as rx:
        [entry] = (await execution_pages.page(rx, 1, 20, ExecutionFilter())).items
        [used] = await usage.by_day(rx, entry.created_at.date(), entry.created_at.date())
        kept = await executions.get(rx, entry.id)
    assert entry.failure == invoking.LEFT
    # The second request never ended, so its tokens are not known.
    assert (used.side, used.model, used.usage.calls) == ("target", "openai:echo", 2)
    assert (used.usage.input_tokens or 0) > 0
    assert kept.outcome.trace is not None
    assert {span.name for span in kept.outcome.trace.spans} >= {"chat echo", "execute_tool calculator"}


async def test_each_invocation_of_an_agent_has_a_fresh_folder_that_is_removed(
    context: Context, model_server: ModelServer
) -> None:
    seen: list[str] = []
    given = context.target_context

    def watched(*args: Any, **options: Any) -> Any:
        made = given(*args, **options)
        seen.append(made.tools.workspace)
        assert Path(made.tools.workspace).is_dir()
        return made

    context.target_context = watched
    definition = agent(model_server, tools=["file_ops"])
    await invoked(context, definition)
    await invoked(context, definition)
    assert len(set(seen)) == 2
    assert not any(Path(folder).exists() for folder in seen)
