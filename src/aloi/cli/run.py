"""`aloi run SUITE.yaml`."""

import sys
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from aloi.cli.door import carry_out, opened, surroundings
from aloi.cli.follow import Ending, see_through
from aloi.cli.options import Csv, Html, Json, JudgeModel, JudgeSamples, JudgeUrl, Junit, MinPassRate, outputs
from aloi.cli.overrides import judge_over, limits_over, target_over
from aloi.cli.terminal import terminal
from aloi.sdk import Suite, open_suite, start_suite, unknown_columns, unknown_columns_text


def run_command(
    context: typer.Context,
    suite: Annotated[Path, typer.Argument(metavar="SUITE.yaml", help="The suite file; see aloi schema suite.")],
    model: Annotated[str | None, typer.Option(help="The target's model, provider:model.")] = None,
    base_url: Annotated[str | None, typer.Option(help="The target's OpenAI-compatible address.")] = None,
    judge: JudgeModel = None,
    judge_url: JudgeUrl = None,
    judge_samples: JudgeSamples = None,
    concurrency: Annotated[int | None, typer.Option(help="Cases at once.")] = None,
    trials: Annotated[int | None, typer.Option(help="Repetitions of each case.")] = None,
    seconds_per_case: Annotated[
        float | None, typer.Option(help="Deadline of one invocation, retries included.")
    ] = None,
    max_cost: Annotated[float | None, typer.Option(help="Budget in US dollars, judge included.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Budget in tokens, judge included.")] = None,
    case: Annotated[list[str] | None, typer.Option(metavar="KEY", help="Only this case; may be repeated.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="A word that the run's report shows; may be repeated.")] = None,
    allow_side_effects: Annotated[
        bool, typer.Option("--allow-side-effects", help="Let what changes the world act for real if not simulated.")
    ] = False,
    min_pass_rate: MinPassRate = None,
    junit: Junit = None,
    json: Json = None,
    csv: Csv = None,
    html: Html = None,
) -> None:
    """Evaluate a target as a suite file says, and report.

    Exit codes: 0 all passed, or the gate (--min-pass-rate, else the suite's) allows; 1 something failed or errored,
    the gate does not allow, or the run was cancelled; 2 wrong usage or a bad suite; 3 the run failed or nothing was
    decided. Ctrl-C cancels and keeps what is finished (aloi runs resume goes on); a second one ends at once.
    """
    make_importable(suite.parent, Path.cwd())
    files = outputs(junit, json, csv, html)
    found = open_suite(suite)
    limits = {"concurrency": concurrency, "trials": trials, "seconds_per_case": seconds_per_case}
    changes = {
        "target": target_over(found.target, model, base_url),
        "judge": judge_over(found.judge, surroundings(context).settings, judge, judge_url, judge_samples),
        "run": limits_over(found.run, {**limits, "max_cost": max_cost, "max_tokens": max_tokens}),
    }
    if left_out := unknown_columns(found, suite.parent):
        terminal().note(f"Columns left out, for no such field is known: {unknown_columns_text(left_out)}")
    ending = Ending(terminal(files.on_stdout), files, min_pass_rate or suite_threshold(found, subset=bool(case)))
    choice = Choice(tuple(case) if case else None, tuple(tag or ()), allow_side_effects)
    raise typer.Exit(carry_out(_evaluate(context, found.model_copy(update=changes), suite.parent, choice, ending)))


class Choice(NamedTuple):
    """Keys of the cases that run, null for all; the run's tags; and whether side effects are allowed."""

    cases: tuple[str, ...] | None
    tags: tuple[str, ...]
    side_effects: bool


async def _evaluate(context: typer.Context, suite: Suite, folder: Path, choice: Choice, ending: Ending) -> int:
    async with opened(context) as client:
        run = start_suite(
            client,
            suite,
            folder,
            case_keys=choice.cases,
            tags=choice.tags,
            allow_side_effects=choice.side_effects,
        )
        return await see_through(client, run, ending)


def suite_threshold(suite: Suite, subset: bool) -> float | None:
    """The threshold of the suite's gate; null without one, or for a subset of the cases, which decides no gate."""
    gate = suite.gate
    return gate.threshold if gate is not None and gate.enabled and not subset else None


def make_importable(*folders: Path) -> None:
    """Let `python` targets and evaluators find modules there, behind all that is installed."""
    sys.path.extend(str(folder.resolve()) for folder in folders)
