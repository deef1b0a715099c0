"""`aloi online`: rules that grade the production executions of a target as they arrive, and what came of it."""

import json
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from aloi.cli.administered import administered
from aloi.cli.case_view import VERDICT_STYLE
from aloi.cli.door import carry_out, surroundings
from aloi.cli.figures import short_id, when
from aloi.cli.given import given_object
from aloi.cli.tables import facts, table, tell_pages
from aloi.cli.terminal import one_line, plain, terminal
from aloi.cli.tree import subcommands
from aloi.core.execution import MOST_COUNTED
from aloi.core.listing import Page
from aloi.core.online_result import OnlineBucket, OnlineResult
from aloi.core.online_rule import DEFAULT_A_DAY, OnlineRule
from aloi.core.score import Verdict
from aloi.core.spec import JsonObject
from aloi.core.wording import count, interval_text, percent

app = subcommands("List, show, create, switch and delete rules that grade production executions; list their results.")
NAME_SHOWN = 60
Target = Annotated[str, typer.Argument(metavar="TARGET", help="The target, by its name or id.")]
Rule = Annotated[str, typer.Argument(metavar="RULE", help="A rule of it, by its name or id.")]
PageOption = Annotated[int, typer.Option(min=1, help="Which page.")]


@app.command("list")
def list_command(
    context: typer.Context,
    target: Target,
    page: PageOption = 1,
    size: Annotated[int, typer.Option(min=1, max=200, help="Rules on a page.")] = 50,
) -> None:
    """List the rules of a target, newest first, each with what its last 24 hours came to."""
    found = carry_out(_listed(context, target, page, size))
    report = terminal().report
    if not found.items:
        report.print("There is no rule here: aloi online create TARGET NAME --evaluator KIND")
        return
    shown = table("Name", "State", "Grades", "By", "Last 24 hours")
    for rule in found.items:
        graders = ", ".join(binding.name for binding in rule.evaluators)
        texts = (Text(one_line(rule.name, NAME_SHOWN)), _state(rule), percent(rule.share))
        shown.add_row(*texts, Text(one_line(graders, NAME_SHOWN)), _rate(rule.recent))
    report.print(shown)
    tell_pages(found, "rules")


async def _listed(context: typer.Context, target: str, page: int, size: int) -> Page[OnlineRule]:
    async with administered(context) as client:
        return await client.online_rules(target, page, size)


def _state(rule: OnlineRule) -> str:
    return "on" if rule.enabled else "off"


def _rate(bucket: OnlineBucket | None) -> str:
    """`7/9 passed (95% CI 45–94%), 1 error`."""
    if bucket is None or (bucket.rate is None and not bucket.errors):
        return "nothing graded"
    errors = f", {count(bucket.errors, 'error')}" if bucket.errors else ""
    if bucket.rate is None:
        return f"nothing decided{errors}"
    decided = bucket.passed + bucket.failed
    return f"{bucket.passed}/{decided} passed ({interval_text(bucket.interval, bucket.judge_noise)}){errors}"


@app.command("show")
def show_command(context: typer.Context, target: Target, rule: Rule) -> None:
    """Show a rule: what it grades, by what, and what its last 24 hours came to."""
    terminal().report.print(_facts(carry_out(_shown(context, target, rule))))


async def _shown(context: typer.Context, target: str, ref: str) -> OnlineRule:
    async with administered(context) as client:
        return await client.online_rule(target, ref)


def _facts(rule: OnlineRule) -> Table:
    filters = rule.filters.model_dump(mode="json", exclude_defaults=True)
    cost = "" if rule.cost_per_day is None else f", and ${rule.cost_per_day:g} for judges"
    used = f"{count(rule.today.graded, 'execution')} graded, {rule.today.skipped} left out"
    pairs = [
        ("Rule", rule.name),
        ("Id", rule.id),
        ("State", _state(rule)),
        ("Grades", f"{percent(rule.share)} of the executions of production"),
        ("Only those", json.dumps(filters, ensure_ascii=False) if filters else "all"),
        *(("By", f"{one.name} (weight {one.weight:g})") for one in rule.evaluators),
        ("On a day", f"{count(rule.most_per_day, 'execution')} at most{cost}"),
        ("Failing ones", f"to {rule.drafts_dataset_name} as drafts" if rule.drafts_dataset_name else "to no dataset"),
        ("Last 24 hours", _rate(rule.recent)),
        ("Today (UTC)", used),
        ("Waiting", str(rule.waiting)),
    ]
    return facts(pairs)


