"""Files that a run's results are written to."""

import os
from pathlib import Path
from typing import NamedTuple, TextIO

from aloi.cli.terminal import write_data
from aloi.client import Client
from aloi.core.errors import InvalidInput

STDOUT = "-"


class Outputs(NamedTuple):
    """`files`: pairs of format (`junit`, `json`, `csv`, `html`) and path; the path `-` is the standard output."""

    files: tuple[tuple[str, str], ...] = ()

    @property
    def on_stdout(self) -> bool:
        """Whether data takes the standard output."""
        return any(path == STDOUT for _, path in self.files)

    def check(self) -> None:
        """Refuse what could not be written later, before anything is paid for.

        Raises:
            InvalidInput: a folder is not there or not writable, or two formats want the standard output.
        """
        if sum(path == STDOUT for _, path in self.files) > 1:
            raise InvalidInput("only one format can go to the standard output; give the others a file")
        for form, path in self.files:
            if path != STDOUT:
                _check_writable(f"--{form}", Path(path))

    async def write(self, client: Client, run: str) -> None:
        """Write the results of a run to every file."""
        for form, path in self.files:
            await write_export(client, run, form, path)


def _check_writable(option: str, path: Path) -> None:
    folder = path.parent
    if not folder.is_dir():
        raise InvalidInput(f"{option} {path}: the folder {folder} does not exist; make it first")
    if path.is_dir():
        raise InvalidInput(f"{option} {path} is a folder; name a file")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise InvalidInput(f"{option} {path} cannot be written; check its permissions or name another file")


async def write_export(client: Client, run: str, form: str, path: str) -> None:
    """Write a run in one format, piece by piece, to a file or to the standard output (`-`).

    A lone surrogate, which UTF-8 cannot hold, is written as its escape.
    """
    if path == STDOUT:
        async for piece in client.export(run, form):
            write_data(piece)
        return
    with open_text(path) as file:
        async for piece in client.export(run, form):
            file.write(piece)


def open_text(path: str) -> TextIO:
    """A file to write UTF-8 text to, line ends kept."""
    return Path(path).open("w", encoding="utf-8", errors="backslashreplace", newline="")
