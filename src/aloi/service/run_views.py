"""Runs and results as lists and pages show them."""

from collections.abc import Collection, Sequence

from aloi.core.listing import Page
from aloi.core.run import Progress, Run, RunStatus
from aloi.core.run_view import (
    CaseDetail,
    ResultView,
    RunPage,
    RunView,
    ShownCase,
    case_detail,
    final_progress,
    result_view,
    run_view,
)
from aloi.core.score import Verdict
from aloi.service import runs
from aloi.service.context import Context
from aloi.service.runs import offset_of
from aloi.store import labels, outcomes, result_pages, results, revisions, run_cases, run_targets
from aloi.store import runs as stored
from aloi.store.connection import Connection

# A run is answered with so many of its results; the others come in pages.
FIRST_RESULTS = 200


async def view(context: Context, run: Run) -> RunView:
    """A run as it is shown."""
    async with context.database.read() as rx:
        return (await _views(rx, [run]))[0]


async def listing(
    context: Context,
    page: int,
    size: int,
    *,
    target_id: str | None = None,
    dataset_id: str | None = None,
    schedule_id: str | None = None,
    statuses: Collection[RunStatus] = (),
    text: str | None = None,
) -> Page[RunView]:
    """A page of the runs that the filters let through, newest first; `text` looks at the names of target and dataset.

    Raises:
        InvalidInput: a filter is no id, or there is no such page.
    """
    offset = offset_of(page, size)
    async with context.database.read() as rx:
        found = await stored.listing(
            rx,
            target_id=target_id,
            dataset_id=dataset_id,
            schedule_id=schedule_id,
            statuses=statuses,
            text=text,
            offset=offset,
            limit=size,
        )
        total = await stored.count(
            rx, target_id=target_id, dataset_id=dataset_id, schedule_id=schedule_id, statuses=statuses, text=text
        )
        items = await _views(rx, list(map(runs.seen, found)))
    return Page[RunView](items=tuple(items), total=total, page=page, size=size)


async def _views(rx: Connection, found: Sequence[Run]) -> list[RunView]:
    """Runs as they are shown. Only live runs are counted."""
    targets = await run_targets.shown(rx, (run.spec.target_version_id for run in found))
    return [run_view(run, targets[run.spec.target_version_id], await _progress(rx, run)) for run in found]


async def _progress(rx: Connection, run: Run) -> Progress:
    return await results.counts(rx, run.id) if run.summary is None else final_progress(run, run.summary)


async def with_results(context: Context, ref: str) -> RunPage:
    """A run with its first results.

    Raises:
        NotFound: there is no such run.
    """
    run = await runs.get(context, ref)
    shown = await view(context, run)
    first = await page_of_results(context, run.id, None, None, 1, FIRST_RESULTS)
    return RunPage(**dict(shown), results=first.items, results_total=first.total)


async def page_of_results(
    context: Context,
    ref: str,
    verdict: Verdict | None,
    text: str | None,
    page: int,
    size: int,
    labelled: bool | None = None,
) -> Page[ResultView]:
    """A page of results in the order of the cases.

    Args:
        verdict: only those of this verdict.
        text: only those where it occurs in the case's key or name, in the answer, or in what the evaluators said.
        labelled: only those that somebody labelled, or only the others.

    Raises:
        NotFound: there is no such run.
        InvalidInput: there is no such page.
    """
    run = await runs.get(context, ref)
    async with context.database.read() as rx:
        found = await result_pages.page(
            rx, run.id, verdict, text, offset=offset_of(page, size), limit=size, labelled=labelled, traces=False
        )
        keys = {result.case_key for result in found.results}
        cases = await run_cases.shown(rx, run.id, keys)
        said = await labels.verdicts(rx, run.id, keys)
    items = (
        result_view(result, cases.get(result.case_key, ShownCase()), said.get((result.case_key, result.trial)))
        for result in found.results
    )
    return Page[ResultView](items=tuple(items), total=found.total, page=page, size=size)


async def detail(context: Context, ref: str, case: str, trial: int) -> CaseDetail:
    """One result with everything, by the case's key or id.

    Raises:
        NotFound: there is no such run, or no such result in it.
    """
    run = await runs.get(context, ref)
    async with context.database.read() as rx:
        result = await result_pages.one(rx, run.id, case, trial)
        frozen = await revisions.case(rx, run.spec.revision_id, result.case_key)
        execution = await outcomes.behind(rx, run.id, result.case_key, trial)
        label = await labels.of_case(rx, run.id, result.case_key, trial)
    return case_detail(result, frozen, execution, label)
