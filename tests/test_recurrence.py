"""Firings across changes of the clocks, month ends and leap days."""

from bisect import bisect_left
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput
from aloi.core.schedule import Cron, Every, Recurrence, Timing
from aloi.recurrence import check, next_firing, placed, preview, words, zone

PARIS, NEW_YORK = "Europe/Paris", "America/New_York"
ZONES = [PARIS, NEW_YORK, "UTC", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Sao_Paulo", "Pacific/Apia"]
MOMENTS = st.datetimes(datetime(2000, 1, 1), datetime(2035, 1, 1)).map(
    lambda moment: moment.replace(microsecond=0, tzinfo=UTC)
)
FIELD = st.sampled_from(["*", "*/5", "0", "2", "1-3"])
PLAIN = ["0 7 * * 1-5", "30 2 * * *", "0 0 29 2 *", "0 0 31 * *", "*/7 1-3 * * *", "0 * * * *", "0 0 L * *"]
CRONS = st.one_of(
    st.sampled_from(PLAIN),
    st.tuples(FIELD, FIELD).map(lambda pair: f"{pair[0]} {pair[1]} * * *"),
).map(lambda expression: Cron(expression=expression))
EVERY: st.SearchStrategy[Recurrence] = st.builds(
    Every, n=st.integers(1, 40), unit=st.sampled_from(["minutes", "hours", "days", "weeks", "months"])
)
TIMINGS = st.builds(Timing, start=MOMENTS, zone=st.sampled_from(ZONES), recurrence=CRONS | EVERY)


def firings(timing: Timing, after: datetime, count: int) -> list[datetime]:
    found: list[datetime] = []
    while len(found) < count and (moment := next_firing(timing, found[-1] if found else after)) is not None:
        found.append(moment)
    return found


def between(timing: Timing, since: datetime, until: datetime) -> list[datetime]:
    """Firings from one moment to another, these included."""
    found: list[datetime] = []
    after = since - timedelta(seconds=1)
    while (moment := next_firing(timing, after)) is not None and moment <= until:
        found.append(moment)
        after = moment
    return found


def local(timing: Timing, count: int, after: str) -> list[str]:
    """Firings behind a local time, as local times."""
    place = ZoneInfo(timing.zone)
    start = datetime.fromisoformat(after).replace(tzinfo=place)
    return [f"{moment.astimezone(place):%Y-%m-%d %H:%M %Z}" for moment in firings(timing, start, count)]


def cron(expression: str, place: str) -> Timing:
    return Timing(start=datetime(2020, 1, 1, tzinfo=UTC), zone=place, recurrence=Cron(expression=expression))


def test_a_time_that_does_not_exist_fires_at_the_next_one_that_does():
    assert local(cron("30 2 * * *", PARIS), 3, "2026-03-28 00:00") == [
        "2026-03-28 02:30 CET", "2026-03-29 03:00 CEST", "2026-03-30 02:30 CEST"
    ]  # fmt: skip
    assert local(cron("30 2 * * *", NEW_YORK), 2, "2026-03-08 00:00") == [
        "2026-03-08 03:00 EDT",
        "2026-03-09 02:30 EDT",
    ]


def test_a_time_that_occurs_twice_fires_once():
    assert local(cron("30 2 * * *", PARIS), 2, "2026-10-25 00:00") == ["2026-10-25 02:30 CEST", "2026-10-26 02:30 CET"]
    assert local(cron("30 1 * * *", NEW_YORK), 2, "2026-11-01 00:00") == [
        "2026-11-01 01:30 EDT",
        "2026-11-02 01:30 EST",
    ]
    assert local(cron("*/30 * * * *", PARIS), 4, "2026-10-25 01:45") == [
        "2026-10-25 02:00 CEST", "2026-10-25 02:30 CEST", "2026-10-25 03:00 CET", "2026-10-25 03:30 CET"
    ]  # fmt: skip


def test_times_in_a_gap_are_one_firing_together():
    assert local(cron("*/20 2 * * *", PARIS), 2, "2026-03-29 00:00") == [
        "2026-03-29 03:00 CEST",
        "2026-03-30 02:00 CEST",
    ]


def test_days_keep_their_local_time_and_hours_their_distance():
    start = datetime(2026, 3, 27, 8, tzinfo=ZoneInfo(PARIS))
    daily = Timing(start=start, zone=PARIS, recurrence=Every(n=1, unit="days"))
    hourly = Timing(start=start, zone=PARIS, recurrence=Every(n=24, unit="hours"))
    assert local(daily, 4, "2026-03-27 00:00")[-1] == "2026-03-30 08:00 CEST"
    assert local(hourly, 4, "2026-03-27 00:00")[-1] == "2026-03-30 09:00 CEST"


def test_months_end_where_the_month_ends():
    monthly = Timing(start=datetime(2024, 1, 31, 6, tzinfo=UTC), recurrence=Every(n=1, unit="months"))
    assert [f"{moment:%m-%d}" for moment in firings(monthly, monthly.start, 4)] == ["02-29", "03-31", "04-30", "05-31"]
    leap = Timing(start=datetime(2024, 2, 29, tzinfo=UTC), recurrence=Every(n=12, unit="months"))
    assert [f"{moment:%Y-%m-%d}" for moment in firings(leap, leap.start, 4)] == [
        "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"
    ]  # fmt: skip
    assert local(cron("0 0 29 2 *", "UTC"), 2, "2025-01-01 00:00") == ["2028-02-29 00:00 UTC", "2032-02-29 00:00 UTC"]


def test_the_start_itself_fires_and_nothing_behind_the_end():
    start = datetime(2026, 1, 1, tzinfo=UTC)
    timing = Timing(start=start, end=start + timedelta(hours=2), recurrence=Every(n=1, unit="hours"))
    assert firings(timing, start - timedelta(days=9), 9) == [start + timedelta(hours=n) for n in range(3)]


# A day either side of the changes of the clocks, spring and autumn, of years in a row.
CHANGES = [
    datetime(2026, 3, 29, 1), datetime(2026, 10, 25, 1), datetime(2027, 3, 28, 1), datetime(2027, 10, 31, 1),
    datetime(2026, 3, 8, 7), datetime(2026, 11, 1, 6), datetime(2027, 3, 14, 7), datetime(2027, 11, 7, 6),
]  # fmt: skip
NEAR_CHANGES = st.tuples(st.sampled_from(CHANGES), st.integers(-1500, 1500)).map(
    lambda near: near[0].replace(tzinfo=UTC) + timedelta(minutes=near[1])
)
BY_THE_CLOCK: st.SearchStrategy[Recurrence] = CRONS | st.builds(Every, n=st.integers(1, 3), unit=st.just("days"))


def wished(timing: Timing, since: datetime, until: datetime) -> list[datetime]:
    """The moments at which a clock on the wall, put forward and back, first shows a time that is asked for.

    By brute force over minutes: each minute of each local day, whether it exists or not, is looked for on the wall; one
    that never comes is as good as the first that comes behind it.
    """
    place = zone(timing.zone)
    shown: dict[datetime, datetime] = {}
    moment = since
    while moment <= until:
        shown.setdefault(moment.astimezone(place).replace(tzinfo=None), moment)
        moment += timedelta(minutes=1)
    plain = timing.model_copy(update={"zone": "UTC", "start": timing.start.astimezone(place).replace(tzinfo=UTC)})
    walls = sorted(shown)
    asked = between(plain, walls[0].replace(tzinfo=UTC), walls[-1].replace(tzinfo=UTC))
    found = {shown[walls[bisect_left(walls, one.replace(tzinfo=None))]] for one in asked}
    return sorted(one for one in found if one >= timing.start)


@pytest.mark.parametrize("place", [PARIS, NEW_YORK])
@given(change=st.sampled_from(CHANGES), recurrence=BY_THE_CLOCK)
@settings(max_examples=25)
def test_it_fires_as_a_clock_on_the_wall_says(place: str, change: datetime, recurrence: Recurrence) -> None:
    """Over half a day around the changes of the clocks, against a wall clock that is read every minute."""
    since, until = change.replace(tzinfo=UTC) - timedelta(hours=6), change.replace(tzinfo=UTC) + timedelta(hours=8)
    timing = Timing(start=since + timedelta(minutes=90), zone=place, recurrence=recurrence)
    sure = until - timedelta(hours=2)
    assert between(timing, since, sure) == [one for one in wished(timing, since, until) if one <= sure]


@pytest.mark.parametrize("place", [PARIS, NEW_YORK])
@given(start=NEAR_CHANGES, after=NEAR_CHANGES, n=st.integers(1, 90))
def test_minutes_and_hours_keep_their_distance(place: str, start: datetime, after: datetime, n: int) -> None:
    for unit, step in (("minutes", timedelta(minutes=n)), ("hours", timedelta(hours=n))):
        timing = Timing.model_validate(
            {"start": start, "zone": place, "recurrence": {"kind": "every", "n": n, "unit": unit}}
        )
        found = firings(timing, after, 3)
        assert [later - earlier for earlier, later in pairwise(found)] == [step, step]
        assert (found[0] - start) % step == timedelta(0)
        assert found[0] == start or found[0] - step <= max(after, start)


@pytest.mark.parametrize("place", [PARIS, NEW_YORK])
@given(start=NEAR_CHANGES, n=st.integers(1, 3), unit=st.sampled_from(["days", "weeks", "months"]))
def test_the_start_fires_and_later_ones_keep_its_local_time(place: str, start: datetime, n: int, unit: str) -> None:
    """Also a start that is the second occurrence of its local time."""
    timing = Timing.model_validate(
        {"start": start, "zone": place, "recurrence": {"kind": "every", "n": n, "unit": unit}}
    )
    found = firings(timing, start - timedelta(days=1), 6)
    assert found[0] == start
    wall = start.astimezone(zone(place)).time()
    for later in found[1:]:
        local_time = later.astimezone(zone(place)).time()
        # In the gap of spring the next time that exists stands for it, an hour later at most.
        assert local_time == wall or (local_time.minute == 0 and wall.hour in (2, 3))


def test_leap_days_by_years_and_by_months() -> None:
    yearly = cron("0 12 29 2 *", PARIS)
    assert local(yearly, 3, "2027-01-01 00:00") == [
        "2028-02-29 12:00 CET", "2032-02-29 12:00 CET", "2036-02-29 12:00 CET"
    ]  # fmt: skip
    daily = Timing(start=datetime(2028, 2, 28, 12, tzinfo=UTC), recurrence=Every(n=1, unit="days"))
    assert [f"{one:%m-%d}" for one in firings(daily, daily.start, 2)] == ["02-29", "03-01"]
    assert [f"{one:%m-%d}" for one in firings(cron("0 0 L * *", "UTC"), datetime(2100, 2, 1, tzinfo=UTC), 2)] == [
        "02-28", "03-31"
    ]  # fmt: skip


@given(start=MOMENTS, n=st.integers(1, 18))
def test_months_never_drift_from_their_day(start: datetime, n: int) -> None:
    """After a short month they are back on the day of the start."""
    timing = Timing(start=start, recurrence=Every(n=n, unit="months"))
    for count, found in enumerate(firings(timing, start - timedelta(days=1), 15)):
        following = found.replace(day=28) + timedelta(days=4)
        last_day = (following - timedelta(days=following.day)).day
        assert found.day == min(start.day, last_day)
        assert (found.year * 12 + found.month) - (start.year * 12 + start.month) == count * n


@given(local_time=st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1)), place=st.sampled_from(ZONES))
def test_a_local_time_is_placed_where_it_first_occurs_or_where_the_gap_ends(local_time: datetime, place: str) -> None:
    found = placed(local_time, zone(place))
    shown = found.astimezone(zone(place)).replace(tzinfo=None)
    assert shown >= local_time
    if shown == local_time:
        hour_before = (found - timedelta(hours=1)).astimezone(zone(place)).replace(tzinfo=None)
        assert hour_before != local_time, "it occurred an hour before"
    else:
        before = (found - timedelta(seconds=1)).astimezone(zone(place)).replace(tzinfo=None)
        assert before < local_time, "the clock was put forward over it"


