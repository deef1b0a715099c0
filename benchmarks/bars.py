"""What Aloi must reach. A bar is stated for a machine on which the floor costs its `unit`; here it is a ratio to it."""

from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.figures import Figures, Row
from benchmarks.works import Work

CHAT = Work("chat", 1000, 50)
CHAT_WIDE = Work("chat", 1000, 200)
CHAT_LONG = Work("chat", 5000, 200)
JUDGE = Work("judge", 1000, 50)
AGENT = Work("agent", 1000, 50)
WORKS = (CHAT, CHAT_WIDE, CHAT_LONG, JUDGE, AGENT)

ALOI = "Aloi"
THOUSANDS = (CHAT_LONG.cases - CHAT_WIDE.cases) / 1000


class Bar(NamedTuple):
    """The most a figure of Aloi may be where the floor's is `unit`."""

    work: Work
    figure: str
    limit: float
    unit: float


BARS = (
    Bar(CHAT, "wall", 1.4, 1.24),
    Bar(CHAT_LONG, "wall", 2.0, 1.41),
    Bar(CHAT, "cpu", 2.0, 0.7),
    Bar(JUDGE, "cpu", 3.5, 1.3),
    Bar(AGENT, "cpu", 1.2, 1.0),
    Bar(CHAT, "first", 1.0, 0.35),
    Bar(CHAT_LONG, "first", 1.0, 0.35),
    Bar(CHAT, "peak", 100.0, 37.0),
)


class Check(NamedTuple):
    """A bar and what was found: `found` and `most` are what is compared; `shown` is the figure itself."""

    what: str
    shown: str
    found: float
    most: float

    @property
    def holds(self) -> bool:
        """Whether the bar is kept."""
        return self.found <= self.most


def checks(rows: Sequence[Row]) -> list[Check]:
    """The bars whose work was done."""
    found = {(row.work, row.name): row for row in rows}
    made = [_ratio(bar, found[bar.work, ALOI]) for bar in BARS if (bar.work, ALOI) in found]
    if (CHAT_WIDE, ALOI) in found and (CHAT_LONG, ALOI) in found:
        more = (found[CHAT_LONG, ALOI].figures.peak - found[CHAT_WIDE, ALOI].figures.peak) / THOUSANDS
        made.append(Check("MB per further 1,000 cases", f"{more:.2f}", more, 2.0))
    if (CHAT, ALOI) in found:
        disk = found[CHAT, ALOI].figures.disk
        made.append(Check("bytes per case beyond the texts", f"{disk:,.0f}", disk, 2048))
    rival = found.get((AGENT, "Inspect AI"))
    if rival and (AGENT, ALOI) in found:
        mine, its = found[AGENT, ALOI].figures.cpu, rival.figures.cpu
        made.append(Check(f"{AGENT}: CPU ms per case, less than Inspect AI's", f"{mine:.1f}", mine, its))
    return made


def _ratio(bar: Bar, row: Row) -> Check:
    assert row.ratios is not None
    index = Figures._fields.index(bar.figure)
    what = f"{bar.work}: {NAMES[bar.figure]}, times the floor's"
    return Check(what, f"{row.figures[index]:.2f}", row.ratios[index], bar.limit / bar.unit)


NAMES = {
    "wall": "wall / ideal",
    "cpu": "CPU ms per case",
    "first": "first request s",
    "peak": "peak MB",
    "disk": "bytes per case",
}
