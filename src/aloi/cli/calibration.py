"""`aloi calibration`: how far the judges can be trusted."""

from typing import Annotated

import typer
from pydantic import TypeAdapter

from aloi.cli.calibration_view import render_calibrations
from aloi.cli.door import carry_out, opened
from aloi.cli.tables import tell_pages
from aloi.cli.terminal import terminal, write_data
from aloi.core.calibration import Calibration
from aloi.core.listing import Page


def calibration_command(
    context: typer.Context,
    target: Annotated[str | None, typer.Option(help="Only runs of this target, by name or id.")] = None,
    dataset: Annotated[str | None, typer.Option(help="Only runs of this dataset, by name or id.")] = None,
    run: Annotated[str | None, typer.Option(help="Only this run: its id, the beginning of it, or `latest`.")] = None,
    page: Annotated[int, typer.Option(min=1, help="Which page; 1 holds the most labelled judges.")] = 1,
    size: Annotated[int, typer.Option(min=1, max=200, help="Judges on a page.")] = 20,
    json_: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Show how far each judge agrees with people's labels, and with itself.

    A judge is its model, prompt, parameters and number of samples. Label results with `aloi runs label`.
    """
    found = carry_out(_found(context, target, dataset, run, page, size))
    if json_:
        write_data(TypeAdapter(tuple[Calibration, ...]).dump_json(found.items, indent=2).decode() + "\n")
        return
    report = terminal().report
    if not found.total:
        report.print("No judge judged here. A run with a judge, and labels of its results, make a calibration.")
        return
    for part in render_calibrations(found.items):
        report.print(part)
    tell_pages(found, "judges")


async def _found(
    context: typer.Context, target: str | None, dataset: str | None, run: str | None, page: int, size: int
) -> Page[Calibration]:
    async with opened(context) as client:
        return await client.calibration(target, dataset, run, page, size)