@pytest.mark.parametrize(
    ("recurrence", "said"),
    [
        ({"kind": "cron", "expression": "0 7 * * 1-5"}, "every weekday at 07:00, Europe/Paris"),
        ({"kind": "cron", "expression": "0 7 * * *"}, "every day at 07:00, Europe/Paris"),
        ({"kind": "cron", "expression": "30 8,20 * * *"}, "every day at 08:30 and 20:30, Europe/Paris"),
        ({"kind": "cron", "expression": "0 9 * * 1,3"}, "on Monday and Wednesday at 09:00, Europe/Paris"),
        ({"kind": "cron", "expression": "*/5 * * * *"}, "every fifth minute of every hour, Europe/Paris"),
        ({"kind": "cron", "expression": "0 0 L * *"}, "on the last day of every month at 00:00, Europe/Paris"),
        ({"kind": "every", "n": 1, "unit": "hours"}, "every hour, Europe/Paris"),
        ({"kind": "every", "n": 2, "unit": "days"}, "every 2 days at 08:30, Europe/Paris"),
        ({"kind": "every", "n": 1, "unit": "weeks"}, "every week on Saturday at 08:30, Europe/Paris"),
        (
            {"kind": "every", "n": 3, "unit": "months"},
            "every 3 months on day 31 (or the month's last) at 08:30, Europe/Paris",
        ),
    ],
)
def test_words(recurrence: dict[str, object], said: str) -> None:
    start = datetime(2026, 1, 31, 7, 30, tzinfo=UTC)
    timing = Timing.model_validate({"start": start, "zone": PARIS, "recurrence": recurrence})
    assert words(timing) == said
    assert preview(timing, start).words == said
    assert list(preview(timing, start).firings) == firings(timing, start, 5)