@app.command("create")
def create_command(
    context: typer.Context,
    target: Target,
    name: Annotated[str, typer.Argument(help="Unique among the target's rules.")],
    evaluator: Annotated[
        list[str],
        typer.Option(
            metavar="KIND|JSON",
            help="What grades: a kind, or JSON or @FILE like {kind: latency, max: 5} or {evaluator_id: …} of a saved "
            "one. May be given several times.",
        ),
    ],
    share: Annotated[float, typer.Option(min=0, max=1, help="1 grades all, 0.1 every tenth.")] = 1.0,
    filters: Annotated[
        str, typer.Option(metavar="JSON", help='Only some, e.g. {"status": "ok", "text": "refund", "min_seconds": 5}.')
    ] = "{}",
    judge_samples: Annotated[int, typer.Option(min=1, help="How often each judge call is made.")] = 1,
    most_per_day: Annotated[int, typer.Option(min=1, help="Executions graded on a day (UTC).")] = DEFAULT_A_DAY,
    cost_per_day: Annotated[float | None, typer.Option(help="US dollars for judges on a day; default any.")] = None,
    drafts: Annotated[
        str | None, typer.Option(metavar="DATASET", help="Where failing executions go as draft cases.")
    ] = None,
    disabled: Annotated[bool, typer.Option("--disabled", help="Grade nothing yet.")] = False,
) -> None:
    """Create a rule. It grades executions of production that end from now on, while a server runs."""
    fields: JsonObject = {
        "name": name,
        "enabled": not disabled,
        "share": share,
        "filters": given_object("--filters", filters),
        "evaluators": [evaluator_of(text) for text in evaluator],
        "judge_samples": judge_samples,
        "most_per_day": most_per_day,
        "cost_per_day": cost_per_day,
        "drafts_dataset_id": drafts,
    }
    made = carry_out(_created(context, target, fields))
    graders = ", ".join(binding.name for binding in made.evaluators)
    print(plain(f"{made.name}: {percent(made.share)} of the executions of {target}, by {graders}; {_state(made)}."))
    if surroundings(context).settings.server is None:
        terminal().note("It grades while a server runs on this database: aloi serve")


async def _created(context: typer.Context, target: str, fields: JsonObject) -> OnlineRule:
    async with administered(context) as client:
        return await client.create_online_rule(target, fields)


def evaluator_of(text: str) -> JsonObject:
    """An evaluator as it is written in an option: a kind alone, or a JSON object, by itself or in the file behind `@`.

    Raises:
        InvalidInput: it is JSON that cannot be read.
    """
    return given_object("--evaluator", text) if text.lstrip().startswith(("{", "@")) else {"kind": text}


@app.command("enable")
def enable_command(context: typer.Context, target: Target, rule: Rule) -> None:
    """Switch a rule on: it grades what waits, and what comes."""
    print(plain(f"{carry_out(_switched(context, target, rule, True)).name} is on."))


@app.command("disable")
def disable_command(context: typer.Context, target: Target, rule: Rule) -> None:
    """Switch a rule off: it grades nothing until it is switched on again."""
    print(plain(f"{carry_out(_switched(context, target, rule, False)).name} is off."))


async def _switched(context: typer.Context, target: str, ref: str, enabled: bool) -> OnlineRule:
    async with administered(context) as client:
        return await client.update_online_rule(target, ref, {"enabled": enabled})


@app.command("delete")
def delete_command(context: typer.Context, target: Target, rule: Rule) -> None:
    """Delete a rule with its results; what its judges used stays counted."""
    carry_out(_deleted(context, target, rule))
    print(plain(f"The rule {rule!r} is deleted, and its results with it."))


async def _deleted(context: typer.Context, target: str, ref: str) -> None:
    async with administered(context) as client:
        await client.delete_online_rule(target, ref)


@app.command("results")
def results_command(
    context: typer.Context,
    target: Target,
    rule: Rule,
    verdict: Annotated[Verdict | None, typer.Option(help="Only those of this verdict.")] = None,
    page: PageOption = 1,
    size: Annotated[int, typer.Option(min=1, max=200, help="Results on a page.")] = 20,
) -> None:
    """List what a rule said of executions, newest first."""
    found = carry_out(_results(context, target, rule, verdict, page, size))
    report = terminal().report
    if not found.items:
        report.print("There is no such result yet.")
        return
    shown = table("Execution", "Began", "Verdict", "Input", "Why", whole=("Execution", "Began", "Verdict"))
    for result in found.items:
        entry, said = result.execution, Text(result.verdict.value, VERDICT_STYLE[result.verdict])
        given = Text(one_line(entry.input, 40))
        shown.add_row(short_id(entry.id), when(result.created_at), said, given, Text(one_line(_why(result), 80)))
    report.print(shown)
    tell_pages(found, "results", MOST_COUNTED)


async def _results(
    context: typer.Context, target: str, ref: str, verdict: Verdict | None, page: int, size: int
) -> Page[OnlineResult]:
    async with administered(context) as client:
        return await client.online_results(target, ref, verdict, page, size)


def _why(result: OnlineResult) -> str:
    """Why it is an error, or what the first evaluator says that did not pass, or else the first one."""
    if result.failure is not None:
        return f"{result.failure.type}: {result.failure.message}"
    telling = [score for score in result.scores if score.verdict is not Verdict.PASS] or list(result.scores)
    return f"{telling[0].evaluator}: {telling[0].explanation}" if telling else ""
