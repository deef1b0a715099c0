"""Time and new ids: what the pure core is given as arguments."""

import secrets
import time
from datetime import UTC, datetime

from aloi.core.identity import uuid7


def now() -> datetime:
    """The present time in UTC."""
    return datetime.now(UTC)


def new_id() -> str:
    """A fresh UUIDv7: ids made later sort later, to the millisecond."""
    return uuid7(time.time_ns() // 1_000_000, secrets.token_bytes(10))
