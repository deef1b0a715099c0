"""`python -m benchmarks.executions`: list a million executions in every way that people do, on either database."""

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import quantiles

from aloi.core.execution import ExecutionFilter, ExecutionSource, ExecutionStatus
from aloi.core.outcome import Failure, Outcome
from aloi.core.target_record import TargetRecord
from aloi.core.trace import Span, Trace
from aloi.core.usage import Usage
from aloi.service.clock import new_id
from aloi.store import execution_pages, targets
from aloi.store.codec import pack_id, pack_time
from aloi.store.connection import Params
from aloi.store.database import Database
from aloi.store.executions import INSERT
from aloi.store.observed import VersionIds
from aloi.store.outcomes import outcome_columns
from benchmarks.table import markdown
from tests import postgres_server

NOW = datetime(2026, 11, 30, tzinfo=UTC)
TARGETS, RARE = 50, "rare"
BATCH = 5_000
ERRORS, BY_HAND = 0.02, 0.001
TEXT = "What is the capital of the country whose flag is the oldest that is still in use? " * 3
MOST_MS = 150


def options() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.executions", description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000, help="executions (default a million)")
    parser.add_argument("--times", type=int, default=40, help="how often each list is asked for (default 40)")
    parser.add_argument("--postgres", action="store_true", help="PostgreSQL instead of SQLite")
    return parser.parse_args()


async def main(given: argparse.Namespace) -> None:
    """Fill a database, measure, and print."""
    async with opened(given.postgres) as (database, tidy):
        versions = await some_targets(database)
        start = time.perf_counter()
        await fill(database, versions, given.count)
        await tidy()
        print(f"{given.count:,} executions stored in {time.perf_counter() - start:.0f} s")
        lines = [await measured(database, what, page, wanted, given.times) for what, page, wanted in lists(versions)]
    print(markdown(["list", "found", "p50 ms", "p95 ms", f"within {MOST_MS} ms"], lines))


@asynccontextmanager
async def opened(postgres: bool) -> AsyncGenerator[tuple[Database, Callable[[], Awaitable[None]]]]:
    """An empty database, and what the database does by itself sooner or later when much was written."""
    with tempfile.TemporaryDirectory(prefix="aloi-bench-") as name:
        if not postgres:
            database = await Database.open(str(Path(name) / "aloi.db"))
            yield database, nothing
            await database.close()
            return
        with postgres_server.serve() as server:
            url = await server.fresh()
            database = await Database.open(url)
            yield database, lambda: server.tell("VACUUM (ANALYZE)", url.rpartition("/")[2])
            await database.close()


async def nothing() -> None:
    """SQLite needs none of it."""


async def some_targets(database: Database) -> dict[str, VersionIds]:
    """Targets with a version each; one of them is hardly ever used."""
    found: dict[str, VersionIds] = {}
    async with database.transaction() as tx:
        for name in [*(f"agent {number}" for number in range(TARGETS)), RARE]:
            record = TargetRecord(id=new_id(), name=name, kind="remote", created_at=NOW, updated_at=NOW)
            await targets.create(tx, record)
            version = await targets.add_version(tx, record, {"kind": "remote"}, {}, "ab" * 32, new_id, NOW)
            found[name] = VersionIds(record.id, version.id)
    return found


async def fill(database: Database, versions: dict[str, VersionIds], count: int) -> None:
    """Store executions of the last months, some of them failed, a few invoked by hand."""
    chance = random.Random(7)
    good = outcome_columns(outcome(None), "it")
    bad = outcome_columns(outcome(Failure(stage="invoke", type="timeout", message="it took too long")), "it")
    names = list(versions)[:-1]
    for first in range(0, count, BATCH):
        rows: list[Params] = []
        async with database.transaction() as tx:
            for number in range(first, min(count, first + BATCH)):
                failed, by_hand = chance.random() < ERRORS, chance.random() < BY_HAND
                version = versions[RARE if number % 50_000 == 0 else chance.choice(names[: 1 + number % TARGETS])]
                columns = bad if failed else good
                at = pack_time(NOW - timedelta(seconds=count - number))
                given = f'{{"input":"{number} {TEXT}"}}'
                source = "runner" if by_hand else "production"
                head = pack_id(new_id()), source, at, given, *columns.stored, int(failed), columns.size
                rows.append((*head, None, pack_id(version.version_id), pack_id(version.target_id), tx.workspace))
            await tx.execute_many((INSERT, rows))


def outcome(failure: Failure | None) -> Outcome:
    """What an agent did in four steps."""
    spans = tuple(
        Span(span_id=f"{number:016x}", name="chat", start_ns=number, end_ns=number + 1, attributes={"text": TEXT})
        for number in range(4)
    )
    output = None if failure else TEXT
    used = Usage(calls=2, input_tokens=200, output_tokens=40, unpriced=2)
    return Outcome(
        output=output, failure=failure, usage=used, latency=1.5, trace=Trace(trace_id="ab" * 16, spans=spans)
    )


def lists(versions: dict[str, VersionIds]) -> list[tuple[str, int, ExecutionFilter]]:
    """What people ask for: a name, a page, the filters."""
    often, rare = versions["agent 0"].target_id, versions[RARE].target_id
    error, hand = ExecutionStatus.ERROR, ExecutionSource.RUNNER
    week = NOW - timedelta(days=7)
    return [
        ("all", 1, ExecutionFilter()),
        ("all, page 500", 500, ExecutionFilter()),
        ("errors", 1, ExecutionFilter(status=error)),
        ("answered", 1, ExecutionFilter(status=ExecutionStatus.OK)),
        ("waiting", 1, ExecutionFilter(status=ExecutionStatus.WAITING)),
        ("from production", 1, ExecutionFilter(source=ExecutionSource.PRODUCTION)),
        ("by hand", 1, ExecutionFilter(source=hand)),
        ("by hand, errors", 1, ExecutionFilter(source=hand, status=error)),
        ("of one target", 1, ExecutionFilter(target_id=often)),
        ("of one target, errors", 1, ExecutionFilter(target_id=often, status=error)),
        ("of one target, by hand", 1, ExecutionFilter(target_id=often, source=hand)),
        ("of a rare target", 1, ExecutionFilter(target_id=rare)),
        ("of a rare target, production", 1, ExecutionFilter(target_id=rare, source=ExecutionSource.PRODUCTION)),
        ("of a rare target, errors", 1, ExecutionFilter(target_id=rare, status=error)),
        ("before last week", 1, ExecutionFilter(until=week)),
        ("last week, errors", 1, ExecutionFilter(since=week, status=error)),
        ("with a text that is everywhere", 1, ExecutionFilter(text="capital")),
        ("with a text that is nowhere", 1, ExecutionFilter(text="hippopotamus")),
    ]


async def measured(database: Database, what: str, page: int, wanted: ExecutionFilter, times: int) -> list[str]:
    """Ask for one list so often; a line of the table."""
    took: list[float] = []
    total = 0
    for _ in range(times + 1):
        start = time.perf_counter()
        async with database.read() as rx:
            total = (await execution_pages.page(rx, page, 20, wanted)).total
        took.append((time.perf_counter() - start) * 1000)
    cuts = quantiles(took[1:], n=20)  # the first reads the disk
    return [what, f"{total:,}", f"{cuts[9]:.1f}", f"{cuts[18]:.1f}", "yes" if cuts[18] < MOST_MS else "**no**"]


if __name__ == "__main__":
    asyncio.run(main(options()))
