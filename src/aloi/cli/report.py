"""The report of a run for people, at 80 columns."""

from collections.abc import Iterator
from typing import NamedTuple

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from aloi.cli.case_view import VERDICT_STYLE, reason, score_text
from aloi.cli.figures import duration, short_id
from aloi.cli.tables import facts, table
from aloi.cli.terminal import one_line, plain
from aloi.client import Client
from aloi.core.gate import Decision
from aloi.core.result import CaseResult
from aloi.core.run import Run, RunStatus
from aloi.core.score import Verdict
from aloi.core.summary import Summary
from aloi.core.wording import cost_text, count, headline, meaning, percent, tokens_text

SHOWN = 12
KEY_WIDTH = 24


class Report(NamedTuple):
    """A run with the first of its failed and errored results, and how many of them there are in all."""

    run: Run
    results: tuple[CaseResult, ...]
    troubled: int


async def gather(client: Client, run: Run, shown: int = SHOWN) -> Report:
    """Read what the report of a finished run shows: at most so many failed and so many errored results."""
    pages = [await client.results(run.id, verdict, size=shown) for verdict in (Verdict.FAIL, Verdict.ERROR)]
    results = tuple(result for page in pages for result in page.items)
    return Report(run, results, sum(page.total for page in pages))


def render(report: Report, decision: Decision | None = None) -> Iterator[RenderableType]:
    """The report's parts in order; `decision` is what a gate says of the run."""
    run = report.run
    yield Text()
    yield Text(plain(f"{run.dataset_name} · {run.target}"), style="dim")
    yield from _headline(run)
    if report.results:
        yield Text()
        yield results_table(report.results, trials=run.spec.limits.trials)
        yield from _more(report)
    yield Text()
    yield facts([*_facts(run), *([("Gate", decision.reason)] if decision else [])])
    yield Text()
    yield from closing(run)


def _headline(run: Run) -> Iterator[Text]:
    if run.summary is None:
        yield Text("There are no results.", style="bold")
        return
    yield Text(headline(run.summary), style="bold")
    if run.summary.total < run.total:
        yield Text(f"Only {run.summary.total} of {run.total} results are there; the others were not reached.")
    yield Text(meaning(run.summary))


def _more(report: Report) -> Iterator[Text]:
    more = report.troubled - len(report.results)
    if more > 0:
        yield Text(f" … and {more} more: aloi runs show {short_id(report.run.id)} --all")


def results_table(results: tuple[CaseResult, ...], trials: int) -> Table:
    """Results as rows: key, verdict, score, why."""
    shown = table("Case", "Verdict", "Score", "Why", whole=("Verdict", "Score"))
    shown.columns[0].max_width = KEY_WIDTH
    shown.columns[0].overflow = "fold"
    shown.columns[2].justify = "right"
    for result in results:
        name = f"{result.case_key} #{result.trial + 1}" if trials > 1 else result.case_key
        shown.add_row(
            Text(one_line(name, 60)),
            Text(result.verdict.value, style=VERDICT_STYLE[result.verdict]),
            Text(score_text(result.score)),
            Text(one_line(reason(result), 240)),
        )
    return shown


def _facts(run: Run) -> list[tuple[str, str]]:
    found = summary_facts(run.summary) if run.summary else []
    if run.summary and run.spec.limits.max_cost is not None:
        unpriced = run.summary.usage.unpriced + run.summary.judge_usage.unpriced
        if unpriced:
            calls = count(unpriced, "call")
            found.append(("Warning", f"max_cost cannot be kept: the price of {calls} is not known; set max_tokens"))
    if run.spec.tags:
        found.append(("Tags", ", ".join(run.spec.tags)))
    if run.skipped:
        found.append(("Skipped", f"MCP servers {', '.join(run.skipped)}: they serve interactive use only"))
    return found


def summary_facts(summary: Summary) -> list[tuple[str, str]]:
    """The figures of a run as pairs of name and text."""
    return [
        *_quality(summary),
        *_consumption(summary),
        *_judging(summary),
        *_gaps(summary),
    ]


def _quality(summary: Summary) -> Iterator[tuple[str, str]]:
    if summary.mean_score is not None:
        yield "Mean score", f"{summary.mean_score:.2f}"
    if summary.errors and summary.bounds is not None:
        low, high = percent(summary.bounds.low), percent(summary.bounds.high)
        yield "Errors count", f"{low} passed if every error were a fail, {high} if every error were a pass"
    for at in summary.pass_at_k:
        if at.k == summary.trials and at.pass_at_k is not None and at.pass_hat_k is not None:
            yield (
                f"In {count(at.k, 'trial')}",
                f"{percent(at.pass_at_k)} pass at least once, {percent(at.pass_hat_k)} every time",
            )


def _consumption(summary: Summary) -> Iterator[tuple[str, str]]:
    if summary.latency is not None:
        p50, p95 = duration(summary.latency.p50), duration(summary.latency.p95)
        yield "Latency", f"p50 {p50}, p95 {p95}"
    if summary.usage.calls:
        yield "Target", f"{tokens_text(summary.usage)}, cost {cost_text(summary.usage)}"
    if summary.judge_usage.calls:
        yield "Judge", f"{tokens_text(summary.judge_usage)}, cost {cost_text(summary.judge_usage)}"


def _judging(summary: Summary) -> Iterator[tuple[str, str]]:
    if summary.judged:
        share = percent(summary.disagreed / summary.judged)
        yield (
            "Disagreement",
            f"the judge disagreed with itself on {summary.disagreed} of {summary.judged} cases ({share})",
        )
    if summary.unstable:
        yield "Warning", "the judge is unstable on this suite; sharpen the criteria or take a better judge"


def _gaps(summary: Summary) -> Iterator[tuple[str, str]]:
    if summary.error_types:
        yield "Error types", ", ".join(f"{number} {kind}" for kind, number in summary.error_types.items())
    if summary.not_applicable:
        gone = count(summary.not_applicable, "evaluation")
        yield "Not applicable", f"{gone}: the case lacks what the evaluator compares with"


def closing(run: Run) -> Iterator[Text]:
    """How the run ended, and what can be done next."""
    took = ""
    if run.finished_at and run.started_at:
        took = f" after {duration((run.finished_at - run.started_at).total_seconds())}"
    yield Text(plain(f"Run {run.id} {ended(run)}{took}"))
    for command, purpose in next_steps(run):
        yield Text.assemble("  ", (command, "bold"), f"  {purpose}")


def state(run: Run) -> str:
    """The status in a word; a run that nobody works on any more is `interrupted`."""
    return "interrupted" if run.interrupted else run.status.value


def ended(run: Run) -> str:
    """The status, with the reason where there is another one than the user's wish: `failed (no space left)`."""
    why = f" ({run.reason})" if run.reason and run.reason != run.status.value else ""
    return f"{state(run)}{why}"


def next_steps(run: Run) -> Iterator[tuple[str, str]]:
    """Commands that make sense now, with their purpose."""
    identity = short_id(run.id)
    if run.status is RunStatus.CANCELLED and run.reason not in (None, run.status.value):
        # Not the user's wish, so a budget: a resume would stop again at once.
        yield "aloi run SUITE", "starts anew, with a larger budget"
        return
    if run.interrupted or run.status in (RunStatus.CANCELLED, RunStatus.FAILED):
        yield f"aloi runs resume {identity}", "goes on with what is missing"
        return
    summary = run.summary
    if summary is not None and summary.errors:
        yield f"aloi runs retry {identity}", "runs the errored cases again"
    if summary is not None and (summary.failed or summary.errors):
        yield f"aloi runs show {identity} CASE", "shows one case in full"
