"""Moments and amounts of time, across clock changes and short months."""

import pytest
from pydantic import JsonValue, ValidationError

from aloi.core.errors import ToolFailure
from aloi.core.tool import ToolContext
from aloi.tools.datetime import DateTime, DateTimeInput


async def ask(ctx: ToolContext, **arguments: object) -> dict[str, JsonValue]:
    reply = await DateTime().call(DateTimeInput.model_validate(arguments), ctx)
    assert isinstance(reply, dict)
    return reply


async def test_now_in_a_zone(ctx: ToolContext) -> None:
    assert await ask(ctx, zone="Asia/Tokyo") == {
        "iso": "2026-03-28T21:00:00+09:00",
        "date": "2026-03-28",
        "time": "21:00:00",
        "weekday": "Saturday",
        "zone": "Asia/Tokyo",
    }


@pytest.mark.parametrize(
    ("arguments", "iso"),
    [
        ({"at": "2026-01-31", "months": 1}, "2026-02-28T00:00:00+01:00"),
        ({"at": "2024-02-29", "months": 12}, "2025-02-28T00:00:00+01:00"),
        ({"at": "2026-03-15", "months": -15}, "2024-12-15T00:00:00+01:00"),
        # The night of 2026-03-29 lacks the hour from two to three in Paris.
        ({"at": "2026-03-28T12:00", "days": 1}, "2026-03-29T12:00:00+02:00"),
        ({"at": "2026-03-28T12:00", "hours": 24}, "2026-03-29T13:00:00+02:00"),
        ({"at": "2026-03-28T02:30", "days": 1}, "2026-03-29T03:30:00+02:00"),
        ({"at": "2026-03-28T23:59:30Z", "minutes": 1}, "2026-03-29T01:00:30+01:00"),
        ({"days": -1}, "2026-03-27T13:00:00+01:00"),
    ],
)
async def test_add(ctx: ToolContext, arguments: dict[str, object], iso: str) -> None:
    assert (await ask(ctx, operation="add", zone="Europe/Paris", **arguments))["iso"] == iso


async def test_difference_counts_elapsed_time_and_calendar_days(ctx: ToolContext) -> None:
    reply = await ask(ctx, operation="difference", zone="Europe/Paris", at="2026-03-28", to="2026-03-30")
    assert reply == {"seconds": 47 * 3600, "days": 2, "text": "1 day, 23 hours later"}


async def test_difference_up_to_now_may_be_negative(ctx: ToolContext) -> None:
    reply = await ask(ctx, operation="difference", at="2026-03-28T13:30")
    assert reply["seconds"] == -5400
    assert reply["text"] == "1 hour, 30 minutes earlier"


async def test_no_difference(ctx: ToolContext) -> None:
    assert await ask(ctx, operation="difference") == {"seconds": 0, "days": 0, "text": "no difference"}


async def test_weekday(ctx: ToolContext) -> None:
    assert (await ask(ctx, operation="weekday", at="2000-01-01"))["weekday"] == "Saturday"


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", "Europe", "", "/etc/passwd", "a\0b"])
async def test_unknown_zone(ctx: ToolContext, zone: str) -> None:
    with pytest.raises(ToolFailure, match="no time zone"):
        await ask(ctx, zone=zone)


async def test_unreadable_date(ctx: ToolContext) -> None:
    with pytest.raises(ToolFailure, match="ISO 8601"):
        await ask(ctx, operation="weekday", at="next Tuesday")


@pytest.mark.parametrize("amount", [{"months": 999_999_999}, {"days": -999_999_999}, {"hours": 999_999_999}])
async def test_beyond_the_calendar(ctx: ToolContext, amount: dict[str, object]) -> None:
    with pytest.raises(ToolFailure, match="years 1 to 9999"):
        await ask(ctx, operation="add", **amount)


@pytest.mark.parametrize("at", ["0001-01-01", "9999-12-31T23:59"])
async def test_the_ends_of_the_calendar_do_not_break_it(ctx: ToolContext, at: str) -> None:
    for zone in ("Asia/Tokyo", "America/New_York"):
        for operation in ("add", "weekday", "difference"):
            try:
                await ask(ctx, operation=operation, at=at, zone=zone)
            except ToolFailure as error:
                assert "years 1 to 9999" in str(error)


def test_amounts_are_bounded() -> None:
    with pytest.raises(ValidationError):
        DateTimeInput(operation="add", days=10**12)
