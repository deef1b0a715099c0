"""Signing in and out over HTTP."""

import pytest

from aloi.api.access import COOKIE
from aloi.core.access import Role
from aloi.service.accounts import api_keys, members
from tests.api.calls import Answer, Caller, RunningServer

EMAIL, PASSWORD = "ann@example.org", "four words that fit"
LOGIN = {"email": EMAIL, "password": PASSWORD}


@pytest.fixture
async def ann(server: RunningServer) -> str:
    """A member with a password; her id."""
    return (await members.add(server.context, EMAIL, Role.EDITOR, PASSWORD)).member.id


async def link_token(server: RunningServer, member_id: str) -> str:
    """The token of a fresh one-time link."""
    return str((await members.link(server.context, member_id)).link).partition("=")[2]


def cookie(answer: Answer) -> tuple[str, list[str]]:
    """The value of the session's cookie, and its attributes."""
    value, *attributes = answer.headers["Set-Cookie"].split("; ")
    assert value.startswith(f"{COOKIE}=")
    return value.partition("=")[2].strip('"'), sorted(attributes)


async def test_login_answers_a_token_and_sets_the_cookie(server: RunningServer, nobody: Caller, ann: str) -> None:
    answer = await nobody.post("/api/auth/login", LOGIN)
    assert answer.status == 200
    assert set(answer.body) == {"token", "expires_at", "principal"}
    assert answer.body["expires_at"].endswith("Z")
    assert answer.body["principal"] == {
        "workspace": {"id": server.context.principal.workspace.id, "name": "default"},
        "name": EMAIL,
        "role": "editor",
        "kind": "member",
        "member_id": ann,
        "targets": None,
    }
    value, attributes = cookie(answer)
    assert value == answer.body["token"]
    assert attributes == ["HttpOnly", "Max-Age=34560000", "Path=/", "SameSite=strict"]
    me = await nobody.get("/api/auth/me", headers={"Cookie": f"{COOKIE}={value}"})
    assert me.body == (await server.caller(value).get("/api/auth/me")).body == answer.body["principal"]


async def test_over_https_the_cookie_stays_on_https(nobody: Caller, ann: str) -> None:
    behind_a_proxy = {"X-Forwarded-Proto": "https"}
    answer = await nobody.post("/api/auth/login", LOGIN, headers=behind_a_proxy)
    assert "Secure" in cookie(answer)[1]


@pytest.mark.parametrize("changed", [{"password": "a wrong password"}, {"email": "ben@example.org"}, {"password": ""}])
async def test_a_wrong_login_sets_nothing(nobody: Caller, ann: str, changed: dict[str, str]) -> None:
    answer = await nobody.post("/api/auth/login", LOGIN | changed)
    assert (answer.status, answer.body["code"]) == (401, "not_signed_in")
    assert answer.body["detail"] == "the email or the password is not right"
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("body", [{}, {"email": EMAIL}, LOGIN | {"password": "x" * 1001}, LOGIN | {"email": "x" * 255}])
async def test_what_is_no_login(nobody: Caller, body: dict[str, str]) -> None:
    assert (await nobody.post("/api/auth/login", body)).status == 422


async def test_guessing_is_told_when_to_come_back(nobody: Caller, ann: str) -> None:
    for _ in range(5):
        assert (await nobody.post("/api/auth/login", LOGIN | {"password": "a wrong password"})).status == 401
    answer = await nobody.post("/api/auth/login", LOGIN)
    assert (answer.status, answer.body["code"]) == (429, "too_many")
    assert 50 < int(answer.headers["Retry-After"]) <= 60
    assert (await nobody.post("/api/auth/login", LOGIN | {"email": "ben@example.org"})).status == 429  # the address


async def test_a_link_signs_in_once(server: RunningServer, nobody: Caller, ann: str) -> None:
    token = await link_token(server, ann)
    answer = await nobody.post("/api/auth/link", {"token": token})
    assert (answer.status, answer.body["principal"]["name"]) == (200, EMAIL)
    assert cookie(answer)[0] == answer.body["token"] != token
    again = await nobody.post("/api/auth/link", {"token": token})
    assert (again.status, again.body["code"]) == (401, "not_signed_in")


async def test_logout_ends_the_session_that_asks(nobody: Caller, server: RunningServer, ann: str) -> None:
    token = (await nobody.post("/api/auth/login", LOGIN)).body["token"]
    other = (await nobody.post("/api/auth/login", LOGIN)).body["token"]
    by_cookie = {"Cookie": f"{COOKIE}={token}", "Origin": server.url}
    answer = await nobody.post("/api/auth/logout", headers=by_cookie)
    assert (answer.status, answer.body) == (204, None)
    assert cookie(answer)[0] == "" and "Max-Age=0" in cookie(answer)[1]
    assert (await server.caller(token).get("/api/auth/me")).status == 401
    assert (await server.caller(other).get("/api/auth/me")).status == 200


async def test_a_key_does_not_log_out(server: RunningServer) -> None:
    caller = server.caller((await api_keys.create(server.context, "ci", Role.VIEWER)).secret)
    answer = await caller.post("/api/auth/logout")
    assert (answer.status, answer.body["code"]) == (409, "conflict")
    me = (await caller.get("/api/auth/me")).body
    assert (me["name"], me["kind"], me["member_id"]) == ("ci", "api_key", None)


async def test_a_viewer_sets_the_first_password_and_changes_it(viewer: Caller, nobody: Caller) -> None:
    email = "viewer@example.org"
    assert (await viewer.post("/api/auth/password", {"new": PASSWORD})).status == 204
    assert (await nobody.post("/api/auth/login", {"email": email, "password": PASSWORD})).status == 200
    wrong = await viewer.post("/api/auth/password", {"new": "another password"})
    assert (wrong.status, wrong.body["code"]) == (422, "invalid_input")
    changed = await viewer.post("/api/auth/password", {"current": PASSWORD, "new": "another password"})
    assert changed.status == 204
    assert (await nobody.post("/api/auth/login", {"email": email, "password": PASSWORD})).status == 401
    assert (await viewer.get("/api/auth/me")).status == 200


@pytest.mark.parametrize("new", ["short", "x" * 1001])
async def test_a_password_has_its_length(viewer: Caller, new: str) -> None:
    answer = await viewer.post("/api/auth/password", {"new": new})
    assert (answer.status, answer.body["errors"][0]["pointer"]) == (422, "/new")
