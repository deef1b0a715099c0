"""Slowing down those who guess."""

import pytest

from aloi.core.errors import TooMany
from aloi.service.accounts import throttle
from aloi.service.accounts.throttle import Throttle


def fail(guessed: Throttle, times: int, at: float = 0.0, key: str = "a") -> None:
    for _ in range(times):
        guessed.failed([key], at)


def wait(guessed: Throttle, at: float, key: str = "a") -> float:
    """The seconds that a key has to wait; 0 for none."""
    try:
        guessed.check([key], at)
    except TooMany as error:
        return error.retry_after
    return 0.0


def test_four_failures_are_forgiven_and_the_fifth_is_not() -> None:
    guessed = Throttle()
    fail(guessed, 4)
    assert wait(guessed, 0.0) == 0.0
    fail(guessed, 1)
    assert wait(guessed, 0.0) == 60.0
    assert wait(guessed, 59.5) == 0.5
    assert wait(guessed, 60.0) == 0.0


def test_the_wait_doubles_up_to_a_quarter_of_an_hour() -> None:
    guessed = Throttle()
    fail(guessed, 4)
    at, waits = 0.0, list[float]()
    for _ in range(20):
        fail(guessed, 1, at)
        waits.append(wait(guessed, at))
        at += waits[-1]
    assert waits[:6] == [60.0, 120.0, 240.0, 480.0, 900.0, 900.0]
    assert set(waits[6:]) == {900.0}


def test_a_minute_without_failures_is_a_new_beginning() -> None:
    guessed = Throttle()
    fail(guessed, 4)
    fail(guessed, 4, at=61.0)
    assert wait(guessed, 61.0) == 0.0
    fail(guessed, 1, at=61.0)
    assert wait(guessed, 61.0) == 60.0
    fail(guessed, 4, at=61.0 + 60.0 + 60.5)
    assert wait(guessed, 182.0) == 0.0


def test_any_of_the_keys_makes_wait_and_the_message_says_how_long() -> None:
    guessed = Throttle()
    fail(guessed, 5, key="b")
    with pytest.raises(TooMany, match="try again in 60 seconds"):
        guessed.check(["a", "b"], 0.0)
    guessed.check(["a", "c"], 0.0)


def test_a_key_is_forgiven_alone() -> None:
    guessed = Throttle()
    fail(guessed, 5)
    fail(guessed, 5, key="b")
    guessed.forgive("a")
    guessed.forgive("unknown")
    assert (wait(guessed, 0.0), wait(guessed, 0.0, "b")) == (0.0, 60.0)


def test_its_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "MOST_KEYS", 10)
    guessed = Throttle()
    fail(guessed, 5, key="old")
    fail(guessed, 5, key="again")
    for number in range(8):
        fail(guessed, 1, key=str(number))
    fail(guessed, 1, key="again")
    fail(guessed, 1, key="new")
    assert wait(guessed, 0.0, "old") == 0.0
    assert wait(guessed, 0.0, "again") > 0.0
