"""`aloi schedules`, here and with a server."""

import re
from pathlib import Path

import pytest

from aloi.cli.schedules import recurrence_of
from aloi.core.errors import InvalidInput
from aloi.core.spec import JsonObject
from tests.cli.conftest import HERE_AND_THERE, Aloi

TARGET = '{"kind": "replay", "outputs": {"a": "ok"}}'


@pytest.fixture
def ready(aloi: Aloi, tmp_path: Path) -> Aloi:
    """With a target `bot` and a dataset `data`."""
    (tmp_path / "data.csv").write_text("key,prompt\na,hello\n")
    for call in (("datasets", "import", tmp_path / "data.csv"), ("targets", "save", "bot", TARGET)):
        ended = aloi(*call)
        assert ended.code == 0, ended.err
    return aloi


def create(aloi: Aloi, name: str = "nightly", *options: str, every: str = "--cron=0 7 * * 1-5") -> str:
    ended = aloi("schedules", "create", name, "--target", "bot", "--dataset", "data", every, *options)
    assert ended.code == 0, ended.err
    return ended.out


@HERE_AND_THERE
def test_create_list_show_pause_resume_delete(ready: Aloi, where: str) -> None:
    assert "There is no schedule here" in ready("schedules", "list").out
    said = create(ready, "nightly", "--zone", "Europe/Paris", "--start", "2026-01-01T00:00+01:00")
    assert said.startswith("nightly: every weekday at 07:00, Europe/Paris. Next: ")
    assert said.count(":") > 5
    listed = ready("schedules", "list").out
    assert re.search(r"^nightly +bot +data ", listed, re.M)
    shown = ready("schedules", "show", "nightly").out
    assert "every weekday at 07:00, Europe/Paris" in shown and "bot (its active version)" in shown
    assert ready("schedules", "pause", "nightly").out == "nightly is paused.\n"
    assert "paused" in ready("schedules", "list", "--target", "bot").out
    assert re.fullmatch(r"nightly fires next: \d{4}-\d\d-\d\d \d\d:\d\d\n", ready("schedules", "resume", "nightly").out)
    assert ready("schedules", "delete", "nightly").out == "The schedule 'nightly' is deleted; its runs stay.\n"
    gone = ready("schedules", "show", "nightly")
    assert (gone.code, gone.out) == (2, "") and "there is no schedule 'nightly'" in gone.err


def test_spans_and_ends(ready: Aloi) -> None:
    assert create(ready, "a", "--end", "2099-01-01", every="--every=30 minutes").startswith("a: every 30 minutes, UTC.")
    assert create(ready, "b", every="--every=month").startswith("b: every month on day ")
    assert "Ends" in ready("schedules", "show", "a").out


@HERE_AND_THERE
def test_it_says_that_a_server_must_run(ready: Aloi, where: str) -> None:
    ended = ready("schedules", "create", "c", "--target", "bot", "--dataset", "data", "--every", "day")
    assert ("It fires while a server runs on this database: aloi serve" in ended.err) is (where == "here")


@HERE_AND_THERE
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "say when it fires, once"),
        (("--cron", "0 7 * * *", "--every", "day"), "say when it fires, once"),
        (("--cron", "every day"), "is no cron expression"),
        (("--every", "x days"), "is no span of time"),
        (("--every", "3 fortnights"), "should be 'minutes', 'hours'"),
        (("--every", "day", "--zone", "Mars"), "there is no time zone 'Mars'"),
        (("--every", "day", "--start", "soon"), "--start 'soon' is no time"),
        (("--every", "day", "--end", "2020-01-01"), "ends before it starts"),
    ],
)
def test_wrong_input(ready: Aloi, options: tuple[str, ...], said: str) -> None:
    ended = ready("schedules", "create", "x", "--target", "bot", "--dataset", "data", *options)
    assert (ended.code, ended.out) == (2, "")
    assert said in " ".join(ended.err.split())


@pytest.mark.parametrize(
    ("every", "recurrence"),
    [
        ("30 minutes", {"kind": "every", "n": 30, "unit": "minutes"}),
        ("2 weeks", {"kind": "every", "n": 2, "unit": "weeks"}),
        (" 1 day ", {"kind": "every", "n": 1, "unit": "days"}),
        ("month", {"kind": "every", "n": 1, "unit": "months"}),
    ],
)
def test_how_spans_are_read(every: str, recurrence: JsonObject) -> None:
    assert recurrence_of(None, every) == recurrence
    with pytest.raises(InvalidInput):
        recurrence_of(None, f"{every} x")
