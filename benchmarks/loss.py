"""How soon a finished case is on disk, and what `kill -9` in the middle of a run loses."""

import sqlite3
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks import child
from benchmarks.field import SCRIPTS, aloi_command, aloi_run
from benchmarks.works import Work

POLL_SECONDS = 0.005
MOST_SECONDS = 120.0


class Loss(NamedTuple):
    """What was found.

    `delays`: from an answer to the moment its result could be read by another process, in ms: median and longest.
    `answered`: cases whose target had answered at the kill. `unscored`: those of them without a stored score.
    `unstored`: those whose answer was not stored either, so that resuming asks again. `forgotten`: results that could
    be read before the kill and not after it. `asked_again`: cases asked twice when the run was resumed to its end.
    """

    delays: tuple[float, float]
    answered: int
    unscored: int
    unstored: int
    forgotten: int
    asked_again: int


def kill_and_resume(work: Work, folder: Path) -> Loss:
    """Run the work with a target of our own, kill the process when half of it is stored, and resume."""
    folder.mkdir(parents=True)
    answers = folder / "answers.log"
    environ = {"PYTHONPATH": str(SCRIPTS), "ANSWERS_LOG": str(answers)}
    suite: dict[str, object] = {"target": {"kind": "python", "function": "answering:answer"}, "evaluators": [CONTAINS]}
    output = folder / "output.log"
    pid = child.spawn(aloi_run(suite, work, folder), output, environ)
    database = folder / "home" / "aloi.db"
    try:
        seen = _watch(database, work.cases // 2)
    finally:
        child.kill(pid)
    answered = _answered(answers)
    scored, stored = _positions(database, "results"), _positions(database, "executions")
    child.run([*aloi_command(folder), "runs", "resume", "latest"], output, environ)
    delays = [(seen[position] - answered[position]) * 1000 for position in seen]
    return Loss(
        delays=(median(delays), max(delays)),
        answered=len(answered),
        unscored=len(answered.keys() - scored),
        unstored=len(answered.keys() - stored),
        forgotten=len(seen.keys() - scored),
        asked_again=sum(times > 1 for times in _times(answers).values()),
    )


CONTAINS = {"kind": "contains", "text": "yes"}


def _watch(database: Path, enough: int) -> dict[int, float]:
    """When each result was first read, by position, until there are enough."""
    seen: dict[int, float] = {}
    end = time.monotonic() + MOST_SECONDS
    while len(seen) < enough:
        if time.monotonic() > end:
            raise RuntimeError(f"only {len(seen)} results after {MOST_SECONDS:g} s")
        time.sleep(POLL_SECONDS)
        positions = _positions(database, "results")
        now = time.time()
        for position in positions - seen.keys():
            seen[position] = now
    return seen


def _positions(database: Path, table: str) -> set[int]:
    """The positions that a table holds; none while the database is not there yet."""
    try:
        connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        try:
            return {row[0] for row in connection.execute(f"SELECT position FROM {table}")}
        finally:
            connection.close()
    except sqlite3.OperationalError:
        return set()


def _answered(log: Path) -> dict[int, float]:
    """When each case was first answered, by position."""
    found: dict[int, float] = {}
    for line in log.read_text(encoding="utf-8").splitlines():
        position, moment = line.split()
        found.setdefault(int(position), float(moment))
    return found


def _times(log: Path) -> Counter[int]:
    """How often each case was answered."""
    return Counter(int(line.split()[0]) for line in log.read_text(encoding="utf-8").splitlines())
