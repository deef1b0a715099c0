"""`aloi executions`: what targets were asked outside of runs and in them, those that wait for people, and cases of
them.
"""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from aloi.cli.administered import administered
from aloi.cli.door import carry_out
from aloi.cli.execution_view import executions_table, render_execution, show_ended, waiting_table
from aloi.cli.given import given_json, given_text
from aloi.cli.run import make_importable
from aloi.cli.tables import tell_pages
from aloi.cli.terminal import plain, terminal
from aloi.cli.tree import subcommands
from aloi.core.case import Case, CaseStatus
from aloi.core.execution import MOST_COUNTED, Execution, ExecutionEntry, ExecutionStatus, ToCase, WaitingStep
from aloi.core.listing import Page
from aloi.core.spec import JsonObject, valid

app = subcommands("List and show executions; answer those that wait for people, give them up, or make cases of them.")
LOOK_SECONDS = 0.2
Ref = Annotated[str, typer.Argument(metavar="EXECUTION", help="An execution's id, or the beginning of it.")]
OfTarget = Annotated[str | None, typer.Option(metavar="TARGET", help="Only those of this target, by its name or id.")]
PageOption = Annotated[int, typer.Option(min=1, help="Which page.")]
Size = Annotated[int, typer.Option(min=1, max=200, help="How many on a page.")]


@app.command("list")
def list_command(
    context: typer.Context,
    target: OfTarget = None,
    status: Annotated[ExecutionStatus | None, typer.Option(help="Only those in this state.")] = None,
    page: PageOption = 1,
    size: Size = 20,
) -> None:
    """List executions, newest first."""
    found = carry_out(_listed(context, target, status, page, size))
    report = terminal().report
    if not found.items:
        report.print("There is no such execution here. Try a target: aloi targets invoke TARGET INPUT")
        return
    report.print(executions_table(found.items))
    tell_pages(found, "executions", MOST_COUNTED)


async def _listed(
    context: typer.Context, target: str | None, status: ExecutionStatus | None, page: int, size: int
) -> Page[ExecutionEntry]:
    async with administered(context) as client:
        return await client.executions(target, status, page, size)


@app.command("show")
def show_command(context: typer.Context, execution: Ref) -> None:
    """Show an execution: its input, its steps, what people were asked, its answer."""
    report = terminal().report
    for part in render_execution(carry_out(_shown(context, execution))):
        report.print(part)


async def _shown(context: typer.Context, execution: str) -> Execution:
    async with administered(context) as client:
        return await client.execution(execution)


@app.command("waiting")
def waiting_command(context: typer.Context, target: OfTarget = None, page: PageOption = 1, size: Size = 20) -> None:
    """List the steps that wait for people, oldest first."""
    found = carry_out(_waiting(context, target, page, size))
    report = terminal().report
    if not found.items:
        report.print("Nothing waits for anybody.")
        return
    report.print(waiting_table(found.items))
    tell_pages(found, "steps")
    report.print("\nAnswer one: aloi executions answer EXECUTION STEP ANSWER")


async def _waiting(context: typer.Context, target: str | None, page: int, size: int) -> Page[WaitingStep]:
    async with administered(context) as client:
        return await client.waiting_steps(target, page, size)


@app.command("answer")
def answer_command(
    context: typer.Context,
    execution: Ref,
    step: Annotated[str, typer.Argument(metavar="STEP", help="The step that waits.")],
    answer: Annotated[
        str | None, typer.Argument(metavar="[ANSWER]", help="A text, @FILE, or `-` for the standard input.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The answer is JSON.")] = False,
) -> None:
    """Answer a step that waits, and go on until the execution is over or waits again. Exit code 1 when it failed."""
    make_importable(Path.cwd())
    text = given_text("ANSWER", answer)
    given = given_json("ANSWER", text) if as_json else text
    raise typer.Exit(show_ended(carry_out(_answered(context, execution, step, given))))


async def _answered(context: typer.Context, ref: str, step: str, given: JsonValue) -> Execution:
    async with administered(context) as client:
        execution = await client.answer(ref, step, given)
        while execution.status is ExecutionStatus.RUNNING:
            await asyncio.sleep(LOOK_SECONDS)
            execution = await client.execution(execution.id)
    return execution


@app.command("to-case")
def to_case_command(
    context: typer.Context,
    execution: Ref,
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="The dataset, by its name or id.")],
    name: Annotated[str | None, typer.Option(help="Default: Trace and the first digits of its id.")] = None,
    key: Annotated[str | None, typer.Option(help="Default: trace- and its id.")] = None,
    expected: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The expected output, or @FILE. Default: what it answered.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The expected output is JSON; null for none.")] = False,
    draft: Annotated[bool, typer.Option("--draft", help="Leave it out of runs until somebody marks it ready.")] = False,
) -> None:
    """Make an execution a case of a dataset; see first, by `show`, that what it expects is right."""
    fields: JsonObject = {"dataset_id": dataset, "name": name, "key": key}
    if expected is not None:
        read = given_json if as_json else given_text
        fields["expected_output"] = read("--expected", expected)
    if draft:
        fields["status"] = CaseStatus.DRAFT.value
    case = carry_out(_made_case(context, execution, valid(ToCase, fields, "the case")))
    print(plain(f"{case.key} is a case of {dataset!r}{', as a draft' if draft else ''}."))


async def _made_case(context: typer.Context, execution: str, wanted: ToCase) -> Case:
    async with administered(context) as client:
        return await client.case_of_execution(execution, wanted)


@app.command("cancel")
def cancel_command(context: typer.Context, execution: Ref) -> None:
    """Give up an execution that waits or runs: it fails as cancelled."""
    found = carry_out(_cancelled(context, execution))
    print(plain(f"{found.id} is cancelled."))


async def _cancelled(context: typer.Context, execution: str) -> Execution:
    async with administered(context) as client:
        return await client.cancel_execution(execution)
