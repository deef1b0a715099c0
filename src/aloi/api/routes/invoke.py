"""Invoking a target, by hand or in production."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from aloi.api.access import Editor
from aloi.api.errors import problem_of
from aloi.api.faults import Pointed
from aloi.api.leaving import while_connected
from aloi.api.streams import Streamed
from aloi.core.errors import AloiError
from aloi.core.execution import Execution, Invoke, SpanEnded
from aloi.service import invoking
from aloi.service.invocation import Invocation

router = APIRouter(tags=["executions"], dependencies=[Pointed])
EVENT_STREAM = "text/event-stream"
HEARTBEAT = b": still here\n\n"
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "model": Execution,
        "description": "The execution; as a stream, `span` for each span that ended, then `execution` (or `error`).",
        "content": {EVENT_STREAM: {}},
    }
}

Stream = Annotated[bool, Query(description="Answer with server-sent events, as `Accept: text/event-stream` does.")]


@router.post("/targets/{target_id}/invoke", response_model=Execution, responses=EVENTS)
async def invoke_target(
    context: Editor, target_id: str, body: Invoke, request: Request, stream: Stream = False
) -> Response:
    """Put an input to a target and keep what comes of it as an execution.

    A target that fails is no error here: the execution says so in `outcome.failure`. One that asks people first answers
    with an execution of status `waiting`, which goes on when they answer. MCP servers are used, which runs leave out.
    When the caller leaves, the target is stopped.
    """
    invocation = await invoking.prepare(context, target_id, body)
    if stream or EVENT_STREAM in request.headers.get("Accept", ""):
        return Streamed(_events(invocation), f"{EVENT_STREAM}; charset=utf-8")
    execution = await while_connected(request, invoking.carry_out(invocation))
    return Response(execution.model_dump_json(), media_type=JSONResponse.media_type)


async def _events(invocation: Invocation) -> AsyncGenerator[bytes]:
    async with aclosing(invoking.events(invocation)) as found:
        async for event in found:
            yield HEARTBEAT if event is None else _written(event)


def _written(event: SpanEnded | Execution | AloiError) -> bytes:
    match event:
        case SpanEnded():
            return _event("span", event.model_dump_json().encode())
        case Execution():
            return _event("execution", event.model_dump_json().encode())
        case AloiError():
            return _event("error", bytes(problem_of(event).body))


def _event(name: str, data: bytes) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), data)
