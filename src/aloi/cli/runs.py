"""`aloi runs`: what became of runs, and going on with them."""

from collections.abc import Awaitable, Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from aloi.cli.door import carry_out, opened
from aloi.cli.faults import OK
from aloi.cli.figures import short_id
from aloi.cli.follow import Ending, see_through
from aloi.cli.label_view import label_line, labels_table
from aloi.cli.options import Csv, Html, Json, Junit, MinPassRate, outputs
from aloi.cli.outputs import STDOUT, Outputs, write_export
from aloi.cli.run import make_importable
from aloi.cli.run_views import live_line, runs_table, show_case, show_run
from aloi.cli.tables import tell_pages
from aloi.cli.terminal import Terminal, plain, terminal
from aloi.cli.tree import subcommands
from aloi.client import Client
from aloi.core.errors import InvalidInput
from aloi.core.label import Label, LabelGiven
from aloi.core.listing import Page
from aloi.core.run import Run
from aloi.core.score import Verdict
from aloi.core.spec import valid

app = subcommands("List, show, resume, cancel, retry, regrade, label, export and delete runs.")
RunId = Annotated[str, typer.Argument(metavar="RUN", help="A run's id, the beginning of it, or `latest`.")]


class Format(StrEnum):
    """Formats of an export."""

    JSON = "json"
    CSV = "csv"
    JUNIT = "junit"
    HTML = "html"


class Said(StrEnum):
    """What a person says of a result; `none` takes it back."""

    PASS = "pass"
    FAIL = "fail"
    NONE = "none"


ENDINGS = {".json": Format.JSON, ".csv": Format.CSV, ".xml": Format.JUNIT, ".html": Format.HTML, ".htm": Format.HTML}


@app.command("list")
def list_command(
    context: typer.Context,
    dataset: Annotated[str | None, typer.Option(help="Only runs of this dataset.")] = None,
    page: Annotated[int, typer.Option(min=1, help="Which page; 1 holds the newest.")] = 1,
    size: Annotated[int, typer.Option(min=1, max=200, help="Runs on a page.")] = 20,
) -> None:
    """List runs, newest first."""
    found = carry_out(_listed(context, dataset, page, size))
    report = terminal().report
    if not found.items:
        report.print("There is no run here. Start one: aloi run SUITE.yaml")
        return
    report.print(runs_table(found.items))
    tell_pages(found, "runs")


async def _listed(context: typer.Context, dataset: str | None, page: int, size: int) -> Page[Run]:
    async with opened(context) as client:
        return await client.runs(dataset, page, size)


@app.command("show")
def show_command(
    context: typer.Context,
    run: RunId,
    case: Annotated[str | None, typer.Argument(help="A case's key: shows its result in full.")] = None,
    trial: Annotated[int, typer.Option(min=1, help="Which trial of the case.")] = 1,
    verdict: Annotated[Verdict | None, typer.Option(help="List all results that ended so.")] = None,
    all_: Annotated[bool, typer.Option("--all", help="List all results.")] = False,
) -> None:
    """Show a run's report, its results, or one result in full."""
    carry_out(_shown(context, terminal(), run, case, trial, verdict, all_))


async def _shown(
    context: typer.Context, shown: Terminal, run: str, case: str | None, trial: int, verdict: Verdict | None, all_: bool
) -> None:
    async with opened(context) as client:
        if case is not None:
            await show_case(client, shown.report, run, case, trial - 1)
        else:
            await show_run(client, shown.report, run, listed=all_ or verdict is not None, verdict=verdict)


@app.command("resume")
def resume_command(
    context: typer.Context,
    run: RunId,
    min_pass_rate: MinPassRate = None,
    junit: Junit = None,
    json: Json = None,
    csv: Csv = None,
    html: Html = None,
) -> None:
    """Go on with a run that stopped; what is finished is not done again."""
    _see_through(context, lambda client: client.resume(run), min_pass_rate, outputs(junit, json, csv, html))


@app.command("retry")
def retry_command(
    context: typer.Context,
    run: RunId,
    verdict: Annotated[
        list[Verdict] | None, typer.Option(help="Which results are done again; default: error. May be repeated.")
    ] = None,
    min_pass_rate: MinPassRate = None,
    junit: Junit = None,
    json: Json = None,
    csv: Csv = None,
    html: Html = None,
) -> None:
    """Run the errored cases again, as a new run; the other results are carried over."""
    again = verdict or [Verdict.ERROR]
    _see_through(context, lambda client: client.retry(run, again), min_pass_rate, outputs(junit, json, csv, html))


