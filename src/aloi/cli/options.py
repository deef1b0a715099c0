"""Options that several commands share."""

from typing import Annotated

import typer

from aloi.cli.outputs import Outputs
from aloi.core.access import Role

JudgeModel = Annotated[str | None, typer.Option("--judge", metavar="MODEL", help="The judge, provider:model.")]
JudgeUrl = Annotated[
    str | None, typer.Option("--judge-url", metavar="URL", help="The judge's OpenAI-compatible address.")
]
JudgeSamples = Annotated[int | None, typer.Option(metavar="1..5", help="How often each judge call is made.")]

RoleOption = Annotated[Role, typer.Option("--role", help="A viewer reads, an editor runs, an owner manages.")]


def share(value: float | None) -> float | None:
    """A share as it was given.

    Raises:
        BadParameter: it is none.
    """
    if value is not None and not 0 < value <= 1:
        raise typer.BadParameter(f"{value:g} is not a share above 0 and up to 1; write e.g. 0.8 for 80 %")
    return value


MinPassRate = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        callback=share,
        help="Exit code 0 only if passes over all results reach this, e.g. 0.8; errors that could change it are a no.",
    ),
]
Junit = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Write JUnit XML; `-` is the standard output."),
]
Json = Annotated[
    str | None,
    typer.Option("--json", metavar="FILE", help="Write everything as JSON."),
]
Csv = Annotated[str | None, typer.Option(metavar="FILE", help="Write one line per result.")]
Html = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Write a page that stands by itself."),
]


def outputs(junit: str | None, json: str | None, csv: str | None, html: str | None) -> Outputs:
    """The files that were asked for.

    Raises:
        InvalidInput: one of them could not be written.
    """
    given = {"junit": junit, "json": json, "csv": csv, "html": html}
    wanted = Outputs(tuple((form, path) for form, path in given.items() if path is not None))
    wanted.check()
    return wanted
