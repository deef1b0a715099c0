"""`aloi gate`: what a version must reach to become active."""

from typing import Annotated

import typer
from rich.text import Text

from aloi.cli.administered import administered
from aloi.cli.door import carry_out
from aloi.cli.faults import OK, REFUSED
from aloi.cli.gate_view import render_gate, render_overrides
from aloi.cli.options import share
from aloi.cli.tables import tell_pages
from aloi.cli.terminal import plain, terminal, write_data
from aloi.cli.tree import subcommands
from aloi.core.errors import NotFound
from aloi.core.gate import DatasetGate, Gate, GateState, Override
from aloi.core.listing import Page

app = subcommands("Check, show and set what a target's versions must reach to become active.")
Ref = Annotated[str, typer.Argument(metavar="TARGET", help="The target's name or id.")]
DatasetRef = Annotated[str, typer.Argument(metavar="DATASET", help="The dataset's name or id.")]
Version = Annotated[int | None, typer.Option(min=1, help="Which version; default the newest.")]


@app.command("check")
def check_command(
    context: typer.Context,
    target: Ref,
    version: Version = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as JSON.")] = False,
) -> None:
    """Say whether a version may become active, and why.

    Exit codes: 0 it may, 1 it may not, 2 wrong usage, 3 the system failed.
    """
    state = carry_out(_state(context, target, version))
    if as_json:
        write_data(state.model_dump_json(indent=2) + "\n")
    else:
        _print(state)
    raise typer.Exit(OK if state.allowed else REFUSED)


@app.command("show")
def show_command(context: typer.Context, target: Ref, version: Version = None) -> None:
    """Show a target's policies, and what they say of a version."""
    _print(carry_out(_state(context, target, version)))


async def _state(context: typer.Context, target: str, version: int | None) -> GateState:
    async with administered(context) as client:
        return await client.gate(target, version)


def _print(state: GateState) -> None:
    report = terminal().report
    for part in render_gate(state):
        report.print(part)


@app.command("set")
def set_command(
    context: typer.Context,
    target: Ref,
    dataset: DatasetRef,
    threshold: Annotated[
        float,
        typer.Argument(metavar="SHARE", callback=share, help="The least share of passes, e.g. 0.8 for 80 %."),
    ],
    off: Annotated[bool, typer.Option("--off", help="Keep it, but let it decide nothing.")] = False,
) -> None:
    """Set a target's threshold on a dataset, for owners; that on other datasets stays."""
    _print(carry_out(_set(context, target, dataset, threshold, not off)))


async def _set(context: typer.Context, target: str, dataset: str, threshold: float, enabled: bool) -> GateState:
    async with administered(context) as client:
        before = await client.gate(target)
        policy = DatasetGate(dataset_id=dataset, threshold=threshold, enabled=enabled)
        kept = [given for given in before.gate.policies if given.dataset_id != _id_of(before, dataset)]
        return await client.set_gate(target, Gate(policies=(*kept, policy)), before.gate)


@app.command("remove")
def remove_command(context: typer.Context, target: Ref, dataset: DatasetRef) -> None:
    """Take a target's threshold on a dataset away, for owners."""
    _print(carry_out(_removed(context, target, dataset)))


async def _removed(context: typer.Context, target: str, dataset: str) -> GateState:
    async with administered(context) as client:
        before = await client.gate(target)
        gone = _id_of(before, dataset)
        if gone is None:
            raise NotFound(f"the gate of {target!r} has no policy on {dataset!r}; see `aloi gate show`")
        kept = tuple(policy for policy in before.gate.policies if policy.dataset_id != gone)
        return await client.set_gate(target, Gate(policies=kept), before.gate)


def _id_of(state: GateState, dataset: str) -> str | None:
    """The id of a dataset that a policy is on, by its id or name; null when none is."""
    ids = [policy.dataset_id for policy in state.policies]
    named = {policy.dataset_name: policy.dataset_id for policy in state.policies}
    return dataset if dataset in ids else named.get(dataset)


@app.command("overrides")
def overrides_command(
    context: typer.Context,
    target: Ref,
    page: Annotated[int, typer.Option(min=1, help="Which page; 1 holds the newest.")] = 1,
    size: Annotated[int, typer.Option(min=1, max=200, help="Overrides on a page.")] = 20,
) -> None:
    """List the versions that owners let pass against the gate, newest first."""
    found = carry_out(_overrides(context, target, page, size))
    report = terminal().report
    if not found.items:
        report.print(Text(plain(f"No version of {target} was let pass against its gate.")))
        return
    report.print(render_overrides(found.items))
    tell_pages(found, "overrides")


async def _overrides(context: typer.Context, target: str, page: int, size: int) -> Page[Override]:
    async with administered(context) as client:
        return await client.overrides(target, page, size)
