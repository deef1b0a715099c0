"""What a target is, and what it has where nothing is set up."""

from contextlib import nullcontext
from datetime import UTC, datetime
from typing import ClassVar

import pytest
from pydantic import ValidationError

from aloi.core.chat import ChatModel, ModelSpec
from aloi.core.errors import StageFailure
from aloi.core.spec import JsonObject
from aloi.core.target import (
    HttpReply,
    HttpRequest,
    Invocation,
    OpenSpan,
    Reply,
    Target,
    TargetContext,
    no_agent_model,
    no_cost,
)
from aloi.core.tool import ToolContext
from aloi.core.usage import NO_USAGE

MODEL = ModelSpec(model="openai:x")


class Silent:
    """A span, a recorder and a door that nobody uses."""

    def set(self, attributes: JsonObject) -> None: ...

    def fail(self, error: str) -> None: ...

    def traceparent(self) -> str:
        return ""

    def span(self, name: str, attributes: JsonObject | None = None) -> nullcontext[OpenSpan]:
        return nullcontext(self)

    async def send(self, request: HttpRequest) -> HttpReply:
        return HttpReply(status=200, headers={}, body=request.body or b"")


def no_chat(spec: ModelSpec) -> ChatModel:
    raise StageFailure("invoke", "not_supported", f"no {spec.model}")


class Echo(Target):
    """Says what it is told."""

    kind: ClassVar[str] = "echo"

    async def invoke(self, invocation: Invocation, ctx: TargetContext) -> Reply:
        with ctx.recorder.span("echo"):
            return Reply(output=invocation.input)


class Idle(Target):
    """Has no method."""

    kind: ClassVar[str] = "idle"


def context() -> TargetContext:
    tools = ToolContext(workspace="", now=lambda: datetime(2026, 1, 2, tzinfo=UTC))
    return TargetContext(chat=no_chat, http=Silent(), recorder=Silent(), tools=tools)


async def test_a_kind_is_fields_and_one_method() -> None:
    reply = await Echo().invoke(Invocation(input={"q": 1}), context())
    assert (reply.output, reply.usage, reply.shows_tools, reply.latency) == ({"q": 1}, NO_USAGE, True, None)


async def test_without_its_method_it_cannot_be_invoked() -> None:
    with pytest.raises(NotImplementedError):
        await Idle().invoke(Invocation(input="x"), context())


def test_what_a_kind_is_unless_it_says_otherwise() -> None:
    echo = Echo()
    assert (echo.runs_code, echo.uses_workspace, echo.fingerprint(), echo.skipped()) == (False, False, {}, ())
    assert echo.resolved("folder") is echo
    assert echo.to_spec() == {"kind": "echo"}


def test_a_context_is_that_of_a_run_and_allows_no_code() -> None:
    ctx = context()
    assert (ctx.interactive, ctx.allow_code, dict(ctx.environ)) == (False, False, {})
    assert ctx.cost(MODEL, 10, 10) is None
    with pytest.raises(StageFailure, match="openai:x cannot run"):
        ctx.agent_model(MODEL)


def test_without_prices_a_cost_is_not_known() -> None:
    assert no_cost(MODEL, None, None) is None


def test_without_an_engine_no_agent_runs() -> None:
    with pytest.raises(StageFailure) as refused:
        no_agent_model(MODEL)
    assert (refused.value.stage, refused.value.type) == ("invoke", "not_supported")


@pytest.mark.parametrize("given", [None, 5, ["a"], {"input": True}])
def test_an_input_is_a_text_or_an_object(given: object) -> None:
    if isinstance(given, dict):
        assert Invocation.model_validate({"input": given}).input == given
    else:
        with pytest.raises(ValidationError, match="input"):
            Invocation.model_validate({"input": given})
