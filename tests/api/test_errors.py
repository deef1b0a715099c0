"""Every error is an RFC 9457 problem, and nothing that a caller sends is a fault of ours."""

import json
from http import HTTPStatus
from typing import Any

import aiohttp
import pytest
from starlette.requests import Request
from starlette.responses import Response

from aloi.api import errors as api_errors
from aloi.api.errors import TABLE, problem_of
from aloi.core import errors
from aloi.core.errors import AloiError
from tests.api.calls import Caller, RunningServer
from tests.api.role_table import ROLES
from tests.store.backends import BACKENDS

UGLY_BODIES = {
    "nothing": b"",
    "no JSON": b"{",
    "not UTF-8": b'{"name": "\xff"}',
    "a NUL": b'{"name": "a\\u0000b", "email": "a\\u0000@b", "prompt": "\\u0000"}',
    "a lone surrogate": b'{"name": "\\ud800", "email": "\\ud800@b", "role": "\\udfff", "prompt": "\\ud800"}',
    "a lone surrogate as a key": b'{"\\ud800": 1}',
    "deep": b"[" * 100_000,
    "a long number": b'{"name": ' + b"9" * 10_000 + b"}",
    "no number": b'{"name": NaN, "judge_samples": Infinity, "concurrency": 1e999}',
    "null": b"null",
    "a list": b"[]",
    "a text": b'"x"',
    "a long key": b'{"' + b"k" * 100_000 + b'": 1}',
    "many faults": json.dumps({f"k{number}": 1 for number in range(1000)}).encode(),
    "null for all": b'{"name": null, "email": null, "role": null, "password": null, "token": null, "spec": null}',
}


def is_problem(body: Any, status: int) -> bool:
    """Whether an answer is a whole problem."""
    keys = {"type", "title", "status", "detail", "code", "errors"}
    return set(body) == keys and body["status"] == status and bool(body["detail"] and body["code"])


@pytest.mark.parametrize("body", UGLY_BODIES.values(), ids=UGLY_BODIES)
async def test_no_body_is_a_fault_of_ours(owner: Caller, body: bytes) -> None:
    for route in ROLES:
        method, path = route.split(" ")
        if method not in {"POST", "PUT"} or "logout" in path or path == "/v1/traces":  # OTLP has errors of its own
            continue
        answer = await owner.call(method, path, data=body, headers={"Content-Type": "application/json"})
        assert answer.status < 500, (route, answer)
        assert answer.status < 400 or is_problem(answer.body, answer.status), (route, answer)
        assert len(str(answer.body)) < 40_000, route


@pytest.mark.parametrize("database_address", BACKENDS, indirect=True)
@pytest.mark.parametrize("text", ["a\0b", "\ud800", "é 😀", " ", "'; DROP TABLE members; --", "%", "\u202e"])
async def test_no_text_is_a_fault_of_ours(owner: Caller, text: str) -> None:
    sent = json.dumps(text)
    json_type = {"Content-Type": "application/json"}
    for method, path, body in (
        ("PUT", "/api/workspace", f'{{"name": {sent}}}'),
        ("POST", "/api/members", f'{{"email": {sent}, "role": "viewer"}}'),
        ("POST", "/api/auth/api-keys", f'{{"name": {sent}, "role": "viewer"}}'),
        ("POST", "/api/auth/link", f'{{"token": {sent}}}'),
        ("POST", "/api/auth/login", f'{{"email": {sent}, "password": {sent}}}'),
        ("POST", "/api/auth/password", f'{{"new": {json.dumps(text * 10)}}}'),
    ):
        answer = await owner.call(method, path, data=body, headers=json_type)
        assert answer.status in {200, 201, 204, 401, 422}, (path, answer)
        assert answer.status not in {200, 201} or method == "POST" or answer.body["name"] == text
    if text != "\ud800":
        assert (await owner.get("/api/audit", q=text, action=text)).status in {200, 422}


@pytest.mark.parametrize(
    "query", ["q=%00", "q=%ff", "q=%ed%a0%80", "page=0&size=0", "&&==", "q=" + "x" * 201, "page=é"]
)
async def test_no_query_is_a_fault_of_ours(owner: Caller, query: str) -> None:
    for route in ROLES:
        method, path = route.split(" ")
        if method == "GET" and "{" not in path:
            answer = await owner.get(f"{path}?{query}")
            assert answer.status < 500, (route, answer)


