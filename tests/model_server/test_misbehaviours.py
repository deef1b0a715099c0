"""Each misbehaviour, seen by a client over the wire."""

import asyncio
import json

import aiohttp
import pytest

from tests.model_server import ModelServer
from tests.model_server.client import STRUCTURED, TOOL, Chat


async def test_no_structured_refuses_a_response_format_but_takes_tools(chat: Chat) -> None:
    async with chat.post("no-structured", **STRUCTURED) as response:
        assert response.status == 400
        assert "response_format is not supported" in (await response.json())["error"]["message"]
    [call] = (await chat.message("no-structured", tools=[TOOL], tool_choice="required"))["tool_calls"]
    assert json.loads(call["function"]["arguments"]) == {"passed": True}


async def test_status_may_say_when_to_retry(chat: Chat) -> None:
    async with chat.post("status:429") as response:
        assert (response.status, response.headers.get("Retry-After")) == (429, None)
    async with chat.post("status:503:retry-after=1", stream=True) as response:
        assert (response.status, response.headers.get("Retry-After")) == (503, "1")
        assert (await response.json())["error"]["type"] == "server_error"


async def test_flaky_fails_each_prompt_so_often_and_then_answers(chat: Chat) -> None:
    other = [{"role": "user", "content": "Another prompt"}]
    assert [await chat.status("flaky:503x2") for _ in range(4)] == [503, 503, 200, 200]
    assert [await chat.status("flaky:503x2", messages=other) for _ in range(3)] == [503, 503, 200]


async def test_limit_rejects_what_is_too_much_at_once(model_server: ModelServer, chat: Chat) -> None:
    model_server.latency = 60
    admitted = [asyncio.create_task(chat.status("limit:2")) for _ in range(2)]
    await asyncio.wait_for(model_server.until(lambda stats: stats.in_flight == 2), 5)
    async with chat.post("limit:2") as response:
        assert (response.status, response.headers["Retry-After"]) == (429, "1")
    for call in admitted:
        call.cancel()
    await asyncio.wait_for(model_server.until(lambda stats: stats.in_flight == 0), 5)
    model_server.latency = 0
    assert await chat.status("limit:2") == 200


async def test_refusal(chat: Chat) -> None:
    message = await chat.message("refusal")
    assert message["content"] is None
    assert message["refusal"]


async def test_empty_choices(chat: Chat) -> None:
    assert (await chat.ask("empty-choices"))["choices"] == []
    assert [chunk["choices"] for chunk in await chat.chunks("empty-choices")] == [[]]


@pytest.mark.parametrize("stream", [False, True])
async def test_bodies_that_cannot_be_read(chat: Chat, stream: bool) -> None:
    async with chat.post("malformed", stream=stream) as response:
        text = (await response.text()).removeprefix("data: ")
        with pytest.raises(json.JSONDecodeError):
            json.loads(text)
    async with chat.post("not-utf8", stream=stream) as response:
        body = await response.read()
        with pytest.raises(UnicodeDecodeError):
            body.decode()
    async with chat.post("close", stream=stream) as response:
        with pytest.raises(aiohttp.ClientPayloadError):
            await response.read()


async def test_hang_ends_when_the_client_leaves(model_server: ModelServer, chat: Chat) -> None:
    call = asyncio.create_task(chat.status("hang"))
    await asyncio.wait_for(model_server.until(lambda stats: stats.in_flight == 1), 5)
    call.cancel()
    await asyncio.wait_for(model_server.until(lambda stats: stats.in_flight == 0), 5)


async def test_hang_ends_when_the_server_stops(chat: Chat) -> None:
    async with ModelServer() as server:
        call = asyncio.create_task(Chat(chat.session, server.url).status("hang"))
        await asyncio.wait_for(server.until(lambda stats: stats.in_flight == 1), 5)
    with pytest.raises(aiohttp.ClientError):
        await asyncio.wait_for(call, 5)


async def test_names_and_bodies_that_mean_nothing_are_client_errors(chat: Chat) -> None:
    assert await chat.status("gpt-9") == 404
    assert await chat.status("judge-score:high") == 400
    for body in ("not json", "[1]", "3"):
        async with chat.session.post(f"{chat.url}/chat/completions", data=body) as response:
            assert response.status == 400
