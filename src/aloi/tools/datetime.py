"""`datetime`: the present moment and simple calendar arithmetic, in any IANA time zone."""

import calendar
from datetime import UTC, datetime, timedelta
from typing import ClassVar, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from aloi.core.errors import ToolFailure
from aloi.core.spec import JsonObject
from aloi.core.tool import Tool, ToolContext, object_schema

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MOST = 1_000_000_000  # bounds every amount; the calendar itself ends with the year 9999


class DateTimeInput(BaseModel):
    """Arguments of `datetime`."""

    model_config = ConfigDict(extra="forbid")

    operation: Literal["now", "add", "difference", "weekday"] = Field(
        default="now",
        description="`now`: the present moment. `add`: a moment plus an amount. `difference`: from `at` to `to`. "
        "`weekday`: which day of the week `at` is.",
    )
    zone: str = Field(default="UTC", description="IANA time zone such as `Europe/Paris`.", max_length=100)
    at: str | None = Field(
        default=None,
        description="ISO 8601 moment or date such as `2026-03-01T14:30` or `2026-03-01`; without an offset it is "
        "local time in `zone`. Left out: now.",
        max_length=100,
    )
    to: str | None = Field(default=None, description="The end of a `difference`; left out: now.", max_length=100)
    months: int = Field(default=0, ge=-MOST, le=MOST, description="For `add`; negative goes back. Keeps the day.")
    days: int = Field(default=0, ge=-MOST, le=MOST, description="For `add`: calendar days; keeps the time of day.")
    hours: int = Field(default=0, ge=-MOST, le=MOST, description="For `add`: elapsed hours.")
    minutes: int = Field(default=0, ge=-MOST, le=MOST, description="For `add`: elapsed minutes.")


TEXT: JsonObject = {"type": "string"}
MOMENT = object_schema(
    iso={"type": "string", "format": "date-time"},
    date={"type": "string", "format": "date"},
    time=TEXT,
    weekday=TEXT,
    zone=TEXT,
)
DIFFERENCE = object_schema(seconds={"type": "integer"}, days={"type": "integer"}, text=TEXT)


class DateTime(Tool):
    """Tell the current date and time in a time zone, add to a date, or count the time between two dates."""

    kind: ClassVar[str] = "datetime"
    Input = DateTimeInput
    Output: ClassVar[JsonObject | None] = {"anyOf": [MOMENT, DIFFERENCE]}

    async def call(self, arguments: DateTimeInput, ctx: ToolContext) -> JsonValue:
        """A moment as `{"iso", "date", "time", "weekday", "zone"}`, or a difference as
        `{"seconds", "days", "text"}` (elapsed seconds and calendar days, negative when `to` is before `at`).

        Raises:
            ToolFailure: unknown zone, unreadable date, or a result outside the years 1 to 9999.
        """
        zone = _zone(arguments.zone)
        now = ctx.now()
        try:
            start = now.astimezone(zone) if arguments.at is None else _moment(arguments.at, zone)
            match arguments.operation:
                case "now":
                    return _described(now.astimezone(zone), arguments.zone)
                case "add":
                    return _described(_added(start, arguments, zone), arguments.zone)
                case "weekday":
                    return _described(start, arguments.zone)
                case "difference":
                    end = now.astimezone(zone) if arguments.to is None else _moment(arguments.to, zone)
                    return _difference(start, end)
        except (OverflowError, ValueError):
            raise ToolFailure("the result lies outside the years 1 to 9999; use smaller amounts") from None


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown name, a path that leaves the database, a folder such as "Europe"
        raise ToolFailure(f"no time zone is called {name!r}; use an IANA name such as Europe/Paris or UTC") from None


def _moment(text: str, zone: ZoneInfo) -> datetime:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ToolFailure(f"{text!r} is not an ISO 8601 date; write it like 2026-03-01T14:30") from None
    return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment.astimezone(zone)


def _added(start: datetime, arguments: DateTimeInput, zone: ZoneInfo) -> datetime:
    """Months and days move the calendar and keep the time of day; hours and minutes are elapsed time."""
    local = _months_later(start, arguments.months) + timedelta(days=arguments.days)
    elapsed = timedelta(hours=arguments.hours, minutes=arguments.minutes)
    # Through UTC and back: elapsed time crosses clock changes, and a local time that they skip becomes a real one.
    return (local.astimezone(UTC) + elapsed).astimezone(zone)


def _months_later(start: datetime, months: int) -> datetime:
    """The same day `months` later, or the last day of a month that is too short for it."""
    years, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    if not 1 <= years <= 9999:
        raise OverflowError
    last = calendar.monthrange(years, month + 1)[1]
    return start.replace(year=years, month=month + 1, day=min(start.day, last))


def _described(moment: datetime, zone: str) -> JsonValue:
    return {
        "iso": moment.isoformat(timespec="seconds"),
        "date": moment.date().isoformat(),
        "time": moment.strftime("%H:%M:%S"),
        "weekday": WEEKDAYS[moment.weekday()],
        "zone": zone,
    }


def _difference(start: datetime, end: datetime) -> JsonValue:
    """Elapsed time: both ends in UTC, because Python compares two local times of one zone by their wall clocks."""
    seconds = int((end.astimezone(UTC) - start.astimezone(UTC)).total_seconds())
    return {"seconds": seconds, "days": (end.date() - start.date()).days, "text": _in_words(seconds)}


def _in_words(seconds: int) -> str:
    minutes, rest = divmod(abs(seconds), 60)
    amounts = {"day": minutes // 1440, "hour": minutes // 60 % 24, "minute": minutes % 60, "second": rest}
    parts = [f"{amount} {unit}{'' if amount == 1 else 's'}" for unit, amount in amounts.items() if amount]
    if not parts:
        return "no difference"
    return f"{', '.join(parts)} {'earlier' if seconds < 0 else 'later'}"
