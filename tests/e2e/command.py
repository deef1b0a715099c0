"""The real command in a process of its own, and what its store and its model server know afterwards."""

import json
import os
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

ALOI = str(Path(sys.executable).with_name("aloi"))


class Command:
    """Runs `aloi` over one home folder."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environ = {**os.environ, "ALOI_HOME": str(home), "NO_COLOR": "1", "COLUMNS": "80"}

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start it and go on."""
        return subprocess.Popen(
            [ALOI, *words], env=self.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def run(self, *words: str, seconds: float = 60) -> subprocess.CompletedProcess[str]:
        """Run it to the end."""
        return subprocess.run(
            [ALOI, *words], env=self.environ, capture_output=True, text=True, timeout=seconds, check=False
        )

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """What the database holds."""
        with sqlite3.connect(self.home / "aloi.db", timeout=10) as database:
            return database.execute(sql).fetchall()

    def export(self, run: str = "latest") -> dict[str, Any]:
        """A run with its results."""
        result = self.run("runs", "export", run, "--format", "json")
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout)


def stats(root: str) -> dict[str, Any]:
    """What a model server counted."""
    with urllib.request.urlopen(f"{root}/stats", timeout=10) as reply:
        return json.load(reply)


def until(condition: Callable[[], bool], seconds: float = 30) -> None:
    """Wait for a condition."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("the condition did not come true")
        time.sleep(0.01)
