"""`aloi schedules`: runs that start by themselves."""

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.text import Text

from aloi.cli.administered import administered
from aloi.cli.door import carry_out, surroundings
from aloi.cli.figures import short_id, when
from aloi.cli.tables import facts, table, tell_pages
from aloi.cli.terminal import one_line, plain, terminal
from aloi.cli.tree import subcommands
from aloi.core.errors import InvalidInput
from aloi.core.listing import Page
from aloi.core.schedule import Firing, Preview, Schedule, ScheduleGiven, Timing
from aloi.core.spec import JsonObject, valid

app = subcommands("List, show, create, pause, resume and delete schedules: runs that start by themselves.")
FIRINGS_SHOWN = 10
NAME_SHOWN = 60
Ref = Annotated[str, typer.Argument(metavar="SCHEDULE", help="A schedule's name or id.")]


@app.command("list")
def list_command(
    context: typer.Context,
    target: Annotated[str | None, typer.Option(metavar="TARGET", help="Only those of this target.")] = None,
    page: Annotated[int, typer.Option(min=1, help="Which page.")] = 1,
    size: Annotated[int, typer.Option(min=1, max=200, help="Schedules on a page.")] = 50,
) -> None:
    """List schedules, newest first; times are in this machine's zone."""
    found = carry_out(_listed(context, target, page, size))
    report = terminal().report
    if not found.items:
        report.print("There is no schedule here: aloi schedules create NAME --target TARGET --dataset DATASET --cron …")
        return
    shown = table("Name", "Target", "Dataset", "When", "Next", "Last")
    for schedule in found.items:
        names = (schedule.name, schedule.target_name, schedule.dataset_name, schedule.words)
        last = "never" if schedule.last is None else f"{schedule.last.status} {when(schedule.last.fired_at)}"
        shown.add_row(*(Text(one_line(name, NAME_SHOWN)) for name in names), upcoming(schedule), last)
    report.print(shown)
    tell_pages(found, "schedules")


async def _listed(context: typer.Context, target: str | None, page: int, size: int) -> Page[Schedule]:
    async with administered(context) as client:
        return await client.schedules(target, page, size)


def upcoming(schedule: Schedule) -> str:
    """When it fires next: a time, `paused` or `over`."""
    if schedule.next_at is not None:
        return when(schedule.next_at)
    return "paused" if schedule.paused else "over"


@app.command("show")
def show_command(context: typer.Context, schedule: Ref) -> None:
    """Show a schedule, with what came of its last firings."""
    found, firings = carry_out(_shown(context, schedule))
    report = terminal().report
    report.print(facts(_facts(found)))
    if not firings.items:
        return
    shown = table("Due", "Fired", "What came of it", "Run", whole=("Due", "Fired", "Run"))
    for firing in firings.items:
        came = firing.status.value if firing.reason is None else f"{firing.status}: {firing.reason}"
        run = short_id(firing.run_id) if firing.run_id else ""
        shown.add_row(when(firing.due_at), when(firing.fired_at), Text(plain(came)), run)
    report.print()
    report.print(shown)
    if firings.total > len(firings.items):
        report.print(f"\nThe last {len(firings.items)} of {firings.total} firings.")


async def _shown(context: typer.Context, ref: str) -> tuple[Schedule, Page[Firing]]:
    async with administered(context) as client:
        found = await client.schedule(ref)
        return found, await client.firings(found.id, size=FIRINGS_SHOWN)


def _facts(schedule: Schedule) -> list[tuple[str, str]]:
    end = "never" if schedule.end is None else when(schedule.end)
    return [
        ("Schedule", schedule.name),
        ("Id", schedule.id),
        ("Target", f"{schedule.target_name} (its active version)"),
        ("Dataset", schedule.dataset_name),
        ("When", schedule.words),
        ("Starts", when(schedule.start)),
        ("Ends", end),
        ("Next", upcoming(schedule)),
        ("Made by", schedule.created_by),
    ]


