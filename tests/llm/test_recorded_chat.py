"""What a `chat` span holds of a call, and why a reply is no answer."""

from typing import Any

import pytest
from pydantic import JsonValue

from aloi.core.chat import ChatMessage, ChatReply, ChatRequest, ModelSpec
from aloi.core.errors import StageFailure
from aloi.core.trace import INPUT_MESSAGES, INPUT_TOKENS, INSTRUCTIONS, OUTPUT_MESSAGES, REQUEST_MODEL
from aloi.core.trajectory import message_text
from aloi.llm.models import Models
from aloi.llm.recorded_chat import ask, no_answer
from aloi.tracing.recorder import Recording
from tests.model_server import ModelServer

USER = ChatMessage(role="user", content="Hi there")
SYSTEM = ChatMessage(role="system", content="Be brief.")
ANSWER = ChatMessage(role="assistant", content="What?")
AGAIN = ChatMessage(role="user", content="Hi again")


async def span_of(server: ModelServer, name: str, *messages: ChatMessage) -> Any:
    models, recorder = Models({}), Recording()
    spec = ModelSpec(model=f"openai:{name}", base_url=server.url)
    try:
        await ask(models.chat(spec), name, ChatRequest(messages=messages), recorder)
    except StageFailure:
        pass
    finally:
        await models.close()
    (span,) = recorder.spans()
    return span


async def test_the_span(model_server: ModelServer) -> None:
    span = await span_of(model_server, "echo", SYSTEM, USER)
    assert (span.name, span.attributes[REQUEST_MODEL], span.error) == ("chat echo", "echo", None)
    assert span.attributes[INSTRUCTIONS] == [{"type": "text", "content": "Be brief."}]
    assert message_text(span.attributes[INPUT_MESSAGES]) == "Hi there"
    assert message_text(span.attributes[OUTPUT_MESSAGES]) == "Hi there"
    assert span.attributes[INPUT_TOKENS] == 4


async def test_only_what_is_new_is_written_down(model_server: ModelServer) -> None:
    span = await span_of(model_server, "echo", USER, ANSWER, AGAIN)
    said: JsonValue = [{"role": "user", "parts": [{"type": "text", "content": "Hi again"}]}]
    assert span.attributes[INPUT_MESSAGES] == said
    assert INSTRUCTIONS not in span.attributes


async def test_a_call_that_fails_is_written_down(model_server: ModelServer) -> None:
    span = await span_of(model_server, "status:404", USER)
    assert "404" in span.error
    assert OUTPUT_MESSAGES not in span.attributes


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (ChatReply(text=None, refusal="I may not"), "it refused (I may not)"),
        (ChatReply(text=None, finish_reason="length"), "raise max_tokens"),
        (ChatReply(text=None), "holds no choice"),
        (ChatReply(text=None, finish_reason="stop"), "no content"),
    ],
)
def test_why_there_is_no_answer(reply: ChatReply, words: str) -> None:
    failure = no_answer("openai:m", reply)
    assert failure.type == "no_answer"
    assert words in failure.message
