"""Standard streams that no text and no closed pipe can break."""

import codecs
import io
import os
import sys

# What a terminal without Unicode shows in place of our own signs; anything else becomes a question mark.
PLAIN = {"–": "-", "—": "-", "−": "-", "…": "...", "·": "-", "±": "+/-", "×": "x", "→": "->", "≥": ">=", "≤": "<="}
HANDLER = "aloi-plain"


def _plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(PLAIN.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


def prepare_streams() -> None:
    """Make both streams show what they can of any text instead of failing; one that was closed goes nowhere."""
    _open_closed()
    codecs.register_error(HANDLER, _plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)


def _open_closed() -> None:
    """Open what the caller closed, lest the next file that is opened takes its place."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:  # as Python says that it was closed
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


def drop_stream(stream: object) -> None:
    """From now on throw away what is written to a stream whose reader is gone."""
    if isinstance(stream, io.TextIOWrapper):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def settle_streams() -> None:
    """Flush both streams, quietly when their readers are gone."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            drop_stream(stream)
