"""Where OpenTelemetry's exporters send their traces: OTLP/HTTP, answered by its rules."""

import logging
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from aloi.api.access import EditorOfAll
from aloi.api.errors import MEDIA_TYPE, problem_of
from aloi.core.errors import AloiError, InvalidInput, StoreUnavailable
from aloi.core.spec import Value
from aloi.service.traces import receiving
from aloi.tracing.otlp import json_wire, protobuf_wire

PROTOBUF, JSON = "application/x-protobuf", "application/json"
ENCODINGS = {"": False, "identity": False, "gzip": True}
# The codes of google.rpc.Status; what has none here is an invalid argument.
INVALID_ARGUMENT = 3
CODES = {401: 16, 403: 7, 413: 8, 429: 8, 503: 14}
RETRY_SECONDS = "5"
BODY = {
    "required": True,
    "content": {JSON: {"schema": {"type": "object"}}, PROTOBUF: {"schema": {"type": "string", "format": "binary"}}},
}


class Status(Value):
    """A `google.rpc.Status`: the code of gRPC for what went wrong, and what to do about it."""

    code: int
    message: str


REFUSED: dict[str, Any] = {
    "model": Status,
    "description": "It is not taken; the message says why. A body that says itself that it is too long is a problem.",
    "content": {PROTOBUF: {}, MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
Handler = Callable[[Request], Coroutine[Any, Any, Response]]
log = logging.getLogger("aloi.api")


class _OtlpRoute(APIRoute):
    """A route that tells errors as OTLP wants: a `google.rpc.Status` in the encoding of the request."""

    def get_route_handler(self) -> Handler:
        """The handler, with its errors told so."""
        handle = super().get_route_handler()

        async def told(request: Request) -> Response:
            try:
                return await handle(request)
            except (AloiError, HTTPException) as error:
                return _refusal(request, error)

        return told


router = APIRouter(prefix="/v1", tags=["traces"], route_class=_OtlpRoute)


@router.post(
    "/traces",
    openapi_extra={"requestBody": BODY},
    responses={
        200: {"content": {JSON: {"schema": {"type": "object"}}, PROTOBUF: {}}},
        "4XX": REFUSED,
        "5XX": REFUSED,
    },
)
async def export_traces(request: Request, context: EditorOfAll) -> Response:
    """Take in traces by OTLP/HTTP, protobuf or JSON, plain or gzip.

    They become executions of the target that `aloi.target` names, on a span or on the resource, else `service.name`.
    What is not usable is counted in `partial_success`. Errors are a `google.rpc.Status`.
    """
    is_json = _content_type(request) == JSON
    body = await request.body()
    receipt = await receiving.receive(context, body, is_json=is_json, is_gzip=_is_gzip(request))
    if is_json:
        return JSONResponse(json_wire.answer(*receipt))
    return Response(protobuf_wire.answer(*receipt), media_type=PROTOBUF)


def _media_type(request: Request) -> str:
    return request.headers.get("Content-Type", "").partition(";")[0].strip().lower()


def _content_type(request: Request) -> str:
    """Raises HTTPException (415) for a body in no known encoding."""
    found = _media_type(request)
    if found not in (JSON, PROTOBUF):
        raise HTTPException(415, f"a body of {found or 'no type'!s:.100} is not taken; send {PROTOBUF} or {JSON}")
    return found


def _is_gzip(request: Request) -> bool:
    """Raises HTTPException (415) for a body in no known compression."""
    found = request.headers.get("Content-Encoding", "").strip().lower()
    if found not in ENCODINGS:
        raise HTTPException(415, f"a body compressed as {found:.100} is not taken; send it as gzip, or as it is")
    return ENCODINGS[found]


def _refusal(request: Request, error: AloiError | HTTPException) -> Response:
    """The answer for what is not taken."""
    headers: dict[str, str] = {}
    if isinstance(error, HTTPException):
        status, message = error.status_code, str(error.detail)
    else:
        problem = problem_of(error)
        status, message = problem.status_code, str(error)
        headers = {name: value for name in ("Retry-After", "WWW-Authenticate") if (value := problem.headers.get(name))}
    if isinstance(error, InvalidInput):
        status = HTTPStatus.BAD_REQUEST.value  # exporters know no 422
    if isinstance(error, StoreUnavailable):
        log.error("traces cannot be stored: %s", error)
        message, headers["Retry-After"] = "traces cannot be stored now; send them again", RETRY_SECONDS
    code = CODES.get(status, INVALID_ARGUMENT)
    if _media_type(request) == PROTOBUF:
        return Response(protobuf_wire.status(code, message), status, headers, PROTOBUF)
    told = message.encode("utf-8", "backslashreplace").decode()
    return JSONResponse(Status(code=code, message=told).model_dump(), status, headers)
