from datetime import UTC, datetime

import pytest

from aloi.cli.figures import clock, duration, short_id, short_number, when


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 ms"),
        (0.3504, "350 ms"),
        (0.9996, "1.0 s"),
        (1.25, "1.2 s"),
        (59.96, "1 min 0 s"),
        (125, "2 min 5 s"),
        (12_000, "3 h 20 min"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_clock() -> None:
    assert [clock(s) for s in (0, 12.4, 62, 3723)] == ["0:00", "0:12", "1:02", "1:02:03"]


def test_numbers() -> None:
    assert [short_number(n) for n in (950, 12_345, 999_949, 999_950, 4_500_000)] == [
        "950",
        "12.3k",
        "999.9k",
        "1.0M",
        "4.5M",
    ]


def test_identity_and_time() -> None:
    assert short_id("01a22bad-96b0-7ceb-b83d-77281053263f") == "01a22bad-96b0"
    assert len(when(datetime(2026, 1, 2, 3, 4, tzinfo=UTC))) == len("2026-01-02 03:04")
