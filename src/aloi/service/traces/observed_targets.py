"""The targets that traces name: those there are, and new ones for agents that nobody has told Aloi of."""

from collections.abc import Collection, Iterable

from aloi.core.dataset import NAME_LENGTH
from aloi.service.changes import record_change
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.targets import add_version
from aloi.store import observed, targets
from aloi.store.connection import Connection
from aloi.store.observed import VersionIds
from aloi.targets.remote import Remote

MOST_REMOTE = 1000  # in a workspace: a service that makes its name up anew each time must not fill it
# Whose executions those of further names are.
OTHERS = "other services"
NAMELESS = "unknown_service"


def usable(name: str) -> str:
    """A name that traces give as a target may have it."""
    return name.strip()[:NAME_LENGTH].replace("\0", "") or NAMELESS


async def versions_of(context: Context, tx: Connection, names: Collection[str]) -> dict[str, VersionIds]:
    """The version that executions of each target belong to: the active one. Targets that are not there are made."""
    found = await observed.versions(tx, sorted(names))
    missing = sorted(name for name in names if name not in found)
    if missing:
        found |= await _made(context, tx, missing)
    return found


async def _made(context: Context, tx: Connection, names: Iterable[str]) -> dict[str, VersionIds]:
    made: dict[str, VersionIds] = {}
    await tx.lock(f"remote targets {tx.workspace.hex()}")
    room = MOST_REMOTE - await observed.remote_targets(tx)
    for name in names:
        own = name if len(made) < room else OTHERS
        made[name] = made.get(own) or await _ensured(context, tx, own)
    return made


async def _ensured(context: Context, tx: Connection, name: str) -> VersionIds:
    known = await observed.versions(tx, [name])  # another process may have been faster
    if name in known:
        return known[name]
    target = Remote()
    record = await targets.ensure(tx, name, target.kind, new_id, now())
    version = await add_version(tx, record, target)
    await record_change(context, tx, "target.create", (record.id, name), None, await targets.get(tx, record.id))
    return VersionIds(record.id, version.id)
