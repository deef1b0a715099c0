"""Models by way of pydantic-ai: the same pace and retries, and the other providers as a `ChatModel`."""

import asyncio
import json
from typing import Any, cast

import pytest
from pydantic_ai import Agent
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ThinkingPart, ToolCallPart
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.settings import ModelSettings

from aloi.core.chat import ChatMessage, ChatRequest, ModelSpec
from aloi.core.errors import InvalidInput, StageFailure
from aloi.llm.engine_chat import EngineChat
from aloi.llm.limits import Limiter
from aloi.llm.models import Models
from aloi.llm.providers import ONE_ATTEMPT, PacedModel
from aloi.llm.retry import Retrier
from tests.llm.raw_server import http_answer, raw_server
from tests.llm.waits import Waits
from tests.model_server import ModelServer

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"passed": {"type": "boolean"}},
    "required": ["passed"],
    "additionalProperties": False,
}


def spec(name: str, server: ModelServer, **more: Any) -> ModelSpec:
    return ModelSpec(model=f"openai:{name}", base_url=server.url, **more)


def agent_model(spec: ModelSpec, models: Models) -> Model:
    return cast(Model, models.agent_model(spec))


async def run(models: Models, server: ModelServer, name: str) -> str:
    return (await Agent(agent_model(spec(name, server), models)).run("Hi there")).output


async def test_an_agent_answers(models: Models, model_server: ModelServer) -> None:
    assert await run(models, model_server, "echo") == "Hi there"


async def test_a_model_is_made_once(models: Models, model_server: ModelServer) -> None:
    assert isinstance(agent_model(spec("echo", model_server), models), Model)
    assert agent_model(spec("echo", model_server), models) is agent_model(spec("echo", model_server), models)


async def test_requests_are_tried_again_by_us_alone(models: Models, model_server: ModelServer, waits: Waits) -> None:
    assert await run(models, model_server, "flaky:429x1:retry-after=3") == "Hi there"
    assert await run(models, model_server, "flaky:503x2") == "Hi there"
    assert model_server.stats.requests == 5
    assert waits.slept[0] == 3.0


async def test_an_end_of_patience(models: Models, model_server: ModelServer) -> None:
    with pytest.raises(StageFailure) as caught:
        await run(models, model_server, "status:429")
    assert caught.value.type == "rate_limited"
    assert model_server.stats.requests == 5


@pytest.mark.parametrize(
    ("name", "kind"),
    [("status:400", "http_status"), ("empty-choices", "no_answer"), ("malformed", "bad_reply")],
)
async def test_what_is_final_is_asked_once(models: Models, model_server: ModelServer, name: str, kind: str) -> None:
    with pytest.raises(StageFailure) as caught:
        await run(models, model_server, name)
    assert caught.value.type == kind
    assert model_server.stats.requests == 1


async def test_agents_and_plain_calls_share_the_pace(model_server: ModelServer) -> None:
    models = Models({}, ceiling=2)
    model_server.latency = 0.01
    chat = models.chat(spec("echo", model_server))
    request = ChatRequest(messages=(ChatMessage(role="user", content="Hi"),))
    await asyncio.gather(
        *(run(models, model_server, "echo") for _ in range(5)), *(chat.complete(request) for _ in range(5))
    )
    assert model_server.stats.max_in_flight == 2
    await models.close()


async def test_the_key_is_the_named_one(models: Models, model_server: ModelServer) -> None:
    await Agent(agent_model(spec("echo", model_server, api_key_env="SOME_KEY"), models)).run("Hi")
    assert model_server.requests[0].headers["Authorization"] == "Bearer s3cret-value"


async def test_the_key_never_shows(models: Models, model_server: ModelServer) -> None:
    keyed = agent_model(spec("echo", model_server, api_key_env="SOME_KEY"), models)
    assert (await Agent(keyed).run("it is s3cret-value.")).output == "it is [SOME_KEY]."
    error = {"error": {"message": f"{'x' * 495} s3cret-value"}}
    async with raw_server(http_answer(json.dumps(error).encode(), "401 Unauthorized")) as server:
        other = ModelSpec(model="openai:m", base_url=server.url, api_key_env="SOME_KEY")
        with pytest.raises(StageFailure) as caught:
            await Agent(agent_model(other, models)).run("Hi")
    assert "xxx" in caught.value.message
    assert "s3c" not in caught.value.message


