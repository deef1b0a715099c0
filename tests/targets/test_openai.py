"""The `openai` target: what it asks, records and answers."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.target import Invocation, Reply, Target, TargetContext
from aloi.core.tool import ToolContext
from aloi.core.trace import COST, INPUT_MESSAGES, INPUT_TOKENS, OUTPUT_TOKENS, REQUEST_MODEL
from aloi.core.trajectory import message_text, trajectory
from aloi.llm.models import Models
from aloi.plugins import build
from aloi.targets.openai import OpenAI
from aloi.tracing.recorder import Recording
from tests.model_server import ChatRequestBody, ModelServer


class Trial:
    """One server, and a way to invoke a target against it."""

    def __init__(self, server: ModelServer, models: Models) -> None:
        self.server = server
        self.models = models
        self.recorder: Recording = Recording()

    async def invoke(self, name: str, given: Any = "Hi there", **fields: Any) -> Reply:
        target = OpenAI(model=name, base_url=self.server.url, **fields)
        tools = ToolContext(workspace="", now=lambda: datetime.now(UTC))
        ctx = TargetContext(chat=self.models.chat, http=self.models.http, recorder=self.recorder, tools=tools)
        return await target.invoke(Invocation(input=given), ctx)

    async def failure(self, name: str) -> StageFailure:
        with pytest.raises(StageFailure) as caught:
            await self.invoke(name)
        assert caught.value.stage == "invoke"
        return caught.value

    @property
    def sent(self) -> dict[str, Any]:
        return self.server.requests[-1].body


@pytest.fixture
async def trial(model_server: ModelServer) -> AsyncIterator[Trial]:
    async def at_once(seconds: float) -> None:
        """Waiting takes no time, since nothing here is about waiting."""

    models = Models({}, sleep=at_once)
    yield Trial(model_server, models)
    await models.close()


async def test_the_answer_is_the_text(trial: Trial) -> None:
    reply = await trial.invoke("echo")
    assert (reply.output, reply.usage.calls, reply.usage.tokens, reply.shows_tools) == ("Hi there", 1, 4, True)


async def test_what_is_asked(trial: Trial) -> None:
    await trial.invoke("echo", instructions="Be brief.", settings={"temperature": 0})
    assert trial.sent == {
        "model": "echo",
        "temperature": 0,
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi there"}],
    }


async def test_an_object_is_put_as_json(trial: Trial) -> None:
    assert (await trial.invoke("echo", {"q": "où"})).output == '{"q": "où"}'


@pytest.mark.parametrize("name", ["fixed:a:b", "openai:fixed:a:b"])
async def test_the_prefix_may_stand_there(trial: Trial, name: str) -> None:
    assert (await trial.invoke(name)).output == "a:b"


async def test_an_empty_text_is_an_answer(trial: Trial) -> None:
    assert (await trial.invoke("fixed:")).output == ""


@pytest.mark.parametrize(
    ("name", "words"),
    [("empty-choices", "no choice"), ("null-content", "no content"), ("refusal", "I cannot help with that")],
)
async def test_no_answer(trial: Trial, name: str, words: str) -> None:
    failure = await trial.failure(name)
    assert failure.type == "no_answer"
    assert words in failure.message


@pytest.mark.parametrize(
    ("name", "kind"),
    [("malformed", "bad_reply"), ("not-utf8", "bad_reply"), ("status:404", "http_status")],
)
async def test_failures_of_the_endpoint(trial: Trial, name: str, kind: str) -> None:
    assert (await trial.failure(name)).type == kind


async def test_the_span(trial: Trial) -> None:
    def fine(_: ChatRequestBody) -> str:
        return "Fine"

    trial.server.reply = fine
    await trial.invoke("gpt-4o-mini", instructions="Be brief.")
    trace = trial.recorder.trace()
    (span,) = trace.spans
    path = trajectory(trace)
    assert span.name == "chat gpt-4o-mini"
    assert span.attributes[REQUEST_MODEL] == "gpt-4o-mini"
    assert (span.attributes[INPUT_TOKENS], span.attributes[OUTPUT_TOKENS]) == (4, 1)
    assert span.attributes[COST] == pytest.approx(4 * 0.15e-6 + 0.6e-6)
    assert [step.text for step in path.steps] == ["Fine"]
    assert message_text(span.attributes[INPUT_MESSAGES]) == "Hi there"


async def test_the_span_of_a_failure_says_why(trial: Trial) -> None:
    await trial.failure("status:404")
    (span,) = trial.recorder.trace().spans
    assert span.error is not None
    assert "404" in span.error


async def test_a_refusal_that_was_paid_for_is_recorded(trial: Trial) -> None:
    await trial.failure("refusal")
    (span,) = trial.recorder.trace().spans
    assert span.attributes[INPUT_TOKENS] == 2


def test_it_is_found_by_its_kind() -> None:
    target = build("targets", {"kind": "openai", "model": "m", "instructions": "Be brief."}, Target)
    assert target.to_spec() == {"kind": "openai", "model": "m", "instructions": "Be brief."}


@pytest.mark.parametrize("fields", [{}, {"model": ""}, {"model": "m", "system": "x"}])
def test_fields_that_do_not_fit(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        OpenAI(**fields)


def test_a_prefix_alone_is_no_name() -> None:
    with pytest.raises(InvalidInput, match="no name behind openai:"):
        build("targets", {"kind": "openai", "model": "openai:"}, Target)
