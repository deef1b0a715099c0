"""`aloi evaluators`: the kinds, and what each one takes."""

from collections.abc import Mapping
from typing import Annotated, cast

import typer
from rich.console import RenderableType
from rich.text import Text

from aloi.cli.door import carry_out, opened
from aloi.cli.schema_text import parameters
from aloi.cli.tables import table
from aloi.cli.terminal import terminal
from aloi.cli.tree import subcommands
from aloi.core.errors import NotFound
from aloi.core.spec import JsonObject

app = subcommands("List the kinds of evaluators, and show their parameters.")


@app.command("list")
def list_command(context: typer.Context) -> None:
    """List the kinds of evaluators."""
    shown = table("Kind", "What it does", whole=("Kind",))
    for kind, described in carry_out(evaluator_kinds(context)).items():
        shown.add_row(kind, Text(str(described["title"])))
    report = terminal().report
    report.print(shown)
    report.print("\nOne kind with its parameters: aloi evaluators show KIND")


@app.command("show")
def show_command(context: typer.Context, kind: Annotated[str, typer.Argument(help="A kind, e.g. contains.")]) -> None:
    """Show what a kind does, and its parameters."""
    report = terminal().report
    for part in render_kind(described_kind(carry_out(evaluator_kinds(context)), kind)):
        report.print(part)


async def evaluator_kinds(context: typer.Context) -> Mapping[str, JsonObject]:
    """All kinds of evaluators with their descriptions."""
    async with opened(context) as client:
        return await client.kinds("evaluators")


def described_kind(kinds: Mapping[str, JsonObject], kind: str) -> JsonObject:
    """The description of one kind.

    Raises:
        NotFound: there is none of that name.
    """
    if kind not in kinds:
        raise NotFound(f"there is no evaluator kind {kind!r}; the kinds are: {', '.join(kinds)}")
    return kinds[kind]


def render_kind(described: JsonObject) -> list[RenderableType]:
    """A kind's description: its doc, its parameters, an example of how it is written."""
    kind = str(described["kind"])
    shown = table("Parameter", "Type", "Default", "Meaning", whole=("Parameter",))
    for parameter in parameters(cast(JsonObject, described["schema"])):
        shown.add_row(parameter.name, *map(Text, parameter[1:]))
    return [
        Text(kind, style="bold"),
        Text(flowing(str(described["doc"]))),
        Text(),
        shown,
        Text(f"\nIn a suite: {{kind: {kind}, …}}; beside its own parameters any evaluator takes name and weight."),
    ]


def flowing(doc: str) -> str:
    """A docstring whose paragraphs are lines, to be wrapped to any width."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in doc.split("\n\n"))
