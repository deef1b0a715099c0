"""Runs in lists, one run with its results, one result of it."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from aloi.cli.case_view import render_result
from aloi.cli.figures import short_id, when
from aloi.cli.progress import status
from aloi.cli.report import ended, gather, next_steps, render, results_table, state
from aloi.cli.tables import table
from aloi.cli.terminal import one_line, plain
from aloi.client import Client
from aloi.core.run import Run
from aloi.core.score import Verdict
from aloi.core.wording import interval_text, percent

PAGE = 200


def runs_table(runs: Sequence[Run]) -> Table:
    """Runs as rows."""
    shown = table("Run", "Dataset", "Target", "Status", "Passed", "Started", whole=("Run", "Passed", "Started"))
    for run in runs:
        shown.add_row(
            short_id(run.id),
            Text(one_line(run.dataset_name, 40)),
            Text(one_line(run.target, 40)),
            state(run),
            passed_text(run),
            when(run.created_at),
        )
    return shown


def passed_text(run: Run) -> str:
    """`7/9 78%`, with the errors; a dash while there is no summary."""
    summary = run.summary
    if summary is None:
        return "–"
    rate = f" {percent(summary.rate)}" if summary.rate is not None else ""
    errors = f" +{summary.errors} err" if summary.errors else ""
    return f"{summary.passed}/{summary.decided}{rate}{errors}"


def live_line(run: Run) -> str:
    """A run in one line."""
    found = f", {passed_text(run)} passed, {interval_text(run.summary.interval)}" if run.summary else ""
    return plain(f"Run {run.id} {ended(run)}{found}")


async def show_run(client: Client, console: Console, run: str, listed: bool, verdict: Verdict | None) -> None:
    """Print the report of a run, or how far it is; `listed` prints all its results (of a verdict) in its place."""
    found = await client.run(run)
    if listed:
        await _list_results(client, console, found, verdict)
        return
    if found.summary is None:
        progress = await client.progress(found.id)
        console.print(live_line(found))
        for command, purpose in next_steps(found):
            console.print(f"  {command}  {purpose}", soft_wrap=True)
        done = progress.passed + progress.failed + progress.errors
        console.print(f"{done}/{progress.total}: {status(progress, None)}")
        return
    for part in render(await gather(client, found)):
        console.print(part)


async def _list_results(client: Client, console: Console, run: Run, verdict: Verdict | None) -> None:
    page = await client.results(run.id, verdict, size=PAGE)
    for number in range(1, max(1, page.pages) + 1):
        if number > 1:
            page = await client.results(run.id, verdict, page=number, size=PAGE)
        if page.items:
            console.print(results_table(page.items, trials=run.spec.limits.trials))
    ended = f" with verdict {verdict.value}" if verdict else ""
    console.print(f"\n{page.total:,} of {run.total:,} results{ended} in run {short_id(run.id)}")


async def show_case(client: Client, console: Console, run: str, case: str, trial: int) -> None:
    """Print one result in full; `trial` counts from 0."""
    result = await client.result(run, case, trial)
    for part in render_result(result, await client.frozen_case(run, case)):
        console.print(part)
