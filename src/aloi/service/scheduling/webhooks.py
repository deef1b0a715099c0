"""The workspace's webhook: where notices are sent, signed, and again when it does not take them."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from ipaddress import ip_address

from pydantic_core import to_json
from yarl import URL

from aloi.core.access import Role, Workspace
from aloi.core.errors import Conflict
from aloi.core.misfit import Misplaced, pointer
from aloi.core.notice import Delivery, DeliveryStatus, Notice
from aloi.core.spec import JsonObject
from aloi.core.webhook import SIGNATURE_HEADER, NewWebhook, Webhook, WebhookChange, WebhookTest, signature
from aloi.llm import guard
from aloi.service.accounts.tokens import new_token
from aloi.service.audit import record
from aloi.service.checks import refuse, unstorable
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import notices, webhooks, workspaces
from aloi.store.webhooks import StoredWebhook

SECRET_PREFIX = "whsec_"
ANSWER_SECONDS = 10.0
# After each attempt that failed so long until the next one; after the last it is given up.
WAITS = tuple(timedelta(seconds=seconds) for seconds in (10, 60, 600, 3600))
# Of one workspace at a time, so that none waits for the slow receiver of another one.
AT_ONCE = 5
PLACE = pointer(("url",))


async def get(context: Context) -> Webhook:
    """The workspace's webhook, without its secret.

    Of its address who is no owner is told the host alone: with many services what stands behind it is all that they ask
    for before they take a message.
    """
    async with context.database.read() as rx:
        shown = _shown(await webhooks.get(rx))
    if shown.url is None or context.principal.role.may(Role.OWNER):
        return shown
    return shown.model_copy(update={"url": f"{URL(shown.url).origin()}/…"})


async def replace(context: Context, change: WebhookChange) -> NewWebhook:
    """Set where notices are sent. A secret is made for the first address, and when a new one is asked for.

    Raises:
        Misfit: it is no http or https address, holds a password, or names a private one that the operator did not
            allow. A name that leads to a private address is refused when something is sent there.
    """
    url = None if change.url is None else _checked(change.url, context.settings.allow_hosts)
    async with context.database.transaction() as tx:
        present = await webhooks.get(tx)
        made = None if url is None or (present and not change.new_secret) else SECRET_PREFIX + new_token()
        secret = made or (present.secret if present else "")
        wanted = None if url is None else StoredWebhook(url, secret, now())
        await webhooks.replace(tx, wanted)
        workspace = await workspaces.present(tx)
        before: JsonObject = {"url": present.url if present else None}
        after: JsonObject = {"url": url, **({"secret": "new"} if made else {})}
        if before != after:
            await record(
                context,
                tx,
                action="workspace.webhook",
                kind="workspace",
                id=workspace.id,
                name=workspace.name,
                before=before,
                after=after,
            )
    return NewWebhook(webhook=_shown(wanted), secret=made)


async def send_test(context: Context) -> WebhookTest:
    """Send a message of the type `test`, signed as a notice is, once and now; what came of it. Nothing is stored.

    Raises:
        Conflict: there is no webhook.
    """
    async with context.database.read() as rx:
        webhook = await webhooks.get(rx)
        workspace = await workspaces.present(rx)
    if webhook is None:
        raise Conflict("there is no webhook to try; set its address first")
    at = now()
    said = {"type": "test", "id": new_id(), "at": at, "workspace": _named(workspace)}
    fault = await _post(context, webhook, said, at)
    return WebhookTest(taken=fault is None, reason=fault)


def _shown(webhook: StoredWebhook | None) -> Webhook:
    return Webhook() if webhook is None else Webhook(url=webhook.url, updated_at=webhook.updated_at)


def _checked(text: str, allow_hosts: frozenset[str]) -> str:
    refuse(list(unstorable({"url": text})))
    fault = _fault(text, allow_hosts)
    refuse([Misplaced(PLACE, fault)] if fault else [])
    return text.strip()


def _fault(text: str, allow_hosts: frozenset[str]) -> str | None:
    """What keeps an address from being one that notices are sent to; null when nothing does."""
    try:
        url = URL(text.strip())
        host = url.host
        complete = (
            text.isprintable()
            and " " not in text.strip()
            and url.scheme in ("http", "https")
            and bool(host)
            and url.port != 0
        )
    except ValueError:
        host, url, complete = None, URL(), False
    if not complete or host is None:
        return f"{text!r:.100} is no address; write it like https://example.org/aloi"
    if url.user is not None or url.password is not None:
        return "the address holds a user name or password; leave it out: what is sent is signed"
    if guard.host_key(host) in map(guard.host_key, allow_hosts):
        return None
    try:
        public = guard.is_public(ip_address(host))
    except ValueError:  # a name: what it leads to is checked whenever something is sent
        public = guard.host_key(host) != "localhost"
    return None if public else f"{host} is a private or reserved address; the operator may allow it in ALOI_ALLOW_HOSTS"


async def deliver(context: Context, at: datetime) -> list[Notice]:
    """Send the notices of all workspaces that are to be sent at a moment; those that this process tried to send.

    Raises:
        StoreUnavailable: the database cannot be used.
    """
    async with context.database.read() as rx:
        waiting = await notices.waiting(rx, at)
    tried = await asyncio.gather(*(_deliver_of(context.in_workspace(workspace), at) for workspace in waiting))
    return [notice for some in tried for notice in some]


async def _deliver_of(context: Context, at: datetime) -> Sequence[Notice]:
    async with context.database.read() as rx:
        found = await notices.to_send(rx, at, AT_ONCE)
        webhook = await webhooks.get(rx)
        workspace = await workspaces.present(rx)
    done = await asyncio.gather(*(_deliver(context, workspace, notice, webhook, at) for notice in found))
    return [notice for notice, tried in zip(found, done, strict=True) if tried]


async def _deliver(
    context: Context, workspace: Workspace, notice: Notice, webhook: StoredWebhook | None, at: datetime
) -> bool:
    """Send one notice; false when another process does. Should this one end meanwhile, it is tried again later."""
    attempts = notice.delivery.attempts + 1
    again = at + WAITS[min(attempts, len(WAITS)) - 1]
    async with context.database.transaction() as tx:
        if not await notices.claim(tx, notice, again):
            return False
    if webhook is None:
        delivery = Delivery(status=DeliveryStatus.FAILED, reason="there is no webhook any more")
    else:
        fault = await _post(context, webhook, message(workspace, notice), at)
        delivery = _outcome(fault, attempts, at, again)
    async with context.database.transaction() as tx:
        await notices.settle(tx, notice.id, attempts, delivery)
    return True


def _outcome(fault: str | None, attempts: int, at: datetime, again: datetime) -> Delivery:
    if fault is None:
        return Delivery(status=DeliveryStatus.DELIVERED, delivered_at=at)
    if attempts > len(WAITS):
        return Delivery(status=DeliveryStatus.FAILED, reason=fault)
    return Delivery(status=DeliveryStatus.PENDING, reason=fault, next_at=again)


async def _post(context: Context, webhook: StoredWebhook, said: Mapping[str, object], at: datetime) -> str | None:
    """Send a message, signed; why it was not taken, or null."""
    body = to_json(said)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "aloi",
        SIGNATURE_HEADER: signature(webhook.secret, body, at),
    }
    sent = await guard.post(URL(webhook.url), body, headers, context.settings.allow_hosts, ANSWER_SECONDS)
    if sent.status is None:
        return sent.fault
    return None if 200 <= sent.status < 300 else f"it answered with status {sent.status}"


def message(workspace: Workspace, notice: Notice) -> JsonObject:
    """What is sent of a notice. Its id tells receivers whether they had it already: it may come twice."""
    said = notice.model_dump(mode="json", include={"id", "kind", "text", "at", "run_id"})
    return {
        "type": "notice",
        **said,
        "schedule": {"id": notice.schedule_id, "name": notice.schedule_name},
        "workspace": _named(workspace),
    }


def _named(workspace: Workspace) -> JsonObject:
    return {"id": workspace.id, "name": workspace.name}
