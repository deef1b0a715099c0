"""The contract of schedules in an `Administration`, whoever stands behind it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from aloi.core.errors import Conflict, InvalidInput, NotFound
from aloi.core.schedule import ScheduleGiven, Timing
from aloi.service.clock import now
from tests.contracts.administrations import Both
from tests.contracts.clients import UNKNOWN, replay, save

STRANGE = ("nobody", UNKNOWN, "", "a/b?c#d", "é 😀", "..")
START = datetime(2026, 1, 1, tzinfo=UTC)


def given(name: str = "nightly", **fields: Any) -> ScheduleGiven:
    plain = {"name": name, "target_id": "bot", "dataset_id": "data", "start": START, "zone": "Europe/Paris"}
    return ScheduleGiven.model_validate(
        {**plain, "recurrence": {"kind": "cron", "expression": "0 7 * * 1-5"}, **fields}
    )


@pytest.fixture
async def ready(both: Both) -> Both:
    """With a target `bot` and a dataset `data`."""
    await both.client.save_target("bot", replay(a="1"))
    await save(both.client, "a", name="data")
    return both


async def test_create_list_show(ready: Both) -> None:
    administration = ready.administration
    assert (await administration.schedules()).items == ()
    made = [await administration.create_schedule(given(name)) for name in ("one", "two/é")]
    page = await administration.schedules(size=1)
    assert ([found.name for found in page.items], page.total, page.pages) == (["two/é"], 2, 2)
    assert await administration.schedule("two/é") == await administration.schedule(made[1].id) == made[1]
    assert made[0].words == "every weekday at 07:00, Europe/Paris"
    assert (await administration.schedules("bot")).total == 2
    assert (await administration.firings("one")).items == ()
    with pytest.raises(NotFound):
        await administration.schedules("nobody")


async def test_pause_resume_delete(ready: Both) -> None:
    administration = ready.administration
    made = await administration.create_schedule(given())
    assert (await administration.pause_schedule("nightly")).next_at is None
    assert (await administration.resume_schedule("nightly")).next_at == made.next_at
    await administration.create_schedule(given("short", end=now() + timedelta(days=9), paused=True))
    await administration.delete_schedule("nightly")
    assert [found.name for found in (await administration.schedules()).items] == ["short"]


async def test_preview(both: Both) -> None:
    timing = Timing.model_validate({"start": "2099-01-01T00:00:00Z", "recurrence": given().recurrence})
    preview = await both.administration.preview_schedule(timing)
    assert preview.words == "every weekday at 07:00, UTC"
    assert [f"{firing:%d}" for firing in preview.firings] == ["01", "02", "05", "06", "07"]


async def test_what_does_not_fit(ready: Both) -> None:
    administration = ready.administration
    await administration.create_schedule(given())
    with pytest.raises(Conflict, match="nightly"):
        await administration.create_schedule(given())
    for fields in ({"zone": "Mars"}, {"target_id": "nobody"}, {"dataset_id": UNKNOWN}, {"end": START}):
        with pytest.raises(InvalidInput):
            await administration.create_schedule(given("other", **fields))


@pytest.mark.parametrize("ref", STRANGE)
async def test_one_that_is_not_there(both: Both, ref: str) -> None:
    administration = both.administration
    for call in (
        administration.schedule(ref),
        administration.pause_schedule(ref),
        administration.resume_schedule(ref),
        administration.delete_schedule(ref),
        administration.firings(ref),
    ):
        with pytest.raises(NotFound):
            await call
