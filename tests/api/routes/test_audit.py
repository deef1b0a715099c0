"""The audit log over HTTP."""

from tests.api.calls import Caller


async def test_it_tells_who_did_what(owner: Caller, viewer: Caller) -> None:
    await owner.put("/api/workspace", {"name": "new"})
    answer = await owner.get("/api/audit")
    entry = answer.body["items"][0]
    assert entry.pop("id") and entry.pop("object_id")
    assert entry.pop("at").endswith("Z")
    assert entry == {
        "actor": "owner@example.org",
        "action": "workspace.update",
        "object_kind": "workspace",
        "object_name": "new",
        "before": {"name": "default"},
        "after": {"name": "new"},
    }


async def test_pages_and_filters(owner: Caller, viewer: Caller) -> None:
    whole = (await owner.get("/api/audit")).body
    assert whole["total"] == 4  # two members were added, and signed in
    second = (await owner.get("/api/audit", page=2, size=1)).body
    assert (second["items"], second["pages"]) == (whole["items"][1:2], 4)
    assert (await owner.get("/api/audit", q="VIEWER@")).body["total"] == 2
    assert (await owner.get("/api/audit", action="member.add")).body["total"] == 2
    assert (await owner.get("/api/audit", action="sign_in.")).body["total"] == 2
    assert (await owner.get("/api/audit", action="sign_in.", q="owner")).body["total"] == 1


async def test_strangers_have_their_own(owner: Caller, stranger: Caller) -> None:
    assert {entry["object_name"] for entry in (await stranger.get("/api/audit")).body["items"]} == {
        "stranger@example.org"
    }
