"""Where each workspace's notices are sent."""

from datetime import datetime
from typing import NamedTuple

from aloi.store.codec import pack_time, unpack_time
from aloi.store.connection import Connection


class StoredWebhook(NamedTuple):
    """A webhook with the secret that signs what is sent."""

    url: str
    secret: str
    updated_at: datetime


async def get(rx: Connection) -> StoredWebhook | None:
    """The workspace's webhook, or null."""
    row = await rx.fetch_one("SELECT url, secret, updated_at FROM webhooks WHERE workspace_id = ?", (rx.workspace,))
    return None if row is None else StoredWebhook(row[0], row[1], unpack_time(row[2]))


async def replace(tx: Connection, webhook: StoredWebhook | None) -> None:
    """Set the workspace's webhook; null takes it away."""
    await tx.execute("DELETE FROM webhooks WHERE workspace_id = ?", (tx.workspace,))
    if webhook is not None:
        await tx.execute(
            "INSERT INTO webhooks (url, secret, updated_at, workspace_id) VALUES (?, ?, ?, ?)",
            (webhook.url, webhook.secret, pack_time(webhook.updated_at), tx.workspace),
        )
