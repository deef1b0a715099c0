"""The protocol, the counts and the ways to run the server."""

import asyncio
import time

import aiohttp
import pytest

from tests.model_server import Answer, ChatRequestBody, ModelServer, ModelServerProcess
from tests.model_server.client import QUESTION, Chat


async def test_a_completion_has_every_field_of_the_protocol(chat: Chat) -> None:
    answer = await chat.ask("echo", [{"role": "system", "content": "Be brief."}, QUESTION])
    assert answer.pop("created") > 0
    assert answer == {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "echo",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": QUESTION["content"]},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12},
    }


@pytest.mark.parametrize(
    ("model", "content"),
    [
        ("fixed:Four: 4", "Four: 4"),
        ("raw:Four", "Four"),
        ("slow:0.01", QUESTION["content"]),
        ("null-content", None),
        ("surrogate", "Half a pair: \ud800."),
        ("nul", "Before\0after."),
        ("huge:100000", "x" * 100000),
    ],
)
async def test_contents(chat: Chat, model: str, content: str | None) -> None:
    assert await chat.content(model) == content


async def test_content_parts_are_read_as_text(chat: Chat) -> None:
    parts = [{"type": "text", "text": "Two "}, {"type": "text", "text": "parts"}]
    assert await chat.content("echo", [{"role": "user", "content": parts}]) == "Two parts"


async def test_a_stream_says_the_same_in_pieces(chat: Chat) -> None:
    chunks = await chat.chunks("echo", stream_options={"include_usage": True})
    pieces = [choice["delta"].get("content", "") for chunk in chunks for choice in chunk["choices"]]
    assert "".join(pieces) == QUESTION["content"]
    assert len([piece for piece in pieces if piece]) == 5
    assert chunks[-2]["choices"][0]["finish_reason"] == "stop"
    assert chunks[-1]["usage"]["total_tokens"] == 10
    assert chunks[-1]["choices"] == []


async def test_a_tool_call_streams(chat: Chat) -> None:
    chunks = await chat.chunks('tool-once:add:{"a": 2}')
    [call] = chunks[1]["choices"][0]["delta"]["tool_calls"]
    assert call["index"] == 0
    assert call["function"] == {"name": "add", "arguments": '{"a": 2}'}
    assert chunks[-1]["choices"][0]["finish_reason"] == "tool_calls"


async def test_a_reply_hook_replaces_the_script(model_server: ModelServer, chat: Chat) -> None:
    def shout(request: ChatRequestBody) -> str:
        return request.prompt.upper()

    async def cut(_: ChatRequestBody) -> Answer:
        return Answer("Half", finish_reason="length")

    model_server.reply = shout
    assert await chat.content("any") == "WHAT IS TWO AND TWO?"
    model_server.reply = cut
    assert (await chat.ask("any"))["choices"][0]["finish_reason"] == "length"


async def test_requests_are_counted_and_recorded(model_server: ModelServer, chat: Chat) -> None:
    async def when_all_are_here(_: ChatRequestBody) -> str:
        await model_server.until(lambda stats: stats.max_in_flight == 4)
        return "Together."

    before = time.time()
    model_server.reply = when_all_are_here
    await asyncio.gather(*(chat.ask("echo") for _ in range(3)), chat.ask("fixed:x"))
    async with chat.session.get(f"{model_server.root}/stats") as response:
        counted = await response.json()
        assert before <= counted.pop("first_at") <= time.time()
        assert counted == {
            "requests": 4,
            "in_flight": 0,
            "max_in_flight": 4,
            "models": {"echo": 3, "fixed:x": 1},
            "prompts": {QUESTION["content"]: 4},
        }
    assert len(model_server.requests) == 4
    first = model_server.requests[0]
    assert (first.path, first.body["messages"]) == ("/v1/chat/completions", [QUESTION])
    assert first.headers["content-type"] == "application/json"
    async with chat.session.post(f"{model_server.root}/reset") as response:
        counted = await response.json()
        assert (counted["requests"], counted["first_at"]) == (0, None)
    assert model_server.requests == []


async def test_plain_http_endpoints(model_server: ModelServer, chat: Chat) -> None:
    async with chat.session.post(f"{model_server.root}/echo", json={"a": 1}, headers={"X-Key": "k"}) as response:
        answer = await response.json()
    assert answer["echo"] == {"a": 1}
    assert answer["headers"]["X-Key"] == "k"
    assert model_server.stats.models["/echo"] == 1
    async with chat.session.post(f"{model_server.root}/echo", data="plain") as response:
        assert (await response.json())["echo"] == "plain"
    async with chat.session.get(f"{model_server.root}/status/418") as response:
        assert response.status == 418
    async with chat.session.get(f"{model_server.url}/models") as response:
        assert "echo" in [model["id"] for model in (await response.json())["data"]]


@pytest.mark.parametrize("model_server_process", [("--latency", "0.01")], indirect=True)
async def test_a_server_in_a_process_of_its_own(model_server_process: ModelServerProcess) -> None:
    async with aiohttp.ClientSession() as session:
        chat = Chat(session, model_server_process.url)
        assert await chat.content("fixed:Hello") == "Hello"
        async with session.get(f"{model_server_process.root}/stats") as response:
            assert (await response.json())["requests"] == 1


def test_the_process_ends_with_its_parent(model_server_process: ModelServerProcess) -> None:
    process = model_server_process.process
    assert process.poll() is None
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(10) == 0
