"""Any number of server processes and one schedule: one firing, a thousand times."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.core.schedule import FiringStatus
from aloi.service import targets
from aloi.service.context import Context
from aloi.service.scheduling import schedules
from aloi.service.scheduling.scheduler import fire_due
from aloi.settings import Settings
from aloi.targets.replay import Replay
from tests.service.schedules_there import MINUTE, START, all_firings, fields_of, scheduled
from tests.service.started_runs import save
from tests.store.backends import BACKENDS, fresh

TIMES = 1000
ROOT = Path(__file__).parents[3]
CONTEXTS = 4
# A server process with injected time: it looks at every minute, as fast as it can, and says how often it fired.
PROCESS = """
import asyncio, sys
from pathlib import Path
from aloi.service.context import Context
from aloi.service.scheduling.scheduler import fire_due
from aloi.settings import Settings
from tests.service.schedules_there import MINUTE, START

async def main(home, database, times):
    context = await Context.open(Settings(home=Path(home), database_url=database), {}, served=True)
    fired = 0
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(times):
        fired += len(await fire_due(context, START + number * MINUTE))
        if context.work:
            await asyncio.wait(list(context.work.values()))
    await context.close()
    print(fired)

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""


@pytest.fixture(params=BACKENDS)
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """A new database of each kind."""
    async with fresh(request, tmp_path) as opened:
        yield opened


@pytest.fixture
async def contexts(address: str, tmp_path: Path) -> AsyncIterator[list[Context]]:
    """Contexts of several servers over it."""
    settings = Settings(home=tmp_path, database_url=address)
    opened = [await Context.open(settings, {}, served=True) for _ in range(CONTEXTS)]
    for context in opened:
        context.in_memory = opened[0].in_memory
    yield opened
    for context in opened:
        await context.close()


async def test_many_tasks_of_many_servers_fire_once(contexts: list[Context]) -> None:
    """Each moment is looked at by every server twice at once."""
    first = contexts[0]
    await scheduled(first)
    for number in range(TIMES // 10):
        at = START + number * MINUTE
        found = await asyncio.gather(*(fire_due(context, at) for context in contexts * 2))
        [firing] = [firing for some in found for firing in some]
        assert (firing.due_at, firing.status) == (at, FiringStatus.STARTED)
        await asyncio.gather(*(task for context in contexts for task in context.work.values()))
    assert [firing.due_at for firing in await all_firings(first)] == [
        START + number * MINUTE for number in range(TIMES // 10)
    ]


async def test_two_processes_fire_once_a_thousand_times(contexts: list[Context], address: str, tmp_path: Path) -> None:
    context = contexts[0]
    await save(context, [{"key": "k", "prompt": "hello", "expected_output": "ok"}])
    await targets.save(context, "target", Replay(outputs={"k": "ok"}))
    await schedules.create(context, fields_of(), START - MINUTE)
    command = [sys.executable, "-c", PROCESS, str(tmp_path), address, str(TIMES)]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) for _ in range(2)
    ]
    for process in processes:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    said = await asyncio.gather(*(asyncio.to_thread(process.communicate, "go\n") for process in processes))
    fired = [int(out) for out, _ in said]
    firings = await all_firings(context)
    assert [firing.due_at for firing in firings] == [START + number * MINUTE for number in range(TIMES)]
    assert sum(fired) == TIMES
    assert min(fired) > 0, "one process did all the work, so nothing was raced"
    started = [firing.run_id for firing in firings if firing.status is FiringStatus.STARTED]
    assert {firing.status for firing in firings} <= {FiringStatus.STARTED, FiringStatus.SKIPPED}
    async with context.database.read() as rx:
        [(number,)] = await rx.fetch("SELECT count(*) FROM runs")
    assert number == len(set(started)) == len(started)
