"""What schedules tell reaches a real receiver, signed, however it misbehaves; and never one inside the network."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer, unused_port

from aloi.core.access import FIRST_WORKSPACE
from aloi.core.errors import Conflict
from aloi.core.misfit import Misfit
from aloi.core.notice import DeliveryStatus, News, Notice, NoticeKind
from aloi.core.webhook import NewWebhook, WebhookChange, WebhookTest, is_signed
from aloi.service import audit
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.scheduling import notices, webhooks
from aloi.service.scheduling.notices import NoticeFilter
from aloi.service.scheduling.webhooks import WAITS, deliver
from aloi.settings import Settings

SCHEDULE = (new_id(), "nightly")


class Receiver:
    """Takes what is sent; answers with `status`, does not answer while `silent`, or breaks the connection."""

    def __init__(self) -> None:
        self.got: list[tuple[bytes, str]] = []
        self.status = 200
        self.silent = False
        self.breaks = False
        self.headers: dict[str, str] = {}
        self.released = asyncio.Event()

    async def take(self, request: web.Request) -> web.StreamResponse:
        """One request."""
        self.got.append((await request.read(), request.headers["X-Aloi-Signature"]))
        if self.breaks:
            assert request.transport is not None
            request.transport.abort()
        if self.silent:
            await self.released.wait()
        return web.Response(status=self.status, headers=self.headers, text="x" * 100_000)


@pytest.fixture
async def receiver() -> AsyncIterator[tuple[Receiver, str]]:
    """A receiver on the loopback, and its address."""
    handler = Receiver()
    app = web.Application()
    app.router.add_post("/hook", handler.take)
    async with TestServer(app, host="127.0.0.1") as server:
        yield handler, str(server.make_url("/hook"))
        handler.released.set()


@pytest.fixture
async def context(tmp_path: Path) -> AsyncIterator[Context]:
    """A server's context whose operator allows the loopback."""
    settings = Settings(home=tmp_path, allow_hosts=frozenset({"127.0.0.1"}))
    opened = await Context.open(settings, {}, served=True)
    yield opened
    await opened.close()


async def hooked(context: Context, url: str | None, **fields: Any) -> NewWebhook:
    return await webhooks.replace(context, WebhookChange(url=url, **fields))


async def tell(context: Context, text: str = "It failed.") -> Notice:
    async with context.database.transaction() as tx:
        return await notices.tell(tx, SCHEDULE, None, News(NoticeKind.FAILED, text), now())


async def state(context: Context) -> tuple[DeliveryStatus, int, str | None]:
    """How far the newest notice got."""
    delivery = (await notices.page(context, NoticeFilter(), 1, 1)).items[0].delivery
    return delivery.status, delivery.attempts, delivery.reason


async def test_a_notice_arrives_signed(context: Context, receiver: tuple[Receiver, str]) -> None:
    handler, url = receiver
    secret = (await hooked(context, url)).secret
    assert secret is not None
    notice = await tell(context, "Où ? 😀 <script>")
    at = now()
    assert [sent.id for sent in await deliver(context, at)] == [notice.id]
    [(body, signature)] = handler.got
    assert is_signed(secret, signature, body, now())
    assert not is_signed(secret + "x", signature, body, now())
    assert not is_signed(secret, signature, body + b" ", now())
    assert not is_signed(secret, signature, body, now() + timedelta(hours=1))
    assert json.loads(body) == {
        "type": "notice",
        "id": notice.id,
        "kind": "failed",
        "text": "Où ? 😀 <script>",
        "at": notice.at.isoformat().replace("+00:00", "Z"),
        "run_id": None,
        "schedule": {"id": SCHEDULE[0], "name": "nightly"},
        "workspace": {"id": FIRST_WORKSPACE, "name": "default"},
    }
    assert await state(context) == (DeliveryStatus.DELIVERED, 1, None)
    assert await deliver(context, at + timedelta(days=1)) == []


@pytest.mark.parametrize(
    ("status", "said"), [(500, "status 500"), (404, "status 404"), (302, "status 302"), (429, "status 429")]
)
async def test_a_refusal_is_tried_again_later(
    context: Context, receiver: tuple[Receiver, str], status: int, said: str
) -> None:
    handler, url = receiver
    handler.status = status
    handler.headers = {"Location": url} if status == 302 else {}
    await hooked(context, url)
    await tell(context)
    at = now()
    await deliver(context, at)
    assert await state(context) == (DeliveryStatus.PENDING, 1, f"it answered with {said}")
    assert await deliver(context, at + WAITS[0] / 2) == [], "not before its time"
    handler.status = 204
    await deliver(context, at + WAITS[0])
    assert await state(context) == (DeliveryStatus.DELIVERED, 2, None)
    assert len(handler.got) == 2