@app.command("create")
def create_command(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="Unique in the workspace, e.g. nightly.")],
    target: Annotated[str, typer.Option(metavar="TARGET", help="Whose active version runs.")],
    dataset: Annotated[str, typer.Option(metavar="DATASET", help="On which dataset, as it is then.")],
    cron: Annotated[str | None, typer.Option(metavar="EXPRESSION", help="Five fields, e.g. '0 7 * * 1-5'.")] = None,
    every: Annotated[str | None, typer.Option(metavar="SPAN", help="E.g. '30 minutes', '2 weeks', 'month'.")] = None,
    zone: Annotated[str, typer.Option(metavar="ZONE", help="Time zone, e.g. Europe/Paris.")] = "UTC",
    start: Annotated[str | None, typer.Option(metavar="TIME", help="From when on; default now.")] = None,
    end: Annotated[str | None, typer.Option(metavar="TIME", help="Until when; default for ever.")] = None,
    paused: Annotated[bool, typer.Option("--paused", help="Do not let it fire yet.")] = False,
) -> None:
    """Create a schedule. Times are ISO 8601, e.g. 2026-11-30T07:00+01:00; without an offset they are UTC."""
    timing: JsonObject = {
        "start": _moment("--start", start) or datetime.now(UTC).isoformat(),
        "end": _moment("--end", end),
        "zone": zone,
        "recurrence": recurrence_of(cron, every),
    }
    fields: JsonObject = {"name": name, "target_id": target, "dataset_id": dataset, "paused": paused}
    given = valid(ScheduleGiven, {**timing, **fields}, "the schedule")
    made, preview = carry_out(_created(context, given, valid(Timing, timing, "the schedule")))
    print(plain(f"{made.name}: {made.words}. Next: {', '.join(map(when, preview.firings))}"))
    if surroundings(context).settings.server is None:
        terminal().note("It fires while a server runs on this database: aloi serve")


async def _created(context: typer.Context, given: ScheduleGiven, timing: Timing) -> tuple[Schedule, Preview]:
    async with administered(context) as client:
        made = await client.create_schedule(given)
        return made, await client.preview_schedule(timing)


def recurrence_of(cron: str | None, every: str | None) -> JsonObject:
    """The recurrence that two options say; exactly one of them is given.

    Raises:
        InvalidInput: both or none are, or the span is none.
    """
    if (cron is None) == (every is None):
        raise InvalidInput("say when it fires, once: --cron '0 7 * * 1-5', or --every '30 minutes'")
    if cron is not None:
        return {"kind": "cron", "expression": cron}
    number, _, unit = (every or "").strip().rpartition(" ")
    if number and not number.strip().isdecimal():
        raise InvalidInput(f"--every {every!r} is no span of time; write e.g. '30 minutes', '2 weeks' or 'month'")
    return {"kind": "every", "n": int(number or 1), "unit": unit if unit.endswith("s") else f"{unit}s"}


def _moment(option: str, text: str | None) -> str | None:
    """A time as it is sent; UTC where it says nothing else."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput(f"{option} {text!r:.100} is no time; write e.g. 2026-11-30T07:00+01:00") from error
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()


@app.command("pause")
def pause_command(context: typer.Context, schedule: Ref) -> None:
    """Let a schedule not fire until it is resumed."""
    print(plain(f"{carry_out(_set_paused(context, schedule, True)).name} is paused."))


@app.command("resume")
def resume_command(context: typer.Context, schedule: Ref) -> None:
    """Let a paused schedule fire again, from now on."""
    found = carry_out(_set_paused(context, schedule, False))
    print(plain(f"{found.name} fires next: {upcoming(found)}"))


async def _set_paused(context: typer.Context, ref: str, paused: bool) -> Schedule:
    async with administered(context) as client:
        return await (client.pause_schedule(ref) if paused else client.resume_schedule(ref))


@app.command("delete")
def delete_command(context: typer.Context, schedule: Ref) -> None:
    """Delete a schedule; its runs stay."""
    carry_out(_deleted(context, schedule))
    print(plain(f"The schedule {schedule!r} is deleted; its runs stay."))


async def _deleted(context: typer.Context, ref: str) -> None:
    async with administered(context) as client:
        await client.delete_schedule(ref)
