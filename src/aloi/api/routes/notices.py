"""What schedules tell people, and where that is sent."""

from typing import Annotated

from fastapi import APIRouter, Query

from aloi.api.access import Owner, Viewer
from aloi.api.faults import Pointed
from aloi.api.paging import Paging
from aloi.core.notice import Notice, NoticesOut
from aloi.core.webhook import NewWebhook, Webhook, WebhookChange, WebhookTest
from aloi.service.scheduling import notices, webhooks

router = APIRouter(tags=["notices"], dependencies=[Pointed])


@router.get("/notices")
async def list_notices(
    context: Viewer,
    paging: Paging,
    schedule_id: Annotated[str | None, Query(description="Only those of this schedule, by its id.")] = None,
    unread: Annotated[bool, Query(description="Only those that the caller has not marked as read.")] = False,
) -> NoticesOut:
    """List what schedules told, newest first, with how many the caller has not read."""
    wanted = notices.NoticeFilter(schedule_id, unread)
    return await notices.page(context, wanted, paging.page, paging.size)


@router.post("/notices/{notice_id}/read")
async def mark_notice_read(context: Viewer, notice_id: str) -> Notice:
    """Mark a notice as read by the caller; others still have it to read."""
    return await notices.mark_read(context, notice_id)


@router.post("/notices/read", status_code=204)
async def mark_all_notices_read(context: Viewer) -> None:
    """Mark all notices as read by the caller."""
    await notices.mark_all_read(context)


@router.get("/workspace/webhook")
async def get_webhook(context: Viewer) -> Webhook:
    """Read where notices are sent; never the secret. Who is no owner is told the host alone."""
    return await webhooks.get(context)


@router.put("/workspace/webhook")
async def set_webhook(context: Owner, body: WebhookChange) -> NewWebhook:
    """Set where notices are sent, by POST as JSON. What is sent is signed with a secret that is told this one time.

    The header `X-Aloi-Signature` is `t=SECONDS,v1=HEX`: HEX is the HMAC-SHA256, by the secret, of the seconds in
    digits, a full stop, and the body. What is not answered with a status of 200 to 299 is sent again, up to four times.
    """
    return await webhooks.replace(context, body)


@router.post("/workspace/webhook/test")
async def try_webhook(context: Owner) -> WebhookTest:
    """Send a message of the type `test` to the webhook, signed as notices are, and tell whether it was taken."""
    return await webhooks.send_test(context)
