"""Where the command line writes: a report for people, data for programs, and notes beside them."""

import sys
import unicodedata
from dataclasses import dataclass, field
from typing import TextIO

from rich.console import Console

from aloi.cli.streams import drop_stream

# Marks that turn the direction of the text around them: they could make a report read as something else.
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class PatientConsole(Console):
    """A console that goes on quietly when nobody reads it any more, so that the exit code still tells the truth."""

    def on_broken_pipe(self) -> None:
        """Write nothing from now on."""
        self.quiet = True
        drop_stream(self.file)


def console(to_stderr: bool = False, width: int | None = None, file: TextIO | None = None) -> Console:
    """A console on one of the standard streams, or on a file; texts are shown as they are, without markup."""
    return PatientConsole(
        stderr=to_stderr, width=width, file=file, markup=False, highlight=False, emoji=False, soft_wrap=False
    )


@dataclass(frozen=True)
class Terminal:
    """The report's console (the standard output, unless data takes that), and the notes' (the standard error)."""

    report: Console = field(default_factory=console)
    notes: Console = field(default_factory=lambda: console(to_stderr=True))

    def note(self, text: str) -> None:
        """One line beside the report."""
        self.notes.print(plain(text), soft_wrap=True)


def terminal(data_on_stdout: bool = False) -> Terminal:
    """The terminal of this process; the report moves to the standard error when data takes the standard output."""
    return Terminal(report=console(to_stderr=True)) if data_on_stdout else Terminal()


def write_data(piece: str) -> None:
    """Write data for programs to the standard output, always as UTF-8."""
    sys.stdout.flush()
    try:
        sys.stdout.buffer.write(piece.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        drop_stream(sys.stdout)


def plain(text: str) -> str:
    """The text without what could command a terminal: control and turning characters become visible signs."""
    return "".join(_visible(character) for character in text)


def _visible(character: str) -> str:
    if character in "\n\t":
        return character
    if unicodedata.category(character) in ("Cc", "Cs") or character in TURNING:
        return "\ufffd"
    return character


def one_line(text: str, limit: int = 100) -> str:
    """The text, fit for a cell: white space folded, cut at so many characters."""
    folded = " ".join(plain(text[: 8 * limit]).split())
    return folded if len(folded) <= limit else f"{folded[: limit - 1].rstrip()}…"
