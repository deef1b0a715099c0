"""The thin door against a model server that misbehaves."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from aloi.core.chat import ChatMessage, ChatReply, ChatRequest, ModelSpec
from aloi.core.errors import InvalidInput, StageFailure
from aloi.llm.models import Models
from aloi.llm.openai import endpoint_of, find_key
from tests.llm.raw_server import http_answer, raw_server
from tests.llm.waits import Waits
from tests.model_server import ChatRequestBody, ModelServer

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"passed": {"type": "boolean"}},
    "required": ["passed"],
    "additionalProperties": False,
}


def spec(name: str, url: str, **more: Any) -> ModelSpec:
    return ModelSpec(model=f"openai:{name}", base_url=url, **more)


def asking(text: str = "What is two and two?", schema: dict[str, Any] | None = None) -> ChatRequest:
    return ChatRequest(messages=(ChatMessage(role="user", content=text),), output_schema=schema)


def saying(text: str) -> Callable[[ChatRequestBody], str]:
    def reply(_: ChatRequestBody) -> str:
        return text

    return reply


async def ask(models: Models, server: ModelServer, name: str, text: str = "Hi there") -> ChatReply:
    return await models.chat(spec(name, server.url)).complete(asking(text))


async def refused(models: Models, server: ModelServer, name: str) -> StageFailure:
    with pytest.raises(StageFailure) as caught:
        await ask(models, server, name)
    assert caught.value.stage == "invoke"
    return caught.value


async def test_an_answer_with_its_usage(models: Models, model_server: ModelServer) -> None:
    reply = await ask(models, model_server, "echo")
    assert (reply.text, reply.refusal, reply.finish_reason, reply.model) == ("Hi there", None, "stop", "echo")
    assert (reply.usage.calls, reply.usage.input_tokens, reply.usage.output_tokens) == (1, 2, 2)
    assert (reply.usage.cost, reply.usage.unpriced) == (None, 1)


async def test_a_known_model_has_a_price(models: Models, model_server: ModelServer) -> None:
    model_server.reply = saying("four words of answer")
    reply = await ask(models, model_server, "gpt-4o-mini")
    assert reply.usage.cost == pytest.approx(2 * 0.15e-6 + 4 * 0.6e-6)
    assert reply.usage.unpriced == 0


async def test_usage_that_is_not_told_is_null(models: Models, model_server: ModelServer) -> None:
    usage = (await ask(models, model_server, "no-usage")).usage
    assert (usage.calls, usage.input_tokens, usage.output_tokens, usage.cost) == (1, None, None, None)


async def test_settings_reach_the_endpoint(models: Models, model_server: ModelServer) -> None:
    await models.chat(spec("echo", model_server.url, settings={"max_tokens": 7})).complete(asking())
    assert model_server.requests[0].body["max_tokens"] == 7


async def test_no_choice_and_null_content_are_null(models: Models, model_server: ModelServer) -> None:
    assert (await ask(models, model_server, "empty-choices")).text is None
    assert (await ask(models, model_server, "null-content")).text is None


async def test_a_refusal_is_told(models: Models, model_server: ModelServer) -> None:
    reply = await ask(models, model_server, "refusal")
    assert (reply.text, reply.refusal) == (None, "I cannot help with that.")


async def test_texts_that_are_hard_to_store(models: Models, model_server: ModelServer) -> None:
    assert (await ask(models, model_server, "surrogate")).text == "Half a pair: \ufffd."
    assert (await ask(models, model_server, "nul")).text == "Before\0after."
    assert (await ask(models, model_server, "huge:10000000")).text == "x" * 10_000_000


async def test_a_lone_surrogate_is_sent(models: Models, model_server: ModelServer) -> None:
    assert (await ask(models, model_server, "echo", "half \udc00")).text == "half \ufffd"
    assert model_server.requests[0].body["messages"][0]["content"] == "half \udc00"


@pytest.mark.parametrize("name", ["malformed", "not-utf8"])
async def test_a_body_that_cannot_be_read(models: Models, model_server: ModelServer, name: str) -> None:
    failure = await refused(models, model_server, name)
    assert failure.type == "bad_reply"
    assert f"openai:{name}" in failure.message


async def test_too_many_requests_then_an_answer(models: Models, model_server: ModelServer, waits: Waits) -> None:
    assert (await ask(models, model_server, "flaky:429x2:retry-after=1")).text == "Hi there"
    assert waits.slept == [1.0, 1.0]


async def test_too_many_requests_without_end(models: Models, model_server: ModelServer, waits: Waits) -> None:
    failure = await refused(models, model_server, "status:429")
    assert failure.type == "rate_limited"
    assert "tried 5 times" in failure.message
    assert model_server.stats.requests == 5
    assert sum(waits.slept) <= 7.5


async def test_come_back_tomorrow(models: Models, model_server: ModelServer, waits: Waits) -> None:
    failure = await refused(models, model_server, "status:429:retry-after=86400")
    assert failure.type == "rate_limited"
    assert "86400 s" in failure.message
    assert (model_server.stats.requests, waits.slept) == (1, [])


async def test_an_empty_account_is_not_waited_for(models: Models) -> None:
    answer = http_answer(b'{"error": {"message": "No money", "code": "insufficient_quota"}}', "429 Too Many Requests")
    async with raw_server(answer) as server:
        with pytest.raises(StageFailure, match="No money") as caught:
            await models.chat(spec("m", server.url)).complete(asking())
        assert (caught.value.type, len(server.requests)) == ("rate_limited", 1)


@pytest.mark.parametrize("code", [500, 502, 503, 504])
async def test_a_server_that_stumbles_twice(models: Models, model_server: ModelServer, code: int) -> None:
    assert (await ask(models, model_server, f"flaky:{code}x2")).text == "Hi there"
    assert model_server.stats.requests == 3


@pytest.mark.parametrize("code", [400, 401, 403, 404, 422])
async def test_an_error_that_stays_is_told_at_once(models: Models, model_server: ModelServer, code: int) -> None:
    failure = await refused(models, model_server, f"status:{code}")
    assert failure.type == "http_status"
    assert str(code) in failure.message
    assert "Scripted status" in failure.message
    assert model_server.stats.requests == 1


async def test_a_dropped_connection_is_tried_again(models: Models, model_server: ModelServer) -> None:
    failure = await refused(models, model_server, "close")
    assert failure.type == "connection"
    assert model_server.stats.requests == 5


async def test_a_hang_ends_with_the_callers_deadline(models: Models, model_server: ModelServer) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await ask(models, model_server, "hang")
    assert models.limiter(model_server.url).in_flight == 0
    assert (await ask(models, model_server, "echo")).text == "Hi there"


async def test_structured_output_is_native_first(models: Models, model_server: ModelServer) -> None:
    reply = await models.chat(spec("judge-pass", model_server.url)).complete(asking(schema=SCHEMA))
    assert json.loads(reply.text or "") == {"passed": True}
    assert model_server.requests[0].body["response_format"]["json_schema"]["strict"] is True
    assert "tools" not in model_server.requests[0].body


async def test_a_forced_tool_is_the_fallback_and_is_found_once(models: Models, model_server: ModelServer) -> None:
    model = models.chat(spec("no-structured", model_server.url))
    for _ in range(3):
        reply = await model.complete(asking(schema=SCHEMA))
        assert json.loads(reply.text or "") == {"passed": True}
    tried = ["response_format" in request.body for request in model_server.requests]
    assert tried == [True, False, False, False]
    other = models.chat(spec("no-structured", model_server.url, settings={"seed": 1}))
    await other.complete(asking(schema=SCHEMA))
    assert model_server.stats.requests == 5


async def test_another_error_is_no_reason_for_the_fallback(models: Models, model_server: ModelServer) -> None:
    with pytest.raises(StageFailure, match="status 400"):
        await models.chat(spec("status:400", model_server.url)).complete(asking(schema=SCHEMA))
    assert model_server.stats.requests == 1


async def test_the_key_is_sent_where_it_is_named(models: Models, model_server: ModelServer) -> None:
    await models.chat(spec("echo", model_server.url, api_key_env="SOME_KEY")).complete(asking())
    assert model_server.requests[0].headers["Authorization"] == "Bearer s3cret-value"


async def test_no_key_is_sent_to_another_address(model_server: ModelServer) -> None:
    models = Models({"OPENAI_API_KEY": "not-for-others"})
    await models.chat(spec("echo", model_server.url)).complete(asking())
    assert "Authorization" not in model_server.requests[0].headers
    await models.close()


@pytest.mark.parametrize(("more", "name"), [({"api_key_env": "NO_SUCH"}, "NO_SUCH"), ({}, "OPENAI_API_KEY")])
async def test_a_missing_key_is_named(models: Models, more: dict[str, Any], name: str) -> None:
    with pytest.raises(StageFailure, match=name) as caught:
        await models.chat(ModelSpec(model="openai:gpt-4o-mini", **more)).complete(asking())
    assert caught.value.type == "no_key"


async def test_the_key_never_shows(models: Models) -> None:
    answer = http_answer(b'{"error": {"message": "Wrong key: s3cret-value"}}', "401 Unauthorized")
    async with raw_server(answer) as server:
        with pytest.raises(StageFailure) as caught:
            await models.chat(spec("m", server.url, api_key_env="SOME_KEY")).complete(asking())
    assert "s3cret" not in caught.value.message
    assert "SOME_KEY" in caught.value.message


async def test_the_key_never_shows_in_a_reply(models: Models, model_server: ModelServer) -> None:
    model = models.chat(spec("echo", model_server.url, api_key_env="SOME_KEY"))
    assert (await model.complete(asking("it is s3cret-value."))).text == "it is [SOME_KEY]."
    message = {"content": None, "refusal": "not with s3cret-value"}
    async with raw_server(http_answer(json.dumps({"choices": [{"message": message}]}).encode())) as server:
        reply = await models.chat(spec("m", server.url, api_key_env="SOME_KEY")).complete(asking())
    assert reply.refusal == "not with [SOME_KEY]"


@pytest.mark.parametrize("status", ["200 OK", "400 Bad Request"])
@pytest.mark.parametrize("before", [0, 95, 295])
async def test_an_error_is_not_cut_within_the_key(models: Models, status: str, before: int) -> None:
    async with raw_server(http_answer(b"x" * before + b"s3cret-value", status)) as server:
        with pytest.raises(StageFailure) as caught:
            await models.chat(spec("m", server.url, api_key_env="SOME_KEY")).complete(asking())
    assert "s3cr" not in caught.value.message


async def test_a_short_key_is_left_in_a_reply(model_server: ModelServer) -> None:
    models = Models({"SHORT": "none"})
    reply = await models.chat(spec("echo", model_server.url, api_key_env="SHORT")).complete(asking("none at all"))
    assert reply.text == "none at all"
    await models.close()


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"])
def test_a_key_that_cannot_be_sent(name: str) -> None:
    model = ModelSpec(model=f"{name.partition('_')[0].lower()}:m")
    with pytest.raises(StageFailure, match=f"the key in {name} holds a line break") as caught:
        find_key(model, {name: "s3cret\nvalue"})
    assert caught.value.type == "bad_key"
    assert "s3cret" not in caught.value.message


async def test_the_pace_falls_and_recovers(models: Models, model_server: ModelServer) -> None:
    """At most 4 are taken at once: 60 that ask together all get through, and the limit has come down for it."""
    model_server.latency = 0.005
    model = models.chat(spec("limit:4", model_server.url))
    replies = await asyncio.gather(*(model.complete(asking(str(number))) for number in range(60)))
    assert [reply.text for reply in replies] == [str(number) for number in range(60)]
    lowered = models.limiter(model_server.url).limit
    assert lowered <= 16
    easy = models.chat(spec("echo", model_server.url))
    for number in range(40):
        await asyncio.gather(*(easy.complete(asking(f"{number}")) for _ in range(8)))
    assert models.limiter(model_server.url).limit > lowered


async def test_models_of_one_endpoint_share_the_pace(waits: Waits, model_server: ModelServer) -> None:
    models = Models({}, ceiling=3)
    model_server.latency = 0.01
    names = ("echo", "fixed:yes")
    chats = [models.chat(spec(name, url)) for name in names for url in (model_server.url, model_server.url + "/")]
    await asyncio.gather(*(chat.complete(asking()) for chat in chats * 5))
    assert model_server.stats.max_in_flight == 3
    await models.close()


async def test_one_connection_serves_all_models_in_turn(models: Models) -> None:
    answer = http_answer(json.dumps({"choices": [{"message": {"content": "Yes"}}]}).encode())
    async with raw_server(answer) as server:
        for name in ("a", "b", "a"):
            await models.chat(spec(name, server.url)).complete(asking())
        assert (server.connections, len(server.requests)) == (1, 3)


@pytest.mark.parametrize("url", ["localhost:8080", "ftp://example.org", "http://", "http://[", ""])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(InvalidInput, match="base_url"):
        endpoint_of(ModelSpec(model="openai:m", base_url=url))


async def test_a_tool_that_answers_in_text(models: Models, model_server: ModelServer) -> None:
    """An endpoint that takes the tools but does not call them: its text is the reply, for the caller to judge."""
    model_server.reply = saying('{"passed": false}')
    reply = await models.chat(spec("any", model_server.url)).complete(asking(schema=SCHEMA))
    assert reply.text == '{"passed": false}'
