"""A context for targets that reach no model."""

from collections.abc import Mapping
from datetime import UTC, datetime

from aloi.core.chat import ChatModel, ModelSpec
from aloi.core.target import HttpReply, HttpRequest, Invocation, Reply, Target, TargetContext
from aloi.core.tool import ToolContext
from aloi.core.trace import ToolCall, Trace
from aloi.core.trajectory import trajectory
from aloi.tracing.recorder import Recording


class NoDoor:
    """Refuses every request."""

    async def send(self, request: HttpRequest) -> HttpReply:
        raise AssertionError(f"{request.url} must not be asked")


def no_chat(spec: ModelSpec) -> ChatModel:
    raise AssertionError(f"{spec.model} must not be asked")


async def invoke(
    target: Target, given: str | dict[str, object] = "hello", *, key: str = "", allow_code: bool = True
) -> tuple[Reply, Trace]:
    """Invoke a target that needs nothing but itself."""
    recorder = Recording()
    environ: Mapping[str, str] = {}
    ctx = TargetContext(
        chat=no_chat,
        http=NoDoor(),
        recorder=recorder,
        tools=ToolContext(workspace="", now=lambda: datetime.now(UTC)),
        environ=environ,
        allow_code=allow_code,
    )
    reply = await target.invoke(Invocation.model_validate({"input": given, "case_key": key}), ctx)
    assert isinstance(reply, Reply)
    return reply, recorder.trace(reply.shows_tools)


def calls(trace: Trace) -> list[ToolCall]:
    return list(trajectory(trace).tool_calls)
