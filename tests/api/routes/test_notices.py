"""Notices and the webhook over HTTP."""

from typing import Any

import pytest

from aloi.core.notice import News, NoticeKind
from aloi.service.clock import new_id, now
from aloi.service.scheduling import notices
from tests.api.calls import Caller, RunningServer
from tests.store.backends import BACKENDS

PATH = "/api/notices"
HOOK = "/api/workspace/webhook"
NIGHTLY, WEEKLY = (new_id(), "nightly"), (new_id(), "weekly")
both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


async def tell(server: RunningServer, schedule: tuple[str, str] = NIGHTLY, text: str = "It failed.") -> str:
    async with server.context.database.transaction() as tx:
        return (await notices.tell(tx, schedule, None, News(NoticeKind.FAILED, text), now())).id


async def seen(caller: Caller, **query: Any) -> tuple[list[tuple[str, bool]], int]:
    """The texts with their marks, and how many are unread."""
    body = (await caller.get(PATH, **query)).body
    return [(item["text"], item["read"]) for item in body["items"]], body["unread"]


@both
async def test_each_reader_has_marks_of_their_own(
    server: RunningServer, viewer: Caller, editor: Caller, stranger: Caller
) -> None:
    first = await tell(server, text="one")
    await tell(server, WEEKLY, "two")
    assert await seen(viewer) == ([("two", False), ("one", False)], 2)
    marked = await viewer.post(f"{PATH}/{first}/read")
    assert (marked.status, marked.body["read"]) == (200, True)
    assert (await viewer.post(f"{PATH}/{first}/read")).body == marked.body
    assert await seen(viewer) == ([("two", False), ("one", True)], 1)
    assert await seen(viewer, unread="true") == ([("two", False)], 1)
    assert await seen(viewer, schedule_id=NIGHTLY[0]) == ([("one", True)], 1)
    assert await seen(editor) == ([("two", False), ("one", False)], 2)
    assert (await viewer.post(f"{PATH}/read")).status == 204
    assert await seen(viewer) == ([("two", True), ("one", True)], 0)
    await tell(server, text="three")
    assert (await seen(viewer))[1] == 1
    assert await seen(stranger) == ([], 0)
    assert (await stranger.post(f"{PATH}/{first}/read")).status == 404
    assert (await stranger.post(f"{PATH}/read")).status == 204
    assert (await seen(editor))[1] == 3


async def test_pages(server: RunningServer, viewer: Caller) -> None:
    for number in range(5):
        await tell(server, text=str(number))
    body = (await viewer.get(PATH, page=2, size=2)).body
    assert [item["text"] for item in body["items"]] == ["2", "1"]
    assert (body["total"], body["pages"], body["unread"]) == (5, 3, 5)
    assert body["items"][0]["delivery"] == {
        "status": "none", "attempts": 0, "next_at": None, "reason": None, "delivered_at": None
    }  # fmt: skip


@both
async def test_the_webhook(owner: Caller, viewer: Caller, stranger: Caller) -> None:
    assert (await viewer.get(HOOK)).body == {"url": None, "updated_at": None}
    made = (await owner.put(HOOK, {"url": "https://example.org/hook"})).body
    assert made["secret"].startswith("whsec_") and len(made["secret"]) > 40
    assert (await owner.get(HOOK)).body == made["webhook"]
    assert made["webhook"]["url"] == "https://example.org/hook"
    assert (await owner.put(HOOK, {"url": "https://example.org/other"})).body["secret"] is None
    again = (await owner.put(HOOK, {"url": "https://example.org/other", "new_secret": True})).body["secret"]
    assert again not in (None, made["secret"])
    assert (await stranger.get(HOOK)).body["url"] is None
    assert (await stranger.post(f"{HOOK}/test")).status == 409, "there is nothing to try"
    assert (await owner.put(HOOK, {"url": None})).body == {"webhook": {"url": None, "updated_at": None}, "secret": None}


async def test_who_is_no_owner_is_told_the_host_alone(owner: Caller, editor: Caller, viewer: Caller) -> None:
    """For many services the path is the secret."""
    made = await owner.put(HOOK, {"url": "https://hooks.example.org:8443/services/T0/B0/hidden?key=hidden#hidden"})
    for other in (editor, viewer):
        shown = (await other.get(HOOK)).body
        assert shown == {**made.body["webhook"], "url": "https://hooks.example.org:8443/…"}


async def test_addresses_of_the_operators_network_are_refused(owner: Caller) -> None:
    for url in (
        "http://127.0.0.1/",
        "http://169.254.169.254/",
        "http://localhost:8080/",
        "file:///etc/passwd",
        "x" * 3000,
    ):
        answer = await owner.put(HOOK, {"url": url})
        assert (answer.status, answer.body["errors"][0]["pointer"]) == (422, "/url"), url
    assert (await owner.put(HOOK, {})).status == 422
