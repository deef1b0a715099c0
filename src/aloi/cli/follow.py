"""Seeing a run through: progress while it goes on, then the report, the files and the exit code."""

import time
from collections.abc import Awaitable
from typing import NamedTuple

from aloi.cli.exit_codes import ruling_on, run_exit_code
from aloi.cli.figures import short_id
from aloi.cli.interrupts import Interrupts
from aloi.cli.outputs import Outputs
from aloi.cli.progress import Show, shown
from aloi.cli.terminal import Terminal
from aloi.client import Client
from aloi.core.errors import Conflict
from aloi.core.run import Run
from aloi.core.wording import count
from aloi.plugins import module

POLL_SECONDS = 0.25
REPORT = "aloi.cli.report"  # takes a while to import, and only the end shows it


class Ending(NamedTuple):
    """What is to happen when a run ends: where the report goes, which files are written, the gate's threshold."""

    terminal: Terminal
    outputs: Outputs = Outputs()
    threshold: float | None = None


async def see_through(client: Client, start: Awaitable[Run], ending: Ending) -> int:
    """Start a run, follow it to its end, report it, write its files. Returns the exit code."""
    with Interrupts() as interrupts:
        run = await start
        ending.terminal.note(opening(run))
        finished = await follow(client, run, ending.terminal, interrupts)
    decision, report = ruling_on(finished, ending.threshold), module(REPORT)
    for part in report.render(await report.gather(client, finished), decision):
        ending.terminal.report.print(part)
    await ending.outputs.write(client, finished.id)
    return run_exit_code(finished, decision)


def opening(run: Run) -> str:
    """What is about to happen, in one line."""
    trials = run.spec.limits.trials
    work = count(run.total, "result") if trials > 1 else count(run.total, "case")
    judge = run.spec.judge
    graded = f", judge {judge.model} ({count(judge.samples, 'sample')})" if judge else ""
    return f"{work} of {run.dataset_name} against {run.target}{graded}; run {short_id(run.id)}"


async def follow(client: Client, run: Run, terminal: Terminal, interrupts: Interrupts) -> Run:
    """Show the progress of a run until it is finished. The first Ctrl-C cancels it, keeping what is finished."""
    cancelled = False
    with shown(terminal.notes, run.total, time.monotonic) as show:
        while not run.status.finished:
            if interrupts.asked and not cancelled:
                cancelled = True
                terminal.note("Stopping; what is finished is kept. Ctrl-C again ends at once.")
                run = await stop(client, run)
                continue
            run = await one_look(client, run, terminal, show)
    return run


async def one_look(client: Client, run: Run, terminal: Terminal, show: Show) -> Run:
    """The run after a moment, its progress shown. What goes wrong goes its way, after a word on what becomes of it."""
    try:
        show.update(await client.progress(run.id))
        return await client.wait(run.id, POLL_SECONDS)
    except Exception:
        terminal.note(_out_of_sight(run) if not client.in_process else _broken_off(run))
        raise


def _broken_off(run: Run) -> str:
    return f"Run {run.id} broke off; what is finished is kept: aloi runs resume {short_id(run.id)}"


def _out_of_sight(run: Run) -> str:
    return f"Run {run.id} cannot be followed; it goes on at the server: aloi runs show {short_id(run.id)}"


async def stop(client: Client, run: Run) -> Run:
    """Cancel the run, unless it finished just now."""
    try:
        return await client.cancel(run.id)
    except Conflict:
        return await client.run(run.id)
