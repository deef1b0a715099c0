"""What schedules tell people."""

from datetime import datetime

from aloi.core.listing import Page
from aloi.core.notice import Delivery, DeliveryStatus, News, Notice, NoticesOut
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import notices as stored
from aloi.store import webhooks
from aloi.store.connection import Connection
from aloi.store.notices import NoticeFilter


async def tell(tx: Connection, schedule: tuple[str, str], run_id: str | None, news: News, at: datetime) -> Notice:
    """Tell something of a schedule, in the caller's transaction; it goes to the workspace's webhook if there is one.

    Args:
        schedule: its id and its name.
    """
    has_webhook = await webhooks.get(tx) is not None
    delivery = Delivery(status=DeliveryStatus.PENDING, next_at=at) if has_webhook else Delivery()
    notice = Notice(
        id=new_id(),
        kind=news.kind,
        text=news.text,
        at=at,
        schedule_id=schedule[0],
        schedule_name=schedule[1],
        run_id=run_id,
        delivery=delivery,
    )
    await stored.insert(tx, notice)
    return notice


async def page(context: Context, wanted: NoticeFilter, number: int, size: int) -> NoticesOut:
    """A page, counted from 1, of the notices that a filter lets through, newest first, and how many are unread."""
    reader = _reader(context)
    async with context.database.read() as rx:
        items = await stored.page(rx, reader, wanted, (number - 1) * size, size)
        total = await stored.count(rx, reader, wanted)
        unread = await stored.count(rx, reader, NoticeFilter(unread=True))
    found = Page(items=tuple(items), total=total, page=number, size=size)
    return NoticesOut(**dict(found), pages=found.pages, unread=unread)


async def mark_read(context: Context, notice_id: str) -> Notice:
    """Mark a notice as read by the caller.

    Raises:
        NotFound: there is none.
    """
    reader = _reader(context)
    async with context.database.transaction() as tx:
        found = await stored.get(tx, reader, notice_id)
        await stored.mark_read(tx, reader, now(), found.id)
        return await stored.get(tx, reader, found.id)


async def mark_all_read(context: Context) -> None:
    """Mark all notices that there are as read by the caller."""
    async with context.database.transaction() as tx:
        await stored.mark_read(tx, _reader(context), now())


def _reader(context: Context) -> str:
    """Whose marks they are: a member's, whatever their email becomes; else a key's or the local user's, by name."""
    principal = context.principal
    return principal.member_id or f"{principal.kind} {principal.name}"
