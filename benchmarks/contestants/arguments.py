"""The command line of the contestants that are scripts: URL KIND --cases N --concurrency N --folder FOLDER."""

import argparse
import sqlite3
from pathlib import Path
from typing import NamedTuple

SCHEMA = "CREATE TABLE results (position INTEGER PRIMARY KEY, prompt TEXT, answer TEXT, passed INTEGER)"


class Arguments(NamedTuple):
    """Where to ask, what to do, and the folder for whatever is kept."""

    url: str
    kind: str
    cases: int
    concurrency: int
    folder: Path


def arguments(description: str | None) -> Arguments:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("url")
    parser.add_argument("kind", choices=["chat", "judge", "agent"])
    parser.add_argument("--cases", type=int, required=True)
    parser.add_argument("--concurrency", type=int, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    return Arguments(**vars(parser.parse_args()))


class Answers:
    """A database of one table in a folder, written a hundred answers at a time."""

    def __init__(self, folder: Path) -> None:
        self._database = sqlite3.connect(folder / "answers.db")
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute(SCHEMA)
        self._rows: list[tuple[int, str, str, bool]] = []

    def add(self, position: int, prompt: str, answer: str, passed: bool) -> None:
        """Keep an answer."""
        self._rows.append((position, prompt, answer, passed))
        if len(self._rows) >= 100:
            self._write()

    def close(self) -> None:
        """Write what is left."""
        self._write()
        self._database.close()

    def _write(self) -> None:
        with self._database:
            self._database.executemany("INSERT INTO results VALUES (?, ?, ?, ?)", self._rows)
        self._rows.clear()
