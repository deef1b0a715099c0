"""Shortcuts for tests that start runs over the service layer."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.result import CaseResult
from aloi.core.run import Run, RunLimits, RunRequest
from aloi.service import datasets, runs, targets
from aloi.service.context import Context
from aloi.store import result_pages
from aloi.store.codec import pack_id
from aloi.store.database import Database
from aloi.targets.python import Python

CONTAINS = ({"kind": "contains", "text": "ok"},)


class Gate:
    """Answers while it is open, else hangs; counts its calls."""

    def __init__(self, free: int = 0) -> None:
        self.calls = Counter[str]()
        self.free = free

    async def __call__(self, given: Any) -> Any:
        self.calls[given] += 1
        if self.calls.total() > self.free:
            await asyncio.sleep(60)
        return "ok"


async def each(cases: Sequence[dict[str, Any]]) -> AsyncIterator[Case]:
    """The cases as a client gives them."""
    for case in cases:
        yield Case.model_validate(case)


def prompts(number: int) -> list[dict[str, Any]]:
    """So many cases with keys k0, k1, ..."""
    return [{"key": f"k{n}", "prompt": f"prompt {n}"} for n in range(number)]


async def save(
    context: Context,
    cases: Sequence[dict[str, Any]],
    evaluators: Sequence[dict[str, Any]] = CONTAINS,
    name: str = "data",
    **options: Any,
) -> str:
    """Save a dataset whose cases are exactly these; its id."""
    bindings = [Binding.model_validate(spec) for spec in evaluators]
    options.setdefault("replace", True)
    return (await datasets.save(context, name, each(cases), bindings, **options)).dataset_id


async def start(context: Context, target: Callable[..., Any], dataset: str = "data", **options: Any) -> Run:
    """Start a run of a callable on a saved dataset."""
    keys = options.pop("case_keys", None)
    version = await targets.save(context, "target", Python.of(target))
    limits = RunLimits.model_validate(options)
    request = RunRequest(target_version_id=version.id, dataset=dataset, limits=limits, case_keys=keys)
    return await runs.start(context, request)


async def finished(context: Context, run: Run) -> Run:
    """The run when it is finished; at most ten seconds."""
    return await runs.wait(context, run.id, 10)


async def results_of(context: Context, run: Run) -> dict[str, CaseResult]:
    """The results of a run's first trials by case key."""
    async with context.database.read() as rx:
        found = [result async for result in result_pages.every(rx, run.id)]
    return {result.case_key: result for result in found if result.trial == 0}


async def until_passed(context: Context, run: Run, number: int) -> None:
    """Wait until so many results that passed are committed."""
    async with asyncio.timeout(5):
        while (await runs.progress(context, run.id)).passed < number:
            await asyncio.sleep(0.01)


async def fill_up(database: Database, spare: int = 0) -> None:
    """Let the file grow by so many pages more and no further, as a full disk does."""
    async with database.transaction() as tx:
        [(pages,)] = await tx.fetch("PRAGMA page_count")
        await tx.fetch(f"PRAGMA max_page_count = {pages + spare}")


async def make_room(database: Database) -> None:
    """Free the disk again."""
    async with database.transaction() as tx:
        await tx.fetch("PRAGMA max_page_count = 1000000")


async def lease_holder(context: Context, run: Run) -> str | None:
    """Who holds the lease of a run."""
    async with context.database.read() as rx:
        [(owner,)] = await rx.fetch("SELECT lease_owner FROM runs WHERE id = ?", (pack_id(run.id),))
    return owner
