"""API keys: how programs sign in."""

from datetime import datetime

from aloi.core.access import LOCAL, ApiKey, NewApiKey, Role
from aloi.core.errors import InvalidInput, NotPermitted
from aloi.core.listing import Page
from aloi.core.spec import valid
from aloi.service.accounts.members import is_email
from aloi.service.accounts.tokens import KEY_PREFIX, digest, new_key
from aloi.service.audit import record
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import api_keys as stored

# So much of a key tells it from others, and helps nobody to guess it.
SHOWN = len(KEY_PREFIX) + 6


async def listing(context: Context, page: int = 1, size: int = 20) -> Page[ApiKey]:
    """A page of the workspace's keys, newest first."""
    async with context.database.read() as rx:
        return await stored.page(rx, page, size)


async def create(context: Context, name: str, role: Role, expires_at: datetime | None = None) -> NewApiKey:
    """Make a key. Its secret is in the answer and nowhere else.

    Args:
        expires_at: an aware time from which it does not work any more; null for never.

    Raises:
        InvalidInput: the name does not fit, or is one that a member may have; or it would have expired already.
        NotPermitted: the role is above the caller's own.
    """
    at = now()
    if not context.principal.role.may(role):
        raise NotPermitted(f"a key of the role {role} is above your own role {context.principal.role}")
    if expires_at is not None and expires_at <= at:
        raise InvalidInput(f"expires_at is {expires_at.isoformat()}, which is past; give a later time or none")
    _refuse_name_of_member(name)
    secret = new_key()
    fields = {
        "id": new_id(),
        "name": name,
        "prefix": secret[:SHOWN],
        "role": role,
        "created_by": context.principal.name,
        "created_at": at,
        "expires_at": expires_at,
    }
    key = valid(ApiKey, fields, "the API key")
    async with context.database.transaction() as tx:
        await stored.create(tx, key, digest(secret))
        after = key.model_dump(mode="json", include={"prefix", "role", "expires_at"})
        await record(context, tx, action="api_key.create", kind="api_key", id=key.id, name=name, after=after)
    return NewApiKey(key=key, secret=secret)


def _refuse_name_of_member(name: str) -> None:
    """The audit log, labels and runs tell who did something by name: a key must not pass for somebody else."""
    if is_email(name) or name.strip().lower() == LOCAL.name:
        raise InvalidInput(
            f"a key is not named {name!r:.100}: what it does would look as if somebody of that name did it; name it "
            "after what uses it, like `CI of the shop`"
        )


async def revoke(context: Context, key_id: str) -> None:
    """Delete a key: from now on it opens nothing.

    Raises:
        NotFound: there is no such key.
    """
    async with context.database.transaction() as tx:
        key = await stored.get(tx, key_id)
        await stored.delete(tx, key_id)
        before = key.model_dump(mode="json", include={"prefix", "role", "expires_at"})
        await record(context, tx, action="api_key.revoke", kind="api_key", id=key.id, name=key.name, before=before)
