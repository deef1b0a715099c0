"""The comparison of two runs for people, at 80 columns."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from aloi.cli.case_view import VERDICT_STYLE, score_text
from aloi.cli.tables import facts, table
from aloi.cli.terminal import one_line, plain
from aloi.core.comparison import Change, Comparison, Figures, Pair, conclusion
from aloi.core.wording import count, whole_percent

SHOWN = 20
NOISE = "may be judge noise"
CHANGE_TEXT = {
    Change.WORSE: "worse",
    Change.ERROR: "newly in error",
    Change.BETTER: "better",
    Change.NOT_COMPARABLE: "not comparable",
    Change.UNCHANGED: "unchanged",
}


def render_comparison(comparison: Comparison) -> Iterator[RenderableType]:
    """The comparison's parts in order: what differs in configuration, the figures, the changed cases."""
    yield Text(plain(f"A (baseline) {comparison.run_a}"))
    yield Text(plain(f"B            {comparison.run_b}"))
    yield Text()
    yield from _configuration(comparison)
    yield Text(headline(comparison), style="bold")
    yield Text(conclusion(comparison))
    changed = [pair for pair in comparison.pairs if pair.change is not Change.UNCHANGED]
    if changed:
        yield Text()
        yield _changes(changed[:SHOWN])
    if len(changed) > SHOWN:
        yield Text(f" … and {len(changed) - SHOWN} more")
    yield Text()
    yield facts(list(_facts(comparison)))


def headline(comparison: Comparison) -> str:
    """`B - A: +12 points (95% CI -3 to +27), 4 better, 1 worse of 40 compared, 2 newly in error`."""
    figures = comparison.figures
    error = f", {comparison.newly_in_error} newly in error" if comparison.newly_in_error else ""
    if figures.difference is None:
        return f"nothing to compare{error}"
    noise = " incl. judge noise" if figures.judge_noise else ""
    low, high = signed(figures.interval.low), signed(figures.interval.high)
    changes = f"{figures.better} better, {figures.worse} worse of {figures.compared} compared"
    return f"B − A: {signed(figures.difference)} points (95% CI{noise} {low} to {high}), {changes}{error}"


def signed(share: float) -> str:
    """A difference of shares in whole points with its sign: `+12`, `−3`, `0`."""
    points = whole_percent(abs(share))
    if points == 0:
        return "0"
    return f"+{points}" if share > 0 else f"−{points}"


def _configuration(comparison: Comparison) -> Iterator[RenderableType]:
    if not comparison.configuration:
        return
    shown = table("Differs", "A", "B")
    for difference in comparison.configuration:
        shown.add_row(*(Text(one_line(text, 200)) for text in (difference.what, difference.a, difference.b)))
    yield shown
    yield Text()


def _changes(pairs: Sequence[Pair]) -> Table:
    shown = table("Case", "Change", "A", "B", "Scores", "Note")
    shown.columns[0].max_width = 24
    trials = any(pair.trial for pair in pairs)
    for pair in pairs:
        name = f"{pair.case_key} #{pair.trial + 1}" if trials else pair.case_key
        note = NOISE if pair.may_be_noise else pair.why or ""
        shown.add_row(
            Text(one_line(name, 60)),
            CHANGE_TEXT[pair.change],
            Text(pair.a.value, VERDICT_STYLE[pair.a]),
            Text(pair.b.value, VERDICT_STYLE[pair.b]),
            f"{score_text(pair.score_a)} → {score_text(pair.score_b)}",
            Text(one_line(note, 80)),
        )
    return shown


def _facts(comparison: Comparison) -> Iterator[tuple[str, str]]:
    figures = comparison.figures
    if figures.difference is not None:
        yield "McNemar", f"mid-p {figures.test.mid_p:.3f}, exact p {figures.test.exact:.3f}"
        yield from _scores(figures)
    counts = {change: sum(pair.change is change for pair in comparison.pairs) for change in CHANGE_TEXT}
    yield "Pairs", ", ".join(f"{number} {CHANGE_TEXT[change]}" for change, number in counts.items() if number)
    for name, keys in (("Only in B", comparison.added), ("Only in A", comparison.removed)):
        if keys:
            more = f" and {len(keys) - SHOWN} more" if len(keys) > SHOWN else ""
            yield name, f"{count(len(keys), 'case')}: {', '.join(keys[:SHOWN])}{more}"


def _scores(figures: Figures) -> Iterator[tuple[str, str]]:
    scores = figures.scores
    if scores is None or scores.mean is None:
        return
    interval = ""
    if scores.interval is not None:
        low, high = max(-1.0, scores.interval.low), min(1.0, scores.interval.high)  # scores lie in 0..1
        interval = f" (95% CI {low:+.2f} to {high:+.2f})"
    p = f", paired t p {scores.p:.3f}" if scores.p is not None else ""
    yield "Mean score", f"{scores.mean:+.2f}{interval}{p}"
