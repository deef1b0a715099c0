"""`aloi targets`: what is evaluated, its versions, and trying it."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from aloi.cli.administered import administered
from aloi.cli.door import carry_out, opened
from aloi.cli.execution_view import show_ended
from aloi.cli.faults import REFUSED
from aloi.cli.figures import when
from aloi.cli.gate_view import render_gate
from aloi.cli.given import given_object, given_text
from aloi.cli.run import make_importable
from aloi.cli.tables import facts, table, tell_pages
from aloi.cli.terminal import one_line, plain, terminal
from aloi.cli.tree import subcommands
from aloi.core.execution import Execution
from aloi.core.gate import ActivationRefused
from aloi.core.listing import Page
from aloi.core.run import TargetVersion
from aloi.core.spec import JsonObject
from aloi.core.target_record import TargetDetail, TargetRecord
from aloi.sdk import target_of

app = subcommands("List and show targets, save versions, choose the active one, try a target.")
Ref = Annotated[str, typer.Argument(metavar="TARGET", help="The target's name or id.")]


@app.command("list")
def list_command(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="[TEXT]", help="Only targets with this in their name.")] = "",
    page: Annotated[int, typer.Option(min=1, help="Which page.")] = 1,
    size: Annotated[int, typer.Option(min=1, max=200, help="Targets on a page.")] = 20,
) -> None:
    """List targets; those that changed last come first."""
    found = carry_out(_listed(context, text, page, size))
    report = terminal().report
    if not found.items:
        report.print("There is no target here. A run saves its own: aloi run SUITE.yaml")
        return
    shown = table("Target", "Kind", "Active", "Versions", "Changed", whole=("Kind",))
    for target in found.items:
        active = "–" if target.active is None else str(target.active)
        name = Text(one_line(target.name, 60))
        shown.add_row(name, target.kind, active, str(target.versions), when(target.updated_at))
    report.print(shown)
    tell_pages(found, "targets")


async def _listed(context: typer.Context, text: str, page: int, size: int) -> Page[TargetRecord]:
    async with administered(context) as client:
        return await client.targets(text, page, size)


@app.command("show")
def show_command(context: typer.Context, target: Ref) -> None:
    """Show a target with its active version and the others."""
    found, versions = carry_out(_shown(context, target))
    report = terminal().report
    report.print(Text(plain(found.name), style="bold"))
    active = found.active_version
    pairs = [("Kind", found.kind), ("Description", found.description), ("Id", found.id)]
    report.print(facts([(name, text) for name, text in pairs if text]))
    if active is not None:
        report.print(Text(f"\nVersion {active.number}, active"))
        report.print(Text(plain(json.dumps(active.definition, ensure_ascii=False, indent=2))))
    shown = table("Version", "Saved", "Hash", "")
    for version in versions.items:
        marks = ("active", version.number == found.active), ("gate overridden", version.overridden)
        mark = ", ".join(word for word, holds in marks if holds)
        shown.add_row(str(version.number), when(version.created_at), version.content_hash[:12], mark)
    report.print()
    report.print(shown)


async def _shown(context: typer.Context, target: str) -> tuple[TargetDetail, Page[TargetVersion]]:
    async with administered(context) as client:
        return await client.target(target), await client.target_versions(target, 1, 50)


@app.command("save")
def save_command(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The target's name.")],
    definition: Annotated[str, typer.Argument(help="Its kind and fields as JSON or YAML, @FILE, or `-`.")],
) -> None:
    """Save a definition: as a new target, or as the next version of the one that has the name."""
    make_importable(Path.cwd())
    version = carry_out(_saved(context, name, definition))
    print(plain(f"{version.target_name}@{version.number}"))


async def _saved(context: typer.Context, name: str, definition: str) -> TargetVersion:
    name_of_text = definition[1:] if definition.startswith("@") else "DEFINITION"
    target = target_of(given_text("DEFINITION", definition), name_of_text)
    async with opened(context) as client:
        return await client.save_target(name, target)


@app.command("activate")
def activate_command(
    context: typer.Context,
    target: Ref,
    version: Annotated[int, typer.Argument(min=1, help="The version's number.")],
    override: Annotated[
        str | None, typer.Option(metavar="REASON", help="As an owner, activate it although the gate does not allow it.")
    ] = None,
) -> None:
    """Make a version the one that is used where none is named. Exit code 1 when the gate does not allow it."""
    try:
        found = carry_out(_activated(context, target, version, override))
    except ActivationRefused as refused:
        for part in render_gate(refused.state):
            terminal().report.print(part)
        raise typer.Exit(REFUSED) from refused
    print(plain(f"{found.name}@{found.active} is active."))


async def _activated(context: typer.Context, target: str, version: int, override: str | None) -> TargetDetail:
    async with administered(context) as client:
        return await client.activate(target, version, override)


@app.command("delete")
def delete_command(context: typer.Context, target: Ref) -> None:
    """Delete a target with its versions; one that runs evaluated is kept."""
    carry_out(_deleted(context, target))
    print(plain(f"{target} is deleted."))


async def _deleted(context: typer.Context, target: str) -> None:
    async with administered(context) as client:
        await client.delete_target(target)


@app.command("invoke")
def invoke_command(
    context: typer.Context,
    target: Ref,
    input_: Annotated[
        str | None, typer.Argument(metavar="[INPUT]", help="A text, @FILE, or `-` for the standard input.")
    ] = None,
    version: Annotated[int | None, typer.Option(min=1, help="Which version; default the active one.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The input is a JSON object.")] = False,
) -> None:
    """Put an input to a target and print the answer. Exit code 1 when it failed.

    One that asks people first waits for them: `aloi executions answer` goes on with it.
    """
    make_importable(Path.cwd())
    text = given_text("INPUT", input_)
    given = given_object("INPUT", text) if as_json else text
    raise typer.Exit(show_ended(carry_out(_invoked(context, target, given, version))))


async def _invoked(context: typer.Context, target: str, given: str | JsonObject, version: int | None) -> Execution:
    async with administered(context) as client:
        return await client.invoke(target, given, version)
