"""Two server processes on one database and a schedule: it fires in one of them, and the run is whole."""

import time
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import Command, stats, until
from tests.e2e.serving import Served, prepare
from tests.model_server import ModelServerProcess, serve
from tests.store.backends import BACKENDS, fresh

CASES = 5
PATH = "/api/eval/schedules"
LOOKS = 3.0  # seconds: each server has looked at least twice


@pytest.fixture
def models() -> Iterator[ModelServerProcess]:
    with serve() as server:
        yield server


@pytest.fixture(params=BACKENDS)
async def aloi(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Command]:
    """The command over a home of its own, with each kind of database."""
    command = Command(tmp_path / "home")
    async with fresh(request, tmp_path) as address:
        if request.param != "sqlite":
            command.environ["ALOI_DATABASE_URL"] = address
        yield command


def schedule(start: datetime) -> dict[str, Any]:
    """One that fires then, and every minute from then on."""
    every = {"kind": "every", "n": 1, "unit": "minutes"}
    return {"name": "often", "target_id": "echo", "dataset_id": "data", "start": start.isoformat(), "recurrence": every}


async def test_two_servers_and_one_schedule(aloi: Command, models: ModelServerProcess, servers: list[Served]) -> None:
    await prepare(aloi, models.url, CASES)
    servers += [Served(aloi), Served(aloi)]
    start = datetime.now(UTC) + timedelta(seconds=2)
    made = servers[0].post(PATH, schedule(start))
    until(lambda: bool(servers[1].get(f"{PATH}/{made['id']}")["last"]))
    ends = time.monotonic() + LOOKS
    until(lambda: time.monotonic() > ends)
    firings = servers[1].get(f"{PATH}/{made['id']}/firings")["items"]
    assert [firing["status"] for firing in firings] == ["started"]
    run = servers[0].finished({"id": firings[0]["run_id"]})
    assert (run["status"], run["summary"]["passed"], run["started_by"]) == ("completed", CASES, "schedule often")
    assert servers[0].get(f"/api/eval/runs?schedule_id={made['id']}")["total"] == 1
    assert sum(stats(models.root)["prompts"].values()) == CASES


async def test_after_a_downtime_one_late_run(aloi: Command, models: ModelServerProcess, servers: list[Served]) -> None:
    await prepare(aloi, models.url, CASES)
    servers.append(Served(aloi))
    made = servers[0].post(PATH, schedule(datetime.now(UTC) + timedelta(seconds=1)))
    servers[0].kill()
    ends = time.monotonic() + 1.5
    until(lambda: time.monotonic() > ends)
    servers.append(Served(aloi))
    until(lambda: bool(servers[1].get(f"{PATH}/{made['id']}")["last"]))
    last = servers[1].get(f"{PATH}/{made['id']}")["last"]
    assert last["fired_at"] > last["due_at"]
    assert servers[1].finished({"id": last["run_id"]})["status"] == "completed"
