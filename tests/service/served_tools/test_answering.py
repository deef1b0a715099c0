"""Calls of served tools are answered; through the whole path: tests/api/test_served_tools.py."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from aloi.core.chat import ModelSpec
from aloi.core.errors import NotFound
from aloi.core.served import ServedSession, ServedTool, served_spans
from aloi.core.simulation import Simulations
from aloi.core.spec import JsonObject
from aloi.core.target import Target
from aloi.core.trace import MISFIT
from aloi.plugins import build
from aloi.service import usage
from aloi.service.accounts.tokens import digest
from aloi.service.clock import new_id
from aloi.service.context import Context
from aloi.service.served_tools import answering
from aloi.service.served_tools.serving import StoreServing
from aloi.settings import Settings
from aloi.store import served
from tests.model_server import ChatRequestBody, ModelServer

READ = TypeAdapter[Simulations](Simulations)
OBJECT: JsonObject = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}
GENERATED = {"kind": "generated", "description": "A number."}


def fixed(*outputs: Any) -> dict[str, Any]:
    return {"kind": "static", "answers": [{"output": output} for output in outputs]}


def tool(simulation: dict[str, Any], **fields: Any) -> ServedTool:
    given = {"name": "a", "input_schema": {"type": "object"}, "simulation": simulation, **fields}
    return ServedTool.model_validate(given)


@asynccontextmanager
async def serving(context: Context, one: ServedTool, writer: ModelSpec | None = None) -> AsyncGenerator[str]:
    """The token of a session that serves one tool."""
    context.address = "http://localhost:1"
    target = build("targets", {"kind": "http", "url": "http://localhost/"}, Target)
    async with StoreServing(context, target, new_id(), writer).session((one,), 10) as session:
        yield session.url.rpartition("/")[2]


async def asked(context: Context, token: str, arguments: Any = None) -> Any:
    session = await answering.session(context, token)
    call = await answering.answer(context, token, session, session.tools[0], arguments or {})
    return call.output if call.error is None else call.error


@pytest.mark.parametrize(
    ("schema", "simulation", "announced"),
    [
        (OBJECT, fixed({"n": 1}, {"n": 2}), True),
        (OBJECT, fixed({"n": 1}, {"n": "two"}), False),  # a client would refuse what is meant to be wrong
        (OBJECT, fixed("broken"), False),
        (OBJECT, GENERATED, True),
        ({"type": "number"}, GENERATED, False),  # MCP knows objects alone
        (None, GENERATED, False),
        ({"type": "object", "$ref": "#/nowhere"}, fixed({"n": 1}), False),
    ],
)
async def test_an_output_schema_is_announced_where_every_answer_fits(
    schema: Any, simulation: dict[str, Any], announced: bool
) -> None:
    found = await answering.announced_schema(tool(simulation, output_schema=schema))
    assert found == (schema if announced else None)


async def test_a_fixed_answer_that_the_tool_would_never_give_is_told_and_given(context: Context) -> None:
    async with serving(context, tool(fixed({"n": 1}, "broken"), output_schema=OBJECT)) as token:
        assert [await asked(context, token) for _ in range(3)] == [{"n": 1}, "broken", "broken"]
        async with context.database.read() as rx:
            calls = await served.calls(rx, digest(token))
    spans = served_spans(calls, None)
    assert [span.attributes.get(MISFIT) for span in spans] == [None, *["$: 'broken' is not of type 'object'"] * 2]


async def test_a_call_after_the_end_is_refused(context: Context) -> None:
    async with serving(context, tool(fixed(1))) as token:
        session = await answering.session(context, token)
    with pytest.raises(NotFound, match="the invocation that it was for is over"):
        await answering.answer(context, token, session, session.tools[0], {})
    with pytest.raises(NotFound):
        await answering.session(context, token)


async def test_lone_surrogates_in_arguments_are_stored(context: Context) -> None:
    async with serving(context, tool(fixed(1))) as token:
        assert await asked(context, token, {"x": "\ud800"}) == 1
        async with context.database.read() as rx:
            assert (await served.calls(rx, digest(token)))[0].arguments == {"x": "\ufffd"}


async def test_an_answer_that_nobody_can_write(context: Context) -> None:
    async with serving(context, tool(GENERATED)) as token:
        assert "no model is set; set ALOI_JUDGE_MODEL" in await asked(context, token)
        async with context.database.read() as rx:
            (call,) = await served.calls(rx, digest(token))
    assert call.broken and call.provenance == "generated"


async def test_what_an_answer_used_counts_though_it_comes_too_late(context: Context, model_server: ModelServer) -> None:
    asked_for, is_over = asyncio.Event(), asyncio.Event()

    async def reply(_: ChatRequestBody) -> str:
        asked_for.set()
        await is_over.wait()
        return '{"n": 1}'

    model_server.reply = reply
    writer = ModelSpec(model="openai:any", base_url=model_server.url)
    async with serving(context, tool(GENERATED, output_schema=OBJECT), writer) as token:
        call = asyncio.create_task(asked(context, token))
        await asked_for.wait()
    is_over.set()
    with pytest.raises(NotFound, match="is over"):
        await call
    assert (await usage.report(context)).judge.calls == 1


async def test_arguments_that_cannot_be_checked_end_nothing(context: Context) -> None:
    async with serving(context, tool(fixed(1), input_schema={"type": "object", "$ref": "#/nowhere"})) as token:
        assert "the arguments do not fit" in await asked(context, token)


async def test_servers_that_write_at_once_give_one_answer(tmp_path: Path, model_server: ModelServer) -> None:
    """Both may have it written; the one that is stored first is given by both, and by all who ask later."""
    numbers = iter(range(1, 10))

    def reply(_: ChatRequestBody) -> str:
        return f'{{"n": {next(numbers)}}}'

    model_server.reply = reply
    writer = ModelSpec(model="openai:any", base_url=model_server.url)
    one, other = [await Context.open(Settings(home=tmp_path), {}) for _ in range(2)]
    try:
        async with serving(one, tool(GENERATED, output_schema=OBJECT), writer) as token:
            session: ServedSession = await answering.session(one, token)
            call = answering.Call("a", "A number.", {}, "", OBJECT)
            answers = await asyncio.gather(
                *[answering.generated_answer(context, session, call, []) for context in (one, other, one, other)]
            )
            assert len({str(answer) for answer in answers}) == 1
            assert len(model_server.requests) <= 2  # a server writes it once, however often it is asked
            assert await answering.generated_answer(other, session, call, []) == answers[0]
    finally:
        await one.close()
        await other.close()
