"""The report, in Markdown."""

from collections.abc import Iterable, Sequence

from benchmarks.bars import NAMES, Check
from benchmarks.figures import Figures, Row

DIGITS = {"wall": 2, "cpu": 2, "first": 2, "peak": 0, "disk": 0}


def figures_table(rows: Sequence[Row]) -> str:
    """One line per work and contestant; behind a figure, its ratio to the floor's in the same rounds."""
    heads = ["work", "contestant", *(NAMES[name] for name in Figures._fields)]
    return markdown(heads, ([str(row.work), row.name, *_cells(row)] for row in rows))


def checks_table(checks: Iterable[Check]) -> str:
    """One line per bar."""
    lines = (
        [check.what, check.shown, f"{check.found:,.2f}", f"{check.most:,.2f}", "yes" if check.holds else "**no**"]
        for check in checks
    )
    return markdown(["bar", "figure", "compared", "at most", "kept"], lines)


def markdown(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A table; the first column reads from the left, the others from the right."""
    rule = ["---", *("---:" for _ in heads[1:])]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, rule, *lines))


def _cells(row: Row) -> list[str]:
    shown = [f"{figure:,.{DIGITS[name]}f}" for name, figure in row.figures._asdict().items()]
    if row.ratios is None:
        return shown
    ratios = [f" ({ratio:,.2f}×)" for ratio in row.ratios]
    ratios[Figures._fields.index("disk")] = ""  # the floor keeps nothing but the texts, so this ratio says nothing
    return [figure + ratio for figure, ratio in zip(shown, ratios, strict=True)]