async def test_the_key_never_shows_in_thoughts_and_calls() -> None:
    def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        calls = [ToolCallPart("t", {"q": ["s3cret-value"]}), ToolCallPart("t", '{"q": "s3cret-value"}')]
        return ModelResponse(parts=[ThinkingPart("s3cret-value"), *calls])

    model = PacedModel(FunctionModel(reply), "some:model", Retrier(Limiter()), secrets={"KEY": "s3cret-value"})
    parts = (await model_request(model, [ModelRequest.user_text_prompt("Hi")])).parts
    assert "s3cret" not in repr(parts)
    assert repr(parts).count("[KEY]") == 3


async def test_a_key_that_cannot_be_sent_is_named() -> None:
    models = Models({"OPENAI_API_KEY": "sk-one\nsk-two"})
    with pytest.raises(StageFailure, match="the key in OPENAI_API_KEY holds a line break"):
        agent_model(ModelSpec(model="openai:gpt-4o-mini"), models)
    await models.close()


async def test_a_missing_key_is_named(models: Models) -> None:
    with pytest.raises(StageFailure, match="OPENAI_API_KEY"):
        agent_model(ModelSpec(model="openai:gpt-4o-mini"), models)


@pytest.mark.parametrize("name", ["nosuch:model", "anthropic:claude-haiku-4-5"])
async def test_a_provider_that_is_not_there(models: Models, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(InvalidInput, match=name):
        models.chat(ModelSpec(model=name))


async def test_the_providers_own_client_is_kept_from_trying_again() -> None:
    seen: list[ModelSettings | None] = []

    def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append(info.model_settings)
        return ModelResponse(parts=[TextPart("Fine")])

    model = PacedModel(FunctionModel(reply), "some:model", Retrier(Limiter()), ONE_ATTEMPT)
    assert (await Agent(model, model_settings={"temperature": 0.5}).run("Hi")).output == "Fine"
    assert seen == [{"temperature": 0.5, "max_retries": 0}]


def engine_chat(model: Model) -> EngineChat:
    return EngineChat(ModelSpec(model="some:model"), model, lambda spec, given, got: None)


async def test_an_engine_model_as_a_chat_model(models: Models, model_server: ModelServer) -> None:
    chat = engine_chat(agent_model(spec("echo", model_server), models))
    talk = (
        ChatMessage("system", "Be kind."),
        ChatMessage("user", "One"),
        ChatMessage("assistant", "Two"),
        ChatMessage("user", "Three"),
    )
    reply = await chat.complete(ChatRequest(messages=talk, settings={"temperature": 0}))
    assert (reply.text, reply.usage.calls, reply.usage.unpriced) == ("Three", 1, 1)
    assert reply.usage.input_tokens == 5
    sent = model_server.requests[0].body
    assert tuple(ChatMessage(message["role"], message["content"]) for message in sent["messages"]) == talk
    assert sent["temperature"] == 0


async def test_native_structured_output(models: Models, model_server: ModelServer) -> None:
    chat = engine_chat(agent_model(spec("judge-pass", model_server), models))
    asked = ChatRequest(messages=(ChatMessage(role="user", content="Judge"),), output_schema=SCHEMA)
    assert json.loads((await chat.complete(asked)).text or "") == {"passed": True}
    assert "response_format" in model_server.requests[0].body


async def test_an_output_tool_where_there_is_no_native_one() -> None:
    def reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert info.model_request_parameters.output_mode == "tool"
        return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, {"passed": True})])

    chat = engine_chat(FunctionModel(reply, profile={"supports_json_schema_output": False}))
    asked = ChatRequest(messages=(ChatMessage(role="user", content="Judge"),), output_schema=SCHEMA)
    assert json.loads((await chat.complete(asked)).text or "") == {"passed": True}


async def test_a_reply_without_text_is_null() -> None:
    chat = engine_chat(FunctionModel(lambda messages, info: ModelResponse(parts=[])))
    asked = ChatRequest(messages=(ChatMessage(role="user", content="Hi"),))
    assert (await chat.complete(asked)).text is None


async def test_a_lone_surrogate_is_replaced() -> None:
    chat = engine_chat(FunctionModel(lambda messages, info: ModelResponse(parts=[TextPart("half \ud800")])))
    asked = ChatRequest(messages=(ChatMessage(role="user", content="Hi"),))
    assert (await chat.complete(asked)).text == "half \ufffd"