async def test_in_the_end_it_is_given_up(context: Context, receiver: tuple[Receiver, str]) -> None:
    handler, url = receiver
    handler.status = 503
    await hooked(context, url)
    await tell(context)
    at = now()
    for wait in (timedelta(0), *WAITS, timedelta(days=1), timedelta(days=9)):
        at += wait
        await deliver(context, at)
    assert len(handler.got) == len(WAITS) + 1
    assert await state(context) == (DeliveryStatus.FAILED, len(WAITS) + 1, "it answered with status 503")


async def test_one_that_breaks_or_is_silent_or_is_not_there(
    context: Context, receiver: tuple[Receiver, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "ANSWER_SECONDS", 0.1)
    handler, url = receiver
    await hooked(context, url)
    await tell(context)
    handler.breaks, at = True, now()
    await deliver(context, at)
    assert "broke" in str((await state(context))[2])
    handler.breaks, handler.silent = False, True
    await deliver(context, at + WAITS[0])
    assert await state(context) == (DeliveryStatus.PENDING, 2, "no answer within 0.1 s")
    await hooked(context, f"http://127.0.0.1:{unused_port()}/")
    await deliver(context, at + timedelta(hours=1))
    assert "no connection" in str((await state(context))[2])


async def test_a_silent_receiver_is_asked_by_one_process_alone(
    context: Context, receiver: tuple[Receiver, str]
) -> None:
    handler, url = receiver
    await hooked(context, url)
    await tell(context)
    other = await Context.open(context.settings, {}, served=True)
    try:
        at = now()
        sent = await asyncio.gather(*(deliver(each, at) for each in (context, other) * 3))
    finally:
        await other.close()
    assert sum(map(len, sent)) == len(handler.got) == 1


async def test_without_a_webhook_nothing_waits(context: Context, receiver: tuple[Receiver, str]) -> None:
    await tell(context)
    assert await state(context) == (DeliveryStatus.NONE, 0, None)
    _, url = receiver
    await hooked(context, url)
    assert await deliver(context, now()) == [], "what was told before is not sent"
    await tell(context)
    await hooked(context, None)
    await deliver(context, now())
    assert await state(context) == (DeliveryStatus.FAILED, 1, "there is no webhook any more")


async def test_a_webhook_is_tried(context: Context, receiver: tuple[Receiver, str]) -> None:
    with pytest.raises(Conflict, match="there is no webhook to try"):
        await webhooks.send_test(context)
    handler, url = receiver
    secret = (await hooked(context, url)).secret
    assert secret is not None
    assert await webhooks.send_test(context) == WebhookTest(taken=True)
    [(body, signature)] = handler.got
    assert is_signed(secret, signature, body, now())
    said = json.loads(body)
    assert (said["type"], said["workspace"]["name"], said["at"][-1]) == ("test", "default", "Z")
    handler.status = 500
    tried = await webhooks.send_test(context)
    assert not tried.taken and "status 500" in str(tried.reason)
    assert await deliver(context, now() + timedelta(days=1)) == [], "it is not sent again"


async def test_a_name_that_leads_inside_is_refused_when_it_is_sent(context: Context, tmp_path: Path) -> None:
    """`localtest.me` and the like resolve to the loopback; here the name of this machine's loopback stands for them."""
    await hooked(context, "http://example.invalid/hook")
    async with context.database.transaction() as tx:
        await tx.execute("UPDATE webhooks SET url = ?", (f"http://localhost:{unused_port()}/",))
    await tell(context)
    await deliver(context, now())
    assert "is a private or reserved address" in str((await state(context))[2])


async def test_the_secret_is_told_once(context: Context, receiver: tuple[Receiver, str]) -> None:
    _, url = receiver
    first = await hooked(context, url)
    again = await hooked(context, url + "?b=2")
    third = await hooked(context, url, new_secret=True)
    assert first.secret and again.secret is None and third.secret and third.secret != first.secret
    shown = await webhooks.get(context)
    assert (shown.url, shown.model_dump().keys()) == (url, {"url", "updated_at"})
    entries = (await audit.listing(context, action="workspace.webhook")).items
    assert len(entries) == 3
    assert all(secret not in str(entries) for secret in (first.secret, third.secret))
    assert (await hooked(context, None)).webhook.url is None
    assert (await hooked(context, url)).secret not in (None, third.secret)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "ftp://example.org/",
        "example.org",
        "http://",
        "http://user:secret@example.org/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://example.org/\n",
        "http://exa mple.org/",
        "http://example.org/a hook",
        "http://example.org/?to=a b",
        "http://example.org:0/",
        "http://exa\x00mple.org/",
        "http://example.org:99999/",
    ],
)
async def test_addresses_that_are_refused(context: Context, url: str) -> None:
    with pytest.raises(Misfit) as refused:
        await hooked(context, url)
    assert refused.value.faults[0].pointer == "/url"
    assert (await webhooks.get(context)).url is None
