"""Schedules as they are written."""

from typing import Any

import pytest
from pydantic import ValidationError

from aloi.core.schedule import ScheduleGiven

GIVEN: dict[str, Any] = {
    "name": "nightly",
    "target_id": "bot",
    "dataset_id": "data",
    "start": "2026-01-01T00:00:00+01:00",
    "recurrence": {"kind": "cron", "expression": "0 7 * * *"},
}


def test_what_is_enough() -> None:
    given = ScheduleGiven.model_validate(GIVEN)
    assert (given.zone, given.end, given.paused) == ("UTC", None, False)
    assert ScheduleGiven.model_validate_json(given.model_dump_json()) == given


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""}, {"name": "x" * 201}, {"start": "2026-01-01T00:00:00"}, {"start": "soon"},
        {"start": "0001-01-01T00:00:00+14:00"}, {"start": "9999-12-31T23:59:59-12:00"}, {"end": "2999-01-01T00:00:00Z"},
        {"start": "2198-12-31T23:59:59-23:59"}, {"start": "1971-01-01T00:00:00+14:00"},
        {"end": "2025-12-31T22:59:59Z"}, {"recurrence": {"kind": "cron"}}, {"recurrence": {"kind": "never"}},
        {"recurrence": {"kind": "every", "n": 0, "unit": "days"}},
        {"recurrence": {"kind": "every", "n": 3661, "unit": "days"}},
        {"recurrence": {"kind": "every", "n": 1, "unit": "years"}}, {"target_id": None}, {"more": 1},
    ],
)  # fmt: skip
def test_what_does_not_fit(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ScheduleGiven.model_validate({**GIVEN, **changes})
