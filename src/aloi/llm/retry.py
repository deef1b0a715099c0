"""Trying again: when it is of use, not too often, and no sooner than asked."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Literal, NamedTuple, TypeVar

from aloi.core.errors import StageFailure
from aloi.llm.limits import Limiter

T = TypeVar("T")

Cause = Literal["final", "unsent", "dropped", "throttled", "unavailable", "broken"]
"""Why an attempt failed:

- `final`: trying again would not help.
- `unsent`: no connection; the request never left.
- `dropped`: the connection broke after the request was sent; it may have had its effect.
- `throttled`: 429 or 529, too many requests.
- `unavailable`: 503, not served.
- `broken`: 408, 500, 502, 504; the request may have had its effect.
"""

HARMLESS: frozenset[Cause] = frozenset({"unsent", "throttled", "unavailable"})
"""After these the request has had no effect, so anything may be sent again."""

ANY: frozenset[Cause] = frozenset({*HARMLESS, "dropped", "broken"})
"""For requests without side effects, such as model calls."""

CAUSES: Mapping[int, Cause] = {
    408: "broken",
    429: "throttled",
    500: "broken",
    502: "broken",
    503: "unavailable",
    504: "broken",
    529: "throttled",
}


def cause_of(status: int) -> Cause:
    """What a status of an answer means for trying again."""
    return CAUSES.get(status, "final")


class AttemptFailed(Exception):
    """One attempt failed. It does not leave `Retrier.call`.

    Args:
        failure: what the caller gets when it is not tried again.
        cause: see `Cause`.
        retry_after: seconds that the endpoint asked to wait; null if it did not say.
    """

    def __init__(self, failure: StageFailure, cause: Cause = "final", retry_after: float | None = None) -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.cause: Cause = cause
        self.retry_after = retry_after


class RetryPolicy(NamedTuple):
    """How often and how long. Times in seconds.

    Args:
        attempts: most attempts of one request. A 429 does not count while the pace could still be lowered.
        unsent: most attempts when there is no connection.
        throttled: most 429s of one request that do not count.
        backoff: the first wait when the endpoint does not say; doubled each time.
        longest_backoff: where the doubling ends.
        longest_wait: a `Retry-After` above this is not waited for.
    """

    attempts: int = 5
    unsent: int = 3
    throttled: int = 12
    backoff: float = 0.5
    longest_backoff: float = 20.0
    longest_wait: float = 60.0

    def wait(self, tried: int, retry_after: float | None, chance: float) -> float:
        """Seconds to wait after so many attempts; `chance` in [0,1) spreads a backoff over its upper half."""
        if retry_after is not None:
            return max(retry_after, self.backoff / 5)
        return min(self.longest_backoff, self.backoff * 2 ** (tried - 1)) * (0.5 + chance / 2)


POLICY = RetryPolicy()


class Retrier:
    """Makes attempts at one endpoint, at its pace, until one succeeds or there is no use in more.

    Sleeping and queueing can be cancelled at any moment; the deadline is the caller's.
    """

    def __init__(
        self,
        limiter: Limiter,
        policy: RetryPolicy = POLICY,
        *,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._limiter = limiter
        self._policy = policy
        self._sleep = sleep
        self._chance = chance

    async def call(self, attempt: Callable[[], Awaitable[T]], again: frozenset[Cause] = ANY) -> T:
        """What `attempt` returns in the end.

        Args:
            attempt: makes one attempt; raises `AttemptFailed`.
            again: the causes after which it may be made again.

        Raises:
            StageFailure: the failure of the last attempt.
        """
        tried = uncounted = 0
        while True:
            sent_in = await self._limiter.enter()
            try:
                result = await attempt()
                self._limiter.succeeded()
                return result
            except AttemptFailed as failed:
                tried += 1
                wait = self._wait(failed, again, tried, tried - uncounted)
                if failed.cause == "throttled":
                    lowered = self._limiter.throttled(sent_in, wait)
                    uncounted += lowered and uncounted < self._policy.throttled
                    wait = 0.0  # the limiter makes everybody wait
            finally:
                self._limiter.leave()
            if wait:
                await self._sleep(wait)

    def _wait(self, failed: AttemptFailed, again: frozenset[Cause], tried: int, counted: int) -> float:
        """Seconds to wait before the next attempt; raises the failure when there is to be none."""
        asked = failed.retry_after
        if failed.cause in again and asked is not None and asked > self._policy.longest_wait:
            raise _too_long(failed.failure, asked, self._policy.longest_wait) from failed
        most = self._policy.unsent if failed.cause == "unsent" else self._policy.attempts
        if failed.cause not in again or counted >= most:
            raise _after(failed.failure, tried) from failed
        return self._policy.wait(tried, asked, self._chance())


def _after(failure: StageFailure, tried: int) -> StageFailure:
    if tried == 1:
        return failure
    return StageFailure(failure.stage, failure.type, f"{failure.message} (tried {tried} times)")


def _too_long(failure: StageFailure, asked: float, longest: float) -> StageFailure:
    message = (
        f"{failure.message}; it asks to wait {asked:g} s before the next try, and at most {longest:g} s are waited: "
        "try again later"
    )
    return StageFailure(failure.stage, failure.type, message)


def retry_after(headers: Mapping[str, str], now: Callable[[], float] = time.time) -> float | None:
    """Seconds that an answer's headers (lower-case names) ask to wait; null if they do not, or make no sense.

    `Retry-After` holds seconds or an HTTP date (RFC 9110, 10.2.3); `retry-after-ms` is OpenAI's finer form.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after")
    seconds = _number(text)
    if seconds is not None or text is None:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now())
    except (ValueError, TypeError, OverflowError):
        return None


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if isfinite(number) and number >= 0 else None
