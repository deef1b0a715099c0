"""The calibration of judges for people, at 80 columns."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from aloi.cli.figures import short_id
from aloi.cli.tables import facts, table
from aloi.cli.terminal import one_line, plain
from aloi.core.calibration import Calibration, CorrectedRate, RateWithInterval
from aloi.core.json_values import shortened
from aloi.core.statistics import Interval
from aloi.core.wording import count, interval_text, percent


def render_calibrations(found: Sequence[Calibration]) -> Iterator[RenderableType]:
    """Each judge with its figures, and the runs whose pass rate they correct."""
    for number, one in enumerate(found):
        if number:
            yield Text()
        judge = one.judge
        yield Text.assemble((plain(judge.evaluator), "bold"), plain(f"  {judge.kind} by {judge.model.model}"))
        yield facts(list(_judge(one)))
        yield Text()
        yield facts(list(_figures(one)))
        if one.corrected:
            yield Text()
            yield _corrected(one.corrected)
            yield from map(Text, dict.fromkeys(rate.reason for rate in one.corrected if rate.reason))


def _judge(one: Calibration) -> Iterator[tuple[str, str]]:
    for name, value in one.judge.spec.items():
        if name != "kind" and value is not None:
            yield name, one_line(shortened(value), 200)
    yield "samples", str(one.judge.samples)
    yield "hash", one.judge.hash[:12]


def _figures(one: Calibration) -> Iterator[tuple[str, str]]:
    others = f", {one.left_out} more were not decided by this judge alone" if one.left_out else ""
    yield "Labelled", f"{count(one.labelled, 'result')}{others}"
    yield "What people pass (TPR)", rate_text(one.sensitivity)
    yield "What people fail (TNR)", rate_text(one.specificity)
    if one.kappa is not None:
        yield "Cohen's kappa", f"{one.kappa:.2f}{_between(one.kappa_interval)}"
    if one.resampled:
        yield "Agrees with itself", agreement_text(one)


def rate_text(rate: RateWithInterval) -> str:
    """`45/50, 90% (95% CI 79–96%)`; a dash where there is no label."""
    if rate.rate is None:
        return "– (no such label)"
    return f"{rate.count}/{rate.total}, {percent(rate.rate)} ({interval_text(rate.interval)})"


def agreement_text(one: Calibration) -> str:
    """How far the samples of a judge agree with each other."""
    if one.unanimous:
        return f"always: all samples of {count(one.resampled, 'result')} agree"
    alpha = "" if one.self_agreement is None else f"Krippendorff's alpha {one.self_agreement:.2f}, "
    return f"{alpha}{one.disagreed} of {count(one.resampled, 'result')} with samples that disagree"


def _between(interval: Interval | None) -> str:
    return "" if interval is None else f" (95% CI {interval.low:.2f} to {interval.high:.2f})"


def _corrected(rates: Sequence[CorrectedRate]) -> Table:
    shown = table("Run", "Target", "Judged", "Observed", "Corrected", whole=("Run", "Judged", "Observed"))
    for rate in rates:
        observed = "–" if rate.observed is None else percent(rate.observed)
        shown.add_row(
            short_id(rate.run_id),
            Text(one_line(f"{rate.target_name}@{rate.target_version}", 40)),
            f"{rate.judged}/{rate.decided}",
            observed,
            corrected_text(rate),
        )
    return shown


def corrected_text(rate: CorrectedRate) -> str:
    """`71% (95% CI 55–89%)`, or why there is none."""
    if rate.rate is None or rate.interval is None:
        return rate.status.replace("_", " ")
    return f"{percent(rate.rate)} ({interval_text(rate.interval)})"
