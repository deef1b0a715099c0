"""What is measured of one contestant at one work, and how it compares with the floor."""

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks import child
from benchmarks.field import Contestant
from benchmarks.server import Server
from benchmarks.works import Work


class Figures(NamedTuple):
    """One round: wall over ideal, client CPU per case in ms, seconds to the first request, peak MB, bytes per case.

    All include the start of the program. The bytes are those of all files kept, less the texts of prompts and answers.
    """

    wall: float
    cpu: float
    first: float
    peak: float
    disk: float


class Row(NamedTuple):
    """Medians over rounds: the figures, and their ratios to the floor's of the same round; null for the floor."""

    work: Work
    name: str
    figures: Figures
    ratios: Figures | None


def measure(contestant: Contestant, work: Work, server: Server, latency: float, folder: Path) -> Figures:
    """Let a contestant do the work once, its files in the given folder (made, or empty).

    Raises:
        RuntimeError: it failed, or made another number of requests than the work has.
    """
    kept = folder / "kept"
    kept.mkdir(parents=True, exist_ok=True)
    command = contestant.command(work, server.url, kept)
    before = size_of(kept)
    server.reset()
    cost = child.run(command, folder / "output.log")
    seen = server.seen()
    if seen.requests != work.calls:
        raise RuntimeError(
            f"{contestant.name} made {seen.requests} requests for {work}; there are {work.calls} to make"
        )
    return Figures(
        wall=cost.wall / work.ideal(latency),
        cpu=cost.cpu * 1000 / work.cases,
        first=seen.first_at - cost.started_at,
        peak=cost.peak,
        disk=(size_of(kept) - before - work.text_bytes()) / work.cases,
    )


def size_of(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def row(work: Work, name: str, rounds: Sequence[Figures], floor: Sequence[Figures] | None) -> Row:
    """The medians of a contestant's rounds; `floor` has the floor's, of which the first ones are paired."""
    ratios = None
    if floor is not None:
        paired = zip(rounds, floor, strict=False)
        ratios = middle([Figures(*(a / b for a, b in zip(mine, its, strict=True))) for mine, its in paired])
    return Row(work, name, middle(rounds), ratios)


def middle(rounds: Sequence[Figures]) -> Figures:
    """The median of each figure."""
    return Figures(*map(median, zip(*rounds, strict=True)))
