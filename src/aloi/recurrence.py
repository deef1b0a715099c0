"""When a schedule fires next, in its own time zone, with daylight saving as people expect it.

Local times are reckoned without any zone and only then placed in it: a local time that does not exist becomes the next
one that does, and one that occurs twice is its first occurrence. So no change of the clocks can fire twice, or not.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from aloi.core.errors import InvalidInput
from aloi.core.loading import module
from aloi.core.schedule import PREVIEWED, Cron, Every, Preview, Timing

CRON = "cronsim"  # loaded when the first cron expression is read
FIELDS = 5
SECOND = timedelta(seconds=1)
DAYS = {"days": 1, "weeks": 7}
ELAPSED = {"minutes": timedelta(minutes=1), "hours": timedelta(hours=1)}
LAST_YEAR = 9000  # dates end at 9999, and a cron expression is followed for fifty years
EPOCH = datetime(2000, 1, 1)  # any moment will do to read an expression
SHORTEST_MONTH = 28
DAILY = re.compile(r"At (\d\d:\d\d(?:(?:, and|,| and) \d\d:\d\d)*) (.+)")
# How the names begin of what a machine calls its own zone, and of zones in other seconds: servers would disagree.
NO_ZONES = ("localtime", "posixrules", "Factory", "posix/", "right/")
DAYS_WORDS = {"on Monday through Friday": "every weekday", "on Saturday and Sunday": "every weekend day"}


def check(timing: Timing) -> None:
    """See whether a schedule can be kept.

    Raises:
        InvalidInput: there is no such time zone, the cron expression is none, or it never fires.
    """
    zone(timing.zone)
    if isinstance(timing.recurrence, Cron):
        _cron(timing.recurrence.expression, timing.start.replace(tzinfo=None))
    if next_firing(timing, timing.start - SECOND) is None:
        raise InvalidInput("it never fires between its start and its end; give a later end, or another recurrence")


@lru_cache(maxsize=512)
def zone(name: str) -> ZoneInfo:
    """The time zone of a name.

    Raises:
        InvalidInput: there is none.
    """
    refusal = InvalidInput(f"there is no time zone {name!r:.60}; write e.g. Europe/Paris or UTC")
    if name.startswith(NO_ZONES):
        raise refusal
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError) as error:
        raise refusal from error


def preview(timing: Timing, now: datetime) -> Preview:
    """What a recurrence means, in words and in its next firings.

    Raises:
        InvalidInput: as `check`.
    """
    check(timing)
    found: list[datetime] = []
    while len(found) < PREVIEWED and (moment := next_firing(timing, found[-1] if found else now)) is not None:
        found.append(moment)
    return Preview(words=words(timing), firings=tuple(found))


def words(timing: Timing) -> str:
    """When a schedule fires, in English: `every weekday at 07:00, Europe/Paris`.

    It is told of every schedule that is kept: where its time zone is not known here (any more), without the time.
    """
    recurrence = timing.recurrence
    said = _cron_words(recurrence.expression) if isinstance(recurrence, Cron) else _every_words(recurrence, timing)
    return f"{said}, {timing.zone}"


def _cron_words(expression: str) -> str:
    """What a cron expression means; `at 07:00 every day` is told as `every day at 07:00`."""
    said = str(module(CRON).CronSim(expression, EPOCH).explain())
    timed = DAILY.fullmatch(said)
    if timed is None:
        return said[:1].lower() + said[1:]
    time, days = timed.groups()
    return f"{DAYS_WORDS.get(days, days)} at {time}"


def _every_words(every: Every, timing: Timing) -> str:
    """`every 3 days at 08:00`, `every week on Friday at 08:00`, `every month on day 31 (or the last) at 08:00`."""
    often = f"every {every.unit[:-1]}" if every.n == 1 else f"every {every.n} {every.unit}"
    try:
        start = timing.start.astimezone(zone(timing.zone))
    except InvalidInput:
        return often
    if every.unit in ELAPSED:
        return often
    on = {"weeks": f" on {start:%A}", "months": f" on day {start.day}"}.get(every.unit, "")
    last = " (or the month's last)" if every.unit == "months" and start.day > SHORTEST_MONTH else ""
    return f"{often}{on}{last} at {start:%H:%M}"


def next_firing(timing: Timing, after: datetime) -> datetime | None:
    """The first firing behind a moment, in UTC; null when none comes any more.

    Raises:
        InvalidInput: as `check`.
    """
    after = max(after, timing.start - SECOND)
    for moment in _moments(timing, after):
        if moment.year > LAST_YEAR or (timing.end is not None and moment > timing.end):
            return None
        if moment > after and moment >= timing.start:
            return moment
    return None


def _moments(timing: Timing, after: datetime) -> Iterator[datetime]:
    """Firings in order, from one that is not later than the first behind a moment."""
    place = zone(timing.zone)
    recurrence = timing.recurrence
    if isinstance(recurrence, Every) and recurrence.unit in ELAPSED:
        step = recurrence.n * ELAPSED[recurrence.unit]
        start = timing.start.astimezone(UTC)
        number = max(0, (after - start) // step)
        while True:
            yield start + number * step
            number += 1
    # What is placed behind `after` is also later by the clock on the wall: `placed` keeps the order of local times.
    since = after.astimezone(place).replace(tzinfo=None)
    if isinstance(recurrence, Cron):
        local = _cron(recurrence.expression, since)
    else:
        local = _local_steps(recurrence, timing.start.astimezone(place).replace(tzinfo=None), since)
    begin = timing.start.astimezone(place)
    for moment in local:
        # The start is what it is, though its local time may have occurred an hour before too.
        starts = isinstance(recurrence, Every) and moment == begin.replace(tzinfo=None)
        yield begin.astimezone(UTC) if starts else placed(moment, place)


def _cron(expression: str, since: datetime) -> Iterator[datetime]:
    """The local times of a cron expression behind another."""
    library = module(CRON)
    try:
        if len(expression.split()) != FIELDS:
            raise library.CronSimError("it needs five fields")
        found: Iterator[datetime] = library.CronSim(expression, since)
    except library.CronSimError as error:
        message = f"{expression!r} is no cron expression of five fields: {error}; write e.g. 0 7 * * 1-5"
        raise InvalidInput(message) from error
    return found


def _local_steps(every: Every, start: datetime, since: datetime) -> Iterator[datetime]:
    """The start and every so many days, weeks or months behind it, from before `since`."""
    if every.unit in DAYS:
        step = timedelta(days=every.n * DAYS[every.unit])
        number = max(0, (since - start) // step)
    else:
        step = None
        months = (since.year - start.year) * 12 + since.month - start.month
        number = max(0, months // every.n - 1)
    while True:
        yield start + number * step if step else _months_later(start, number * every.n)
        number += 1


def _months_later(start: datetime, months: int) -> datetime:
    """The same day of the month so many months later; the month's last day where it has no such day."""
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return start.replace(year=year, month=month + 1, day=min(start.day, monthrange(year, month + 1)[1]))


def placed(local: datetime, place: ZoneInfo) -> datetime:
    """The moment, in UTC, of a local time: its first occurrence; of one that does not exist, the end of the gap."""
    early = local.replace(tzinfo=place, fold=0).astimezone(UTC)
    if early.astimezone(place).replace(tzinfo=None) == local:
        return early
    # In a gap: read by the offset behind it, it lies before the change of the clocks; by the one before it, after.
    before, behind = local.replace(tzinfo=place, fold=1).astimezone(UTC), early
    offset = before.astimezone(place).utcoffset()
    while behind - before > SECOND:
        middle = before + (behind - before) // 2
        if middle.astimezone(place).utcoffset() == offset:
            before = middle
        else:
            behind = middle
    return behind.replace(microsecond=0)
