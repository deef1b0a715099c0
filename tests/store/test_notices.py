"""Notices, who has read them, and how they are sent."""

from datetime import timedelta

import pytest

from aloi.core.errors import NotFound
from aloi.core.notice import Delivery, DeliveryStatus, Notice, NoticeKind
from aloi.store import notices, webhooks
from aloi.store.connection import Connection
from aloi.store.database import Database
from aloi.store.notices import NoticeFilter
from aloi.store.webhooks import StoredWebhook
from tests.store.samples import NOW, another_workspace, new_id

LATER = NOW + timedelta(minutes=1)
SCHEDULE = new_id()


async def a_notice(tx: Connection, text: str = "It failed.", waits: bool = False, schedule: str = SCHEDULE) -> Notice:
    delivery = Delivery(status=DeliveryStatus.PENDING, next_at=NOW) if waits else Delivery()
    made = Notice(
        id=new_id(),
        kind=NoticeKind.FAILED,
        text=text,
        at=NOW,
        schedule_id=schedule,
        schedule_name="nightly",
        run_id=new_id(),
        delivery=delivery,
    )
    await notices.insert(tx, made)
    return made


async def test_marks_are_the_readers(db: Database) -> None:
    elsewhere = await another_workspace(db)
    async with db.transaction() as tx:
        first, second = await a_notice(tx, "one"), await a_notice(tx, "two", schedule=new_id())
        assert await notices.page(tx, "ann", NoticeFilter(), 0, 9) == [second, first]
        for _ in range(2):
            await notices.mark_read(tx, "ann", NOW, first.id)
        assert await notices.get(tx, "ann", first.id) == first.model_copy(update={"read": True})
        assert await notices.get(tx, "bob", first.id) == first
        assert await notices.page(tx, "ann", NoticeFilter(unread=True), 0, 9) == [second]
        assert await notices.count(tx, "ann", NoticeFilter(unread=True)) == 1
        assert await notices.page(tx, "bob", NoticeFilter(SCHEDULE), 0, 9) == [first]
    async with elsewhere.transaction() as tx:
        await notices.mark_read(tx, "bob", NOW)
        await notices.mark_read(tx, "bob", NOW, first.id)
        assert await notices.count(tx, "bob", NoticeFilter()) == 0
        with pytest.raises(NotFound):
            await notices.get(tx, "bob", first.id)
    async with db.transaction() as tx:
        assert await notices.count(tx, "bob", NoticeFilter(unread=True)) == 2
        await notices.mark_read(tx, "bob", NOW)
        assert await notices.count(tx, "bob", NoticeFilter(unread=True)) == 0


async def test_ugly_texts_are_kept_as_well_as_can_be(db: Database) -> None:
    async with db.transaction() as tx:
        made = await a_notice(tx, "a\x00b\ud800 é😀")
        assert (await notices.get(tx, "ann", made.id)).text == "a\ufffdb? é😀"


async def test_what_waits_is_claimed_once_and_settled(db: Database) -> None:
    async with db.transaction() as tx:
        await a_notice(tx)
        made = await a_notice(tx, waits=True)
        assert await notices.to_send(tx, NOW - timedelta(seconds=1), 9) == []
        assert await notices.to_send(tx, NOW, 9) == [made]
        assert await notices.waiting(tx, NOW) != []
        assert await notices.claim(tx, made, LATER)
        assert not await notices.claim(tx, made, LATER)
        assert await notices.waiting(tx, NOW) == []
        [again] = await notices.to_send(tx, LATER, 9)
        assert (again.delivery.attempts, again.delivery.next_at) == (1, LATER)
        refused = Delivery(status=DeliveryStatus.PENDING, reason="status 500", next_at=LATER)
        await notices.settle(tx, made.id, 1, refused)
        assert (await notices.get(tx, "ann", made.id)).delivery == refused.model_copy(update={"attempts": 1})
        await notices.settle(tx, made.id, 1, Delivery(status=DeliveryStatus.DELIVERED, delivered_at=LATER))
        assert await notices.waiting(tx, LATER + timedelta(days=9)) == []


async def test_a_refusal_that_comes_late_leaves_the_attempt_behind_it_alone(db: Database) -> None:
    refused = Delivery(status=DeliveryStatus.PENDING, reason="no answer", next_at=NOW)
    delivered = Delivery(status=DeliveryStatus.DELIVERED, delivered_at=LATER)
    async with db.transaction() as tx:
        made = await a_notice(tx, waits=True)
        assert await notices.claim(tx, made, NOW)
        [second] = await notices.to_send(tx, NOW, 9)
        assert await notices.claim(tx, second, LATER)
        await notices.settle(tx, made.id, 1, refused)
        present = (await notices.get(tx, "ann", made.id)).delivery
        assert (present.attempts, present.next_at, present.reason) == (2, LATER, None)
        await notices.settle(tx, made.id, 1, delivered)
        await notices.settle(tx, made.id, 2, refused)
        assert (await notices.get(tx, "ann", made.id)).delivery.status is DeliveryStatus.DELIVERED


async def test_webhooks(db: Database) -> None:
    elsewhere = await another_workspace(db)
    async with db.transaction() as tx:
        for webhook in (StoredWebhook("https://a.org/", "s", NOW), StoredWebhook("https://b.org/", "t", LATER), None):
            await webhooks.replace(tx, webhook)
            assert await webhooks.get(tx) == webhook
        await webhooks.replace(tx, StoredWebhook("https://a.org/", "s", NOW))
    async with elsewhere.read() as rx:
        assert await webhooks.get(rx) is None
