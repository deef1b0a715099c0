"""What the recorded model keeps besides its spans."""

from datetime import UTC, datetime

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from aloi.core.chat import ModelSpec
from aloi.core.errors import StageFailure
from aloi.core.target import TargetContext
from aloi.core.tool import ToolContext
from aloi.llm.agent import run
from aloi.llm.agent_job import AgentJob
from aloi.llm.models import Models
from aloi.tracing.recorder import recording

JOB = AgentJob(model=ModelSpec(model="openai:any"), prompt="Say nothing.")


def context(models: Models, *parts: TextPart) -> TargetContext:
    def answer(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=list(parts))

    return TargetContext(
        chat=models.chat,
        http=models.http,
        recorder=recording(),
        agent_model=lambda _: FunctionModel(answer),
        tools=ToolContext(workspace="", now=lambda: datetime.now(UTC)),
    )


async def test_an_empty_text_is_an_answer(models: Models) -> None:
    reply = await run(JOB, context(models, TextPart("")))
    assert reply.output == ""


async def test_no_text_at_all_is_none(models: Models) -> None:
    with pytest.raises(StageFailure) as caught:
        await run(JOB, context(models))
    assert caught.value.type == "no_answer"
