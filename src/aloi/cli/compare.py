"""`aloi compare A B`."""

from typing import Annotated

import typer

from aloi.cli.comparison_view import render_comparison
from aloi.cli.door import carry_out, opened
from aloi.cli.terminal import terminal
from aloi.core.comparison import Comparison


def compare_command(
    context: typer.Context,
    a: Annotated[str, typer.Argument(help="The baseline: a run's id or the beginning of it, or `latest`.")],
    b: Annotated[str, typer.Argument(help="The run that is held against it.")],
) -> None:
    """Compare two runs: is B better than A?

    Cases are matched by key, trial by trial. Says how far the pass rate moved, whether chance explains it, and which
    cases changed. The exit code says only whether they could be compared.
    """
    comparison = carry_out(_compared(context, a, b))
    report = terminal().report
    for part in render_comparison(comparison):
        report.print(part)


async def _compared(context: typer.Context, a: str, b: str) -> Comparison:
    async with opened(context) as client:
        return await client.compare(a, b)
