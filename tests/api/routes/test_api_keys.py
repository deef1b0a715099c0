"""API keys over HTTP."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.api.calls import Caller, RunningServer
from tests.store.backends import BACKENDS


@pytest.mark.parametrize("database_address", BACKENDS, indirect=True)
async def test_a_key_from_its_making_to_its_end(server: RunningServer, owner: Caller) -> None:
    expires_at = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    wish = {"name": "ci é", "role": "editor", "expires_at": expires_at}
    made = await owner.post("/api/auth/api-keys", wish)
    assert (made.status, set(made.body)) == (201, {"key", "secret"})
    key, secret = made.body["key"], made.body["secret"]
    assert (key["name"], key["role"], key["created_by"], key["last_used_at"]) == (
        "ci é",
        "editor",
        "owner@example.org",
        None,
    )
    assert len(secret) == 48 and secret.startswith(key["prefix"])
    caller = server.caller(secret)
    assert (await caller.get("/api/members")).status == 200
    listed = await owner.get("/api/auth/api-keys")
    assert secret not in str(listed.body)
    [entry] = listed.body["items"]
    assert entry | {"last_used_at": None} == key and entry["last_used_at"] is not None
    assert (await owner.delete(f"/api/auth/api-keys/{key['id']}")).status == 204
    assert (await caller.get("/api/members")).status == 401
    assert (await owner.delete(f"/api/auth/api-keys/{key['id']}")).status == 404
    assert (await owner.get("/api/auth/api-keys")).body["items"] == []


@pytest.mark.parametrize(
    "changed",
    [
        {"name": ""},
        {"name": "x" * 201},
        {"role": "king"},
        {"expires_at": "2020-01-01T00:00:00Z"},
        {"expires_at": "2099-01-01T00:00:00"},
        {"expires_at": "tomorrow"},
        {"secret": "aloi_mine"},
    ],
)
async def test_what_is_no_key(owner: Caller, changed: dict[str, str]) -> None:
    answer = await owner.post("/api/auth/api-keys", {"name": "ci", "role": "viewer"} | changed)
    assert (answer.status, answer.body["code"]) == (422, "invalid_input")


async def test_a_key_of_an_owner_makes_keys(server: RunningServer, owner: Caller) -> None:
    made = await owner.post("/api/auth/api-keys", {"name": "admin", "role": "owner"})
    again = await server.caller(made.body["secret"]).post("/api/auth/api-keys", {"name": "ci", "role": "owner"})
    assert (again.status, again.body["key"]["created_by"]) == (201, "admin")


async def test_a_stranger_sees_none(owner: Caller, stranger: Caller) -> None:
    key = (await owner.post("/api/auth/api-keys", {"name": "ci", "role": "viewer"})).body["key"]
    assert (await stranger.get("/api/auth/api-keys")).body["total"] == 0
    assert (await stranger.delete(f"/api/auth/api-keys/{key['id']}")).status == 404