async def test_a_field_that_does_not_fit_is_pointed_to(owner: Caller) -> None:
    answer = await owner.post("/api/members", {"email": "x" * 255, "role": "king", "a/b~c": 1})
    assert (answer.status, answer.body["code"]) == (422, "invalid_input")
    assert [fault["pointer"] for fault in answer.body["errors"]] == ["/email", "/role", "/a~1b~0c"]
    assert answer.body["detail"].startswith("/email: String should have at most 254 characters; /role: ")
    answer = await owner.get("/api/members", size=0)
    assert [fault["pointer"] for fault in answer.body["errors"]] == ["size"]


async def test_no_json_is_told_with_its_place(owner: Caller) -> None:
    answer = await owner.call(
        "PUT", "/api/workspace", data=b'{"name": x}', headers={"Content-Type": "application/json"}
    )
    [fault] = answer.body["errors"]
    assert (answer.status, fault["pointer"]) == (422, "")
    assert fault["detail"] == "it is not JSON: Expecting value at character 9"


async def test_many_faults_are_not_all_named(owner: Caller) -> None:
    answer = await owner.put("/api/workspace", {f"k{number}": 1 for number in range(1000)})
    assert len(answer.body["errors"]) == 100
    assert answer.body["detail"].endswith("and 996 more")


async def test_a_form_is_no_json(owner: Caller) -> None:
    answer = await owner.call("PUT", "/api/workspace", data=aiohttp.FormData({"name": "x"}))
    assert answer.status == 422
    answer = await owner.call("PUT", "/api/workspace", data=b'{"name": "x"}', headers={"Content-Type": "text/plain"})
    assert answer.status == 422


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (errors.InvalidInput("x"), 422, "invalid_input"),
        (errors.NotFound("x"), 404, "not_found"),
        (errors.Conflict("x"), 409, "conflict"),
        (errors.Stale("x"), 412, "stale"),
        (errors.NotSignedIn("x"), 401, "not_signed_in"),
        (errors.NotPermitted("x"), 403, "not_permitted"),
        (errors.GateRefused("x"), 409, "gate_refused"),
        (errors.TooMany("x", 1.2), 429, "too_many"),
        (errors.TooLarge("x"), 413, "too_large"),
        (errors.StageFailure("invoke", "timeout", "x"), 502, "stage_failure"),
        (AloiError("x"), 500, "failed"),
    ],
)
def test_the_table(error: AloiError, status: int, code: str) -> None:
    answer = problem_of(error)
    body = json.loads(bytes(answer.body))
    assert (answer.status_code, body["code"], body["detail"], body["title"]) == (
        status,
        code,
        "x",
        HTTPStatus(status).phrase,
    )
    assert is_problem(body, status)
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_class_stands_before_its_base_in_the_table() -> None:
    classes = [kind for kind, _, _ in TABLE]
    for place, kind in enumerate(classes):
        assert not any(issubclass(later, kind) for later in classes[place + 1 :]), kind


async def test_where_the_database_is_is_told_to_the_log_alone(
    server: RunningServer, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(_: Request) -> Response:
        raise errors.StoreUnavailable("the database secret-host is full")

    server.app.add_route("/broken", broken)
    answer = await server.caller().get("/broken")
    assert (answer.status, answer.body["code"]) == (503, "store_unavailable")
    assert "secret-host" not in str(answer.body)
    assert "secret-host is full" in caplog.text


def test_when_to_come_back() -> None:
    assert problem_of(errors.TooMany("x", 1.2)).headers["retry-after"] == "2"


def test_a_message_with_a_lone_surrogate_can_be_sent() -> None:
    assert json.loads(bytes(problem_of(errors.NotFound("no \ud800")).body))["detail"] == "no \\ud800"


async def test_a_fault_of_ours_tells_the_log_and_not_the_caller(
    server: RunningServer, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(_: Request) -> Response:
        raise RuntimeError("the secret is 42")

    server.app.add_route("/broken", broken)
    answer = await server.caller().get("/broken")
    assert (answer.status, answer.body["code"]) == (500, "failed")
    assert "42" not in str(answer.body)
    assert "Content-Security-Policy" in answer.headers
    [record] = [record for record in caplog.records if record.name == api_errors.log.name]
    assert record.exc_info is not None and "42" in str(record.exc_info[1])