@app.command("regrade")
def regrade_command(
    context: typer.Context,
    run: RunId,
    min_pass_rate: MinPassRate = None,
    junit: Junit = None,
    json: Json = None,
    csv: Csv = None,
    html: Html = None,
) -> None:
    """Grade the same answers with the dataset's present evaluators, as a new run; the target is not called."""
    _see_through(context, lambda client: client.regrade(run), min_pass_rate, outputs(junit, json, csv, html))


def _see_through(
    context: typer.Context, start: Callable[[Client], Awaitable[Run]], threshold: float | None, files: Outputs
) -> None:
    make_importable(Path.cwd())
    raise typer.Exit(carry_out(_started(context, start, Ending(terminal(files.on_stdout), files, threshold))))


async def _started(context: typer.Context, start: Callable[[Client], Awaitable[Run]], ending: Ending) -> int:
    async with opened(context) as client:
        return await see_through(client, start(client), ending)


@app.command("cancel")
def cancel_command(context: typer.Context, run: RunId) -> None:
    """Stop a run, here or in another process; what is finished is kept."""
    terminal().report.print(live_line(carry_out(_cancelled(context, run))))


async def _cancelled(context: typer.Context, run: str) -> Run:
    async with opened(context) as client:
        return await client.cancel(run)


@app.command("label")
def label_command(
    context: typer.Context,
    run: RunId,
    case: Annotated[str, typer.Argument(help="A case's key.")],
    said: Annotated[Said, typer.Argument(metavar="pass|fail|none", help="What it deserves; none takes a label away.")],
    note: Annotated[str | None, typer.Option(help="Why, in words.")] = None,
    trial: Annotated[int, typer.Option(min=1, help="Which trial of the case.")] = 1,
) -> None:
    """Say whether a result deserves to pass: what judges are measured against, see `aloi calibration`."""
    given = None
    if said is not Said.NONE:
        given = valid(LabelGiven, {"verdict": said.value, "note": note, "trial": trial - 1}, "the label")
    label = carry_out(_labelled(context, run, case, trial - 1, given))
    terminal().report.print(label_line(label) if label else plain(f"{case} has no label any more."))


async def _labelled(context: typer.Context, run: str, case: str, trial: int, given: LabelGiven | None) -> Label | None:
    async with opened(context) as client:
        if given is not None:
            return await client.label(run, case, given)
        await client.remove_label(run, case, trial)
        return None


@app.command("labels")
def labels_command(
    context: typer.Context,
    run: RunId,
    page: Annotated[int, typer.Option(min=1, help="Which page.")] = 1,
    size: Annotated[int, typer.Option(min=1, max=200, help="Labels on a page.")] = 50,
) -> None:
    """List the labels of a run, in the order of the cases."""
    found = carry_out(_labels(context, run, page, size))
    report = terminal().report
    if not found.total:
        report.print("Nobody labelled a result of this run. Label one: aloi runs label RUN CASE pass")
        return
    report.print(labels_table(found.items))
    tell_pages(found, "labels")


async def _labels(context: typer.Context, run: str, page: int, size: int) -> Page[Label]:
    async with opened(context) as client:
        return await client.labels(run, page, size)


@app.command("export")
def export_command(
    context: typer.Context,
    run: RunId,
    form: Annotated[Format | None, typer.Option("--format", help="Default: the file's ending, else json.")] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="A file; `-` is the standard output.")] = STDOUT,
) -> None:
    """Write a run as JSON, CSV, JUnit XML or HTML."""
    chosen = form or ENDINGS.get(Path(output).suffix.lower(), Format.JSON)
    Outputs((("output", output),)).check()
    carry_out(_exported(context, run, chosen, output))


async def _exported(context: typer.Context, run: str, form: Format, output: str) -> None:
    async with opened(context) as client:
        # The run is looked up before the file is made: a wrong id leaves no empty file behind.
        await write_export(client, (await client.run(run)).id, form.value, output)


@app.command("delete")
def delete_command(
    context: typer.Context,
    run: RunId,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete a run with its results; a live one is cancelled first."""
    found = carry_out(_found(context, run))
    if not yes:
        _confirm(found)
    carry_out(_deleted(context, found.id))
    terminal().report.print(plain(f"Run {found.id} is deleted."))


def _confirm(run: Run) -> None:
    shown = terminal()
    if not shown.notes.is_terminal:
        raise InvalidInput(f"deleting run {short_id(run.id)} cannot be undone; add --yes to do it without a question")
    if not typer.confirm(plain(f"Delete run {run.id} of {run.dataset_name} against {run.target}?"), err=True):
        raise typer.Exit(OK)


async def _found(context: typer.Context, run: str) -> Run:
    async with opened(context) as client:
        return await client.run(run)


async def _deleted(context: typer.Context, run: str) -> None:
    async with opened(context) as client:
        await client.delete_run(run)
