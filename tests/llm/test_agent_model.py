"""What the recorded model writes down and counts, and where it stops the agent."""

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from aloi.core.chat import ModelSpec
from aloi.core.errors import StageFailure
from aloi.core.target import TargetContext
from aloi.core.tool import ToolContext
from aloi.core.trace import COST, INPUT_MESSAGES
from aloi.core.trajectory import usage_of
from aloi.core.usage import Usage
from aloi.llm.agent import run
from aloi.llm.agent_job import AgentJob
from aloi.llm.models import Models
from aloi.tracing.recorder import Recording
from tests.llm.agent_runs import Agents
from tests.model_server import Answer, ChatRequestBody, ModelServer, ToolCall

SUM = 'tool-once:calculator:{"expression": "17 * 23"}'
JOB = AgentJob(model=ModelSpec(model="openai:any"), prompt="Say nothing.")


@pytest.fixture
def agents(model_server: ModelServer, models: Models) -> Agents:
    return Agents(model_server.url, models)


def context(models: Models, *parts: TextPart) -> TargetContext:
    def answer(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=list(parts))

    def agent_model(_: ModelSpec) -> FunctionModel:
        return FunctionModel(answer)

    return TargetContext(
        chat=models.chat,
        http=models.http,
        recorder=Recording(),
        agent_model=agent_model,
        tools=ToolContext(workspace="", now=lambda: datetime.now(UTC)),
    )


async def test_an_empty_text_is_an_answer(models: Models) -> None:
    reply = await run(JOB, context(models, TextPart("")))
    assert reply.output == ""


async def test_no_text_at_all_is_none(models: Models) -> None:
    with pytest.raises(StageFailure) as caught:
        await run(JOB, context(models))
    assert caught.value.type == "no_answer"


async def test_endless_tools_hit_the_step_limit_and_the_spans_are_kept(
    agents: Agents, model_server: ModelServer
) -> None:
    run = await agents.run(agents.target("tools:1000", tools=["datetime"], limits={"steps": 4}))
    assert run.failure is not None
    assert (run.failure.stage, run.failure.type) == ("invoke", "step_limit")
    assert "4 model requests" in run.failure.message
    assert run.names == ["invoke_agent", *["chat", "execute_tool"] * 4]
    assert run.trace.spans[0].error == run.failure.message
    assert len(model_server.requests) == 4
    assert usage_of(run.trace).calls == 4
    assert (run.path.input_tokens or 0) > 0


async def test_the_last_step_may_be_the_answer(agents: Agents) -> None:
    run = await agents.run(agents.target(SUM, tools=["calculator"], limits={"steps": 2}))
    assert run.reply is not None


async def test_the_token_limit_stops_the_agent_and_keeps_the_spans(agents: Agents) -> None:
    run = await agents.run(agents.target("tools:1000", tools=["datetime"], limits={"tokens": 20}))
    assert run.failure is not None
    assert run.failure.type == "token_limit"
    assert (usage_of(run.trace).tokens or 0) > 20


async def test_no_usage_is_null_and_not_zero(agents: Agents) -> None:
    run = await agents.run(agents.target("no-usage"))
    assert run.reply is not None
    assert run.reply.usage == Usage(calls=1, unpriced=1)
    assert usage_of(run.trace) == run.reply.usage


async def test_costs_stand_on_the_spans_and_in_the_usage(agents: Agents) -> None:
    def cost(_: object, tokens_in: int | None, tokens_out: int | None) -> float | None:
        return None if tokens_in is None or tokens_out is None else 0.5

    run = await agents.run(agents.target(SUM, tools=["calculator"]), cost=cost)
    assert run.reply is not None
    assert run.reply.usage.cost == 1.0
    assert run.reply.usage.unpriced == 0
    assert [span.attributes.get(COST) for span in run.trace.spans] == [None, 0.5, None, 0.5]


async def test_calls_of_unknown_tools_are_answered_and_recorded(agents: Agents, model_server: ModelServer) -> None:
    unknown = Answer(tool_calls=(ToolCall("teleport", '{"to": "Mars"}'),))

    def reply(request: ChatRequestBody) -> Answer:
        return unknown if request.tool_rounds < 3 else Answer("I stay.")

    model_server.reply = reply
    run = await agents.run(agents.target("any", tools=["calculator"]))
    assert run.reply is not None
    assert run.reply.output == "I stay."
    assert [(call.tool, call.args, call.error) for call in run.path.tool_calls] == [
        ("teleport", {"to": "Mars"}, "there is no tool 'teleport'")
    ] * 3


async def test_a_chat_span_holds_what_was_new_to_the_model(agents: Agents) -> None:
    run = await agents.run(agents.target("tools:2", tools=["datetime"]))
    told: list[Any] = [span.attributes[INPUT_MESSAGES] for span in run.trace.spans if span.operation == "chat"]
    assert [[message["role"] for message in messages] for messages in told] == [["user"], ["tool"], ["tool"]]
