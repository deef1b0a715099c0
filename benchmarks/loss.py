"""How soon a finished case is on disk, and what `kill -9` in the middle of a run loses."""

import sqlite3
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks import child
from benchmarks.field import SCRIPTS, aloi_command, aloi_run
from benchmarks.works import Work

POLL_SECONDS = 0.005
MOST_SECONDS = 120.0
CONTAINS = {"kind": "contains", "text": "yes"}


class Loss(NamedTuple):
    """What was found in one run, or in several together.

    `delays`: from an answer to the moment its result could be read by another process, in ms.
    `answered`: cases whose target had answered at the kill. `unscored`: those of them without a stored score.
    `unstored`: those whose answer was not stored either, so that resuming asks again. `forgotten`: results that could
    be read before the kill and not after it. `asked_again`: cases asked twice when the run was resumed to its end.
    """

    delays: list[float]
    answered: int
    unscored: int
    unstored: int
    forgotten: int
    asked_again: int


def kill_and_resume(work: Work, folder: Path, times: int) -> Loss:
    """Do `kill_once` so many times; everything is added up."""
    found = [kill_once(work, folder / str(number)) for number in range(times)]
    delays = [delay for loss in found for delay in loss.delays]
    return Loss(delays, *(sum(counts) for counts in zip(*(loss[1:] for loss in found), strict=True)))


def kill_once(work: Work, folder: Path) -> Loss:
    """Run the work with a target of our own, kill the process when it has answered half of it, and resume."""
    folder.mkdir(parents=True)
    answers = folder / "answers.log"
    environ = {"PYTHONPATH": str(SCRIPTS), "ANSWERS_LOG": str(answers)}
    suite: dict[str, object] = {"target": {"kind": "python", "function": "answering:answer"}, "evaluators": [CONTAINS]}
    output = folder / "output.log"
    pid = child.spawn(aloi_run(suite, work, folder), output, environ)
    database = folder / "home" / "aloi.db"
    try:
        seen = _watch(database, answers, work.cases // 2)
    finally:
        child.kill(pid)
    answered = _answered(answers)
    scored, stored = _positions(database, "results"), _positions(database, "executions")
    child.run([*aloi_command(folder), "runs", "resume", "latest"], output, environ)
    return Loss(
        delays=[(seen[position] - answered[position][0]) * 1000 for position in seen],
        answered=len(answered),
        unscored=len(answered.keys() - scored),
        unstored=len(answered.keys() - stored),
        forgotten=len(seen.keys() - scored),
        asked_again=sum(len(moments) > 1 for moments in _answered(answers).values()),
    )


def _watch(database: Path, answers: Path, enough: int) -> dict[int, float]:
    """When each result was first read, by position, until so many cases are answered.

    Raises:
        RuntimeError: that takes too long.
    """
    seen: dict[int, float] = {}
    end = time.monotonic() + MOST_SECONDS
    while len(_answered(answers)) < enough:
        if time.monotonic() > end:
            raise RuntimeError(f"{enough} cases were not answered within {MOST_SECONDS:g} s")
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


def _answered(log: Path) -> dict[int, list[float]]:
    """The moments at which each case was answered, by position; nothing while there is no log yet."""
    found: dict[int, list[float]] = {}
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else ():
        position, moment = line.split()
        found.setdefault(int(position), []).append(float(moment))
    return found
