"""Members over HTTP."""

import pytest

from tests.api.calls import Caller, RunningServer
from tests.store.backends import BACKENDS


@pytest.mark.parametrize("database_address", BACKENDS, indirect=True)
async def test_a_member_from_first_to_last(server: RunningServer, owner: Caller, nobody: Caller) -> None:
    added = await owner.post("/api/members", {"email": "Ann@Example.org", "role": "viewer"})
    assert (added.status, set(added.body)) == (201, {"member", "link"})
    member = added.body["member"]
    assert (member["email"], member["role"], member["has_password"], member["last_seen_at"]) == (
        "ann@example.org",
        "viewer",
        False,
        None,
    )
    token = added.body["link"].removeprefix("/sign-in?token=")
    ann = server.caller((await nobody.post("/api/auth/link", {"token": token})).body["token"])
    assert (await ann.get("/api/auth/me")).body["member_id"] == member["id"]
    changed = await owner.put(f"/api/members/{member['id']}", {"role": "owner"})
    assert (changed.status, changed.body["role"]) == (200, "owner")
    assert (await ann.get("/api/auth/me")).body["role"] == "owner"
    assert (await ann.get("/api/audit")).status == 200
    assert (await owner.delete(f"/api/members/{member['id']}")).status == 204
    assert (await ann.get("/api/auth/me")).status == 401
    assert [m["email"] for m in (await owner.get("/api/members")).body["items"]] == ["owner@example.org"]


async def test_a_member_with_a_password_signs_in_by_it(owner: Caller, nobody: Caller) -> None:
    wish = {"email": "ann@example.org", "role": "viewer", "password": "four words that fit"}
    added = await owner.post("/api/members", wish)
    assert added.body["link"] is None and "four words" not in str(added.body)
    login = {"email": "ANN@example.org", "password": wish["password"]}
    assert (await nobody.post("/api/auth/login", login)).status == 200


async def test_a_forgotten_password(server: RunningServer, owner: Caller, nobody: Caller) -> None:
    wish = {"email": "ann@example.org", "role": "viewer", "password": "four words that fit"}
    member = (await owner.post("/api/members", wish)).body["member"]
    kept = await owner.put(f"/api/members/{member['id']}", {})
    assert kept.body["has_password"] is True
    taken = await owner.put(f"/api/members/{member['id']}", {"password": None})
    assert taken.body["has_password"] is False
    fresh = await owner.post(f"/api/members/{member['id']}/link")
    assert (fresh.status, fresh.body["member"]["id"]) == (201, member["id"])
    token = fresh.body["link"].removeprefix("/sign-in?token=")
    ann = server.caller((await nobody.post("/api/auth/link", {"token": token})).body["token"])
    assert (await ann.post("/api/auth/password", {"new": "another password"})).status == 204


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"email": "ann"}, 422),
        ({"email": "a b@c"}, 422),
        ({"email": "x" * 255}, 422),
        ({"role": "king"}, 422),
        ({"role": None}, 422),
        ({"password": "short"}, 422),
        ({"email": "OWNER@example.org"}, 409),
    ],
)
async def test_who_cannot_be_a_member(owner: Caller, changed: dict[str, str | None], status: int) -> None:
    answer = await owner.post("/api/members", {"email": "ann@example.org", "role": "viewer"} | changed)
    assert answer.status == status
    assert (await owner.get("/api/members")).body["total"] == 1


async def test_the_last_owner_stays(owner: Caller) -> None:
    me = (await owner.get("/api/auth/me")).body["member_id"]
    for answer in (await owner.delete(f"/api/members/{me}"), await owner.put(f"/api/members/{me}", {"role": "viewer"})):
        assert (answer.status, answer.body["code"]) == (409, "conflict")
        assert "only owner" in answer.body["detail"]


async def test_a_member_of_another_workspace(owner: Caller, stranger: Caller) -> None:
    taken = await stranger.post("/api/members", {"email": "owner@example.org", "role": "viewer"})
    assert taken.status == 409
    me = (await owner.get("/api/auth/me")).body["member_id"]
    assert (await stranger.post(f"/api/members/{me}/link")).status == 404
    assert [m["email"] for m in (await stranger.get("/api/members")).body["items"]] == ["stranger@example.org"]


async def test_viewers_see_who_is_there(viewer: Caller, owner: Caller) -> None:
    answer = await viewer.get("/api/members")
    assert (answer.status, answer.body["total"]) == (200, 2)
    assert set(answer.body["items"][0]) == {
        "id",
        "email",
        "role",
        "has_password",
        "created_at",
        "last_seen_at",
        "granted",
    }
