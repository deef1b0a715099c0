"""Slowing down those who guess passwords."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass

from aloi.core.errors import TooMany

FAILURES = 5
WINDOW = 60.0
LONGEST = 15 * 60.0
MOST_KEYS = 10_000
# Passwords that are looked at at once: each costs a core and 64 MB for a while.
AT_ONCE = 2


@dataclass
class Strikes:
    """How often a key failed in a row, when it did so last, and until when it has to wait (seconds of one clock)."""

    failures: int = 0
    last: float = -math.inf
    until: float = -math.inf


class Throttle:
    """Counts the failures of keys, such as an email or an address, and makes those who fail often wait.

    After 5 failures, each within a minute of the one before, a key waits for a minute; after each further one twice as
    long, at most 15 minutes. A key that did not fail for a minute after its wait is forgiven.

    It lives in the memory of one process: a restart forgets, and each of several servers counts for itself. It knows
    10,000 keys at most, and forgets those that failed longest ago.

    `turn`: who looks at a password waits for one, and then asks `check` (again): a flood of guesses costs no more than
    those that are allowed.
    """

    def __init__(self) -> None:
        self.turn = asyncio.Semaphore(AT_ONCE)
        self._strikes: dict[str, Strikes] = {}

    def check(self, keys: Sequence[str], at: float) -> None:
        """Nothing when none of the keys has to wait.

        Raises:
            TooMany: one has to, with the seconds that are left.
        """
        left = max((self._strikes[key].until - at for key in keys if key in self._strikes), default=0.0)
        if left > 0:
            raise TooMany(f"too many failed sign-ins; try again in {math.ceil(left)} seconds", left)

    def failed(self, keys: Sequence[str], at: float) -> None:
        """Count one failure of each key."""
        for key in keys:
            strikes = self._strikes.pop(key, Strikes())
            if at - max(strikes.last, strikes.until) > WINDOW:
                strikes = Strikes()
            strikes.failures += 1
            strikes.last = at
            if strikes.failures >= FAILURES:
                strikes.until = at + min(LONGEST, WINDOW * 2.0 ** min(strikes.failures - FAILURES, 10))
            self._strikes[key] = strikes  # behind all others: the first of them failed longest ago
        while len(self._strikes) > MOST_KEYS:
            del self._strikes[next(iter(self._strikes))]

    def forgive(self, key: str) -> None:
        """Forget the failures of a key."""
        self._strikes.pop(key, None)
