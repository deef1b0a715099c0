"""What can go wrong, as RFC 9457 problems: the one table from errors to HTTP."""

import logging
import math
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from aloi.core import errors
from aloi.core.errors import AloiError
from aloi.core.gate import ActivationRefused, GateState
from aloi.core.misfit import place_in
from aloi.core.spec import Value, fault_text

MEDIA_TYPE = "application/problem+json"
# The first class that fits counts, so a subclass stands before its base.
TABLE: tuple[tuple[type[AloiError], HTTPStatus, str], ...] = (
    (errors.InvalidInput, HTTPStatus.UNPROCESSABLE_ENTITY, "invalid_input"),
    (errors.NotFound, HTTPStatus.NOT_FOUND, "not_found"),
    (errors.Stale, HTTPStatus.PRECONDITION_FAILED, "stale"),
    (errors.Conflict, HTTPStatus.CONFLICT, "conflict"),
    (errors.NotSignedIn, HTTPStatus.UNAUTHORIZED, "not_signed_in"),
    (errors.NotPermitted, HTTPStatus.FORBIDDEN, "not_permitted"),
    (errors.GateRefused, HTTPStatus.CONFLICT, "gate_refused"),
    (errors.TooMany, HTTPStatus.TOO_MANY_REQUESTS, "too_many"),
    (errors.TooLarge, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large"),
    (errors.StageFailure, HTTPStatus.BAD_GATEWAY, "stage_failure"),
    (errors.StoreUnavailable, HTTPStatus.SERVICE_UNAVAILABLE, "store_unavailable"),
    (errors.FilesUnavailable, HTTPStatus.SERVICE_UNAVAILABLE, "files_unavailable"),
)
CODES = {status.value: code for _, status, code in reversed(TABLE)}
# An input may have as many faults as it is long; nobody reads more than some.
MOST_FAULTS, MOST_NAMED = 100, 5
MOST_POINTER = 300
# What says where things are, and how to mend that, is for the operator, who reads the log.
UNAVAILABLE: tuple[tuple[type[AloiError], str], ...] = (
    (
        errors.StoreUnavailable,
        "the database cannot be used now; try again, and if that does not help, the server's log says why",
    ),
    (
        errors.FilesUnavailable,
        "attachments cannot be stored or read now; try again, and if that does not help, the server's log says why",
    ),
)
log = logging.getLogger("aloi.api")


class FieldFault(Value):
    """One field that does not fit: a JSON pointer into the body, or the parameter's name, and what is wrong."""

    pointer: str
    detail: str


class Problem(Value):
    """An RFC 9457 problem. `code` is a short stable word; `errors` names the fields of an input that does not fit."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: tuple[FieldFault, ...] | None = None


class GateProblem(Problem):
    """The problem of a version that may not become active. `gate`: what its target's gate says of it."""

    gate: GateState


def install(app: FastAPI) -> None:
    """Make the application answer every error as a problem."""
    app.add_exception_handler(AloiError, _aloi_error)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _unexpected)


def problem(
    status: HTTPStatus,
    code: str,
    detail: str,
    faults: Sequence[FieldFault] | None = None,
    headers: dict[str, str] | None = None,
    gate: GateState | None = None,
) -> JSONResponse:
    """The answer that tells of one problem; with a `gate`, of a `GateProblem`."""
    body = Problem(
        type="about:blank",
        title=status.phrase,
        status=status.value,
        detail=_sendable(detail),
        code=code,
        errors=None if faults is None else tuple(faults),
    )
    content = body.model_dump(mode="json")
    if gate is not None:
        content["gate"] = gate.model_dump(mode="json")
    return JSONResponse(content, status_code=status.value, headers=headers, media_type=MEDIA_TYPE)


def problem_of(error: AloiError) -> JSONResponse:
    """The answer for one of our own errors; its message is fit for a user."""
    status, code = next(
        ((status, code) for kind, status, code in TABLE if isinstance(error, kind)),
        (HTTPStatus.INTERNAL_SERVER_ERROR, "failed"),
    )
    headers: dict[str, str] = {}
    if isinstance(error, errors.TooMany):
        headers["Retry-After"] = str(math.ceil(error.retry_after))
    if isinstance(error, errors.NotSignedIn):
        headers["WWW-Authenticate"] = "Bearer"
    detail = _told_instead(error) or str(error)
    gate = error.state if isinstance(error, ActivationRefused) else None
    return problem(status, code, detail, headers=headers, gate=gate)


def _told_instead(error: AloiError) -> str | None:
    return next((detail for kind, detail in UNAVAILABLE if isinstance(error, kind)), None)


async def _aloi_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, AloiError)
    if _told_instead(error) is not None:
        log.error("%s %s: %s", request.method, request.url.path, error)
    return problem_of(error)


async def _invalid_request(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    all_faults = error.errors()
    faults = [_fault(fault, error.body) for fault in all_faults[:MOST_FAULTS]]
    named = [f"{fault.pointer or 'the body'}: {fault.detail}" for fault in faults[:MOST_NAMED]]
    if len(all_faults) > MOST_NAMED:
        named.append(f"and {len(all_faults) - MOST_NAMED} more")
    return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid_input", "; ".join(named), faults)


def _fault(fault: Any, body: object) -> FieldFault:
    """One fault that pydantic found in the body (null where it is not known), or that it is no JSON at all."""
    if fault["type"] == "json_invalid":
        said = f"it is not JSON: {fault['ctx']['error']} at character {fault['loc'][-1]}"
        return FieldFault(pointer="", detail=_sendable(said))
    source, *place = fault["loc"]
    if source == "body" and body is not None:
        place = place_in(body, place)
    pointer = _pointer((source, *place))
    return FieldFault(pointer=_sendable(pointer)[:MOST_POINTER], detail=_sendable(fault_text(fault)))


def _sendable(text: str) -> str:
    """A text that UTF-8 can write: lone surrogates as `\\ud800`."""
    return text.encode("utf-8", "backslashreplace").decode()


def _pointer(place: Sequence[int | str]) -> str:
    """Where a fault is: `/assertions/0` in a body; a parameter by its name."""
    source, *path = place
    if source != "body":
        return ".".join(map(str, path))
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)


async def _http_error(_: Request, error: Exception) -> JSONResponse:
    """What the framework itself refuses: an unknown path, a method that is not there."""
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    headers = dict(error.headers) if error.headers else None
    return problem(status, CODES.get(status.value, status.name.lower()), str(error.detail), headers=headers)


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    """A fault of ours: the log has it, the caller gets no detail that could hold a secret."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    detail = "something went wrong inside Aloi; the server's log says what"
    return problem(HTTPStatus.INTERNAL_SERVER_ERROR, "failed", detail)
