"""Retries: which, how often, how long, and what is said in the end."""

import asyncio
from collections.abc import Awaitable, Callable
from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import StageFailure
from aloi.llm.limits import Limiter
from aloi.llm.retry import ANY, HARMLESS, POLICY, AttemptFailed, Cause, Retrier, cause_of, retry_after
from tests.llm.waits import Waits


@pytest.fixture
def retrier(waits: Waits) -> Retrier:
    limiter = Limiter(clock=waits.clock, sleep=waits.sleep)
    return Retrier(limiter, sleep=waits.sleep, chance=lambda: 1.0)


def failing(times: int, cause: Cause, wait: float | None = None) -> Callable[[], Awaitable[int]]:
    """An attempt that fails so many times, then returns the number of attempts."""
    made = 0

    async def attempt() -> int:
        nonlocal made
        made += 1
        if made <= times:
            raise AttemptFailed(StageFailure("invoke", "some_type", "it failed"), cause, wait)
        return made

    return attempt


@pytest.mark.parametrize("cause", sorted(ANY))
async def test_what_may_pass_is_tried_again(retrier: Retrier, cause: Cause) -> None:
    assert await retrier.call(failing(2, cause)) == 3


async def test_what_is_final_is_not_tried_again(retrier: Retrier, waits: Waits) -> None:
    with pytest.raises(StageFailure, match=r"^it failed$"):
        await retrier.call(failing(1, "final"))
    assert waits.slept == []


@pytest.mark.parametrize("cause", ["dropped", "broken"])
async def test_what_may_have_had_an_effect_is_not_sent_twice(retrier: Retrier, cause: Cause) -> None:
    with pytest.raises(StageFailure):
        await retrier.call(failing(1, cause), HARMLESS)


@pytest.mark.parametrize(("cause", "attempts"), [("unavailable", 5), ("throttled", 5), ("unsent", 3)])
async def test_there_is_an_end(retrier: Retrier, cause: Cause, attempts: int) -> None:
    with pytest.raises(StageFailure, match=rf"tried {attempts} times") as caught:
        await retrier.call(failing(99, cause))
    assert caught.value.type == "some_type"


async def test_waits_double(retrier: Retrier, waits: Waits) -> None:
    await retrier.call(failing(4, "unavailable"))
    assert waits.slept == [0.5, 1.0, 2.0, 4.0]


@pytest.mark.parametrize("cause", ["unavailable", "throttled"])
async def test_the_wait_that_is_asked_for_is_kept(retrier: Retrier, waits: Waits, cause: Cause) -> None:
    await retrier.call(failing(1, cause, 1.0))
    assert waits.slept == [1.0]


async def test_a_day_is_not_waited_for(retrier: Retrier, waits: Waits) -> None:
    with pytest.raises(StageFailure, match="86400 s") as caught:
        await retrier.call(failing(1, "throttled", 86400.0))
    assert caught.value.type == "some_type"
    assert waits.slept == []


async def test_a_crowd_that_is_throttled_gets_through_in_the_end(waits: Waits) -> None:
    """An endpoint that takes 4 at once, and 200 that ask: all are served, and the pace has come down."""
    limiter = Limiter(clock=waits.clock, sleep=waits.sleep)
    retrier = Retrier(limiter, sleep=waits.sleep)
    busy = 0

    async def attempt() -> bool:
        nonlocal busy
        busy += 1
        try:
            if busy > 4:
                raise AttemptFailed(StageFailure("invoke", "rate_limited", "too many"), "throttled", 1.0)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            return True
        finally:
            busy -= 1

    assert all(await asyncio.gather(*(retrier.call(attempt) for _ in range(200))))
    assert limiter.in_flight == 0


async def test_a_cancelled_call_gives_its_place_back() -> None:
    limiter = Limiter()
    retrier = Retrier(limiter)

    async def attempt() -> None:
        await asyncio.get_running_loop().create_future()

    call = asyncio.create_task(retrier.call(attempt))
    await asyncio.sleep(0)
    assert limiter.in_flight == 1
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert limiter.in_flight == 0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "1"}, 1.0),
        ({"retry-after": "86400"}, 86400.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "5", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": formatdate(1_000_030, usegmt=True)}, 30.0),
        ({"retry-after": formatdate(999_000, usegmt=True)}, 0.0),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, now=lambda: 1_000_000.0) == seconds


@given(st.text())
def test_any_text_in_retry_after_is_read_or_ignored(text: str) -> None:
    seconds = retry_after({"retry-after": text})
    assert seconds is None or seconds >= 0


@given(st.integers(1, 50), st.floats(0, 1, exclude_max=True))
def test_a_backoff_is_bounded(tried: int, chance: float) -> None:
    assert POLICY.backoff / 2 <= POLICY.wait(tried, None, chance) <= POLICY.longest_backoff


def test_statuses() -> None:
    assert [cause_of(status) for status in (200, 400, 401, 429, 503, 500)] == [
        *("final", "final", "final"),
        *("throttled", "unavailable", "broken"),
    ]