@given(timing=TIMINGS, after=MOMENTS)
def test_firings_move_on_and_none_is_left_out(timing: Timing, after: datetime):
    found = firings(timing, after, 4)
    assert all(first < second for first, second in pairwise(found))
    assert all(moment > after and moment >= timing.start for moment in found)
    for moment in found:  # whoever asks a second before finds the same
        assert next_firing(timing, moment - timedelta(seconds=1)) == moment


@given(timing=st.builds(Timing, start=MOMENTS, zone=st.sampled_from(ZONES), recurrence=CRONS), after=MOMENTS)
def test_no_local_time_fires_twice(timing: Timing, after: datetime):
    place = zone(timing.zone)
    found = [moment.astimezone(place).replace(tzinfo=None) for moment in firings(timing, after, 30)]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    "timing",
    [
        {"zone": "Mars/Olympus"}, {"zone": "../etc/passwd"}, {"zone": ""},
        {"recurrence": {"kind": "cron", "expression": "61 * * * *"}},
        {"recurrence": {"kind": "cron", "expression": "0 0 30 2 *"}},
        {"recurrence": {"kind": "cron", "expression": "* * * * * *"}},
        {"recurrence": {"kind": "cron", "expression": "every day"}},
        {"zone": "localtime"}, {"zone": "right/Europe/Paris"},
        {"end": "2026-01-01T00:30:00Z", "recurrence": {"kind": "cron", "expression": "0 7 * * *"}},
    ],
)  # fmt: skip
def test_what_cannot_fire_is_refused(timing: dict[str, object]):
    plain = {"start": "2026-01-01T00:00:00Z", "recurrence": {"kind": "every", "n": 1, "unit": "days"}}
    with pytest.raises(InvalidInput):
        check(Timing.model_validate({**plain, **timing}))
