"""Runs a program as a child and says what it cost."""

import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

MEGABYTE = 2**20
UNUSUAL = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
RSS_UNIT = 1 if sys.platform == "darwin" else 1024


class Cost(NamedTuple):
    """What a child took: when it started (seconds of the epoch), wall and CPU (user and system) seconds, peak MB."""

    started_at: float
    wall: float
    cpu: float
    peak: float


def spawn(command: list[str], log: Path, environ: Mapping[str, str] | None = None) -> int:
    """Start a program, its output going to a file, with more environment; return its process id.

    A child's peak memory starts at that of the process that started it, so this one must stay smaller than all that it
    measures: it imports no library.
    """
    actions = [
        (os.POSIX_SPAWN_OPEN, 1, str(log), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    return os.posix_spawn(command[0], command, {**_environ(), **(environ or {})}, file_actions=actions)


def _environ() -> dict[str, str]:
    """The environment without what would make Python start slower than it does for a user."""
    return {name: value for name, value in os.environ.items() if name not in UNUSUAL}


def run(command: list[str], log: Path, environ: Mapping[str, str] | None = None) -> Cost:
    """Run a program to its end.

    Raises:
        RuntimeError: it ended with another exit code than 0; the message ends with the end of its output.
    """
    started_at = time.time()
    start = time.perf_counter()
    pid = spawn(command, log, environ)
    _, status, used = os.wait4(pid, 0)
    wall = time.perf_counter() - start
    code = os.waitstatus_to_exitcode(status)
    if code != 0:
        output = log.read_text(encoding="utf-8", errors="replace")[-2000:]
        raise RuntimeError(f"{' '.join(command)} ended with {code}: {output}")
    return Cost(started_at, wall, used.ru_utime + used.ru_stime, used.ru_maxrss * RSS_UNIT / MEGABYTE)


def kill(pid: int) -> None:
    """Kill a child at once, as `kill -9` does, and wait until it is gone."""
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
