"""Paired rounds: in each, the floor and the contestants take turns, so a drift of the machine meets them all."""

import shutil
import sys
from pathlib import Path
from typing import NamedTuple

from benchmarks.field import Contestant
from benchmarks.figures import Figures, Row, measure, row
from benchmarks.server import Server
from benchmarks.works import Work

WARM_UP = 10


class Entry(NamedTuple):
    """A contestant and the rounds it takes part in."""

    contestant: Contestant
    rounds: int


def compete(work: Work, entries: list[Entry], server: Server, latency: float, folder: Path) -> list[Row]:
    """One row per contestant, the floor's first. The files of the last round stay in the folder, by name."""
    entries = sorted(
        (entry for entry in entries if work.kind in entry.contestant.kinds),
        key=lambda entry: not entry.contestant.floor,
    )
    for contestant, _ in entries:  # compiles its modules, which is not what is measured
        _once(contestant, Work(work.kind, WARM_UP, WARM_UP), server, latency, folder)
    taken: dict[str, list[Figures]] = {entry.contestant.name: [] for entry in entries}
    for number in range(max(entry.rounds for entry in entries)):
        for contestant, rounds in entries:
            if number < rounds:
                taken[contestant.name].append(_once(contestant, work, server, latency, folder))
    floor = taken[entries[0].contestant.name]
    return [
        row(work, contestant.name, taken[contestant.name], None if contestant.floor else floor)
        for contestant, _ in entries
    ]


def _once(contestant: Contestant, work: Work, server: Server, latency: float, folder: Path) -> Figures:
    print(f"{work}: {contestant.name}", file=sys.stderr, flush=True)
    own = folder / contestant.name
    shutil.rmtree(own, ignore_errors=True)
    return measure(contestant, work, server, latency, own)
