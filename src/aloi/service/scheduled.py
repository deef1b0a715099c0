"""What schedules need is not deleted under them."""

from aloi.core.errors import Conflict
from aloi.store import schedule_names
from aloi.store.connection import Connection

NAMED = 5


async def refuse_while_scheduled(
    tx: Connection, what: str, *, target_id: str | None = None, dataset_id: str | None = None
) -> None:
    """Nothing when no schedule is of that target, or on that dataset.

    Args:
        what: what is to be deleted, for the message.

    Raises:
        Conflict: there are some; up to five are named.
    """
    names = await schedule_names.named_on(tx, target_id=target_id, dataset_id=dataset_id)
    if not names:
        return
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    raise Conflict(
        f"{what} is used by schedules: {', '.join(map(repr, names[:NAMED]))}{more}; delete them first, or let them use "
        "another one"
    )
