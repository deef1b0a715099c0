"""Data in a judge's prompt: between boundary lines that are random in each prompt and do not occur in the data."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping

from pydantic import JsonValue

from aloi.core.errors import StageFailure
from aloi.core.json_values import text_of

DATA_LIMIT = 200_000
DRAWS = 100
UNSENDABLE = re.compile("[\0\ud800-\udfff]")


def fenced(data: Mapping[str, JsonValue], boundary: Callable[[], str]) -> str:
    """The data as text, each datum between an opening and a closing boundary line.

    The boundary occurs nowhere else, so nothing in the data can end its fence. A datum beyond `DATA_LIMIT` characters
    is cut, and a note behind its closing line (outside the fence, where the data cannot write) says by how much.

    Args:
        data: name -> text or JSON value (shown as JSON). The names are ours, never from the data.
        boundary: draws a random text of one line; drawn anew until it occurs in none of the data.

    Raises:
        StageFailure: no boundary was found in `DRAWS` draws, so the drawing is not random.
    """
    texts = {name: text_of(value) for name, value in data.items()}
    shown = {name: sendable(text[:DATA_LIMIT]) for name, text in texts.items()}
    mark = _free_mark(shown.values(), boundary)
    return "\n\n".join(
        f"<<<{name.upper()} {mark}\n{shown[name]}\n{mark} {name.upper()}>>>{_cut_note(text)}"
        for name, text in texts.items()
    )


def _free_mark(texts: Collection[str], boundary: Callable[[], str]) -> str:
    for _ in range(DRAWS):
        mark = boundary()
        if not any(mark in text for text in texts):
            return mark
    message = f"{DRAWS} draws gave no boundary that is free of the data; draw it at random, e.g. secrets.token_hex(16)"
    raise StageFailure("grade", "no_boundary", message)


def _cut_note(text: str) -> str:
    left_out = len(text) - DATA_LIMIT
    return f"\n[cut: {left_out} characters left out]" if left_out > 0 else ""


def sendable(text: str) -> str:
    """The text with NUL and lone surrogates replaced by U+FFFD: no UTF-8 holds the latter, some servers stop at NUL."""
    return UNSENDABLE.sub("\ufffd", text)


def json_lines(values: Iterable[JsonValue]) -> str:
    """One line of JSON per value, non-ASCII kept: no text inside a value can look like a line of its own."""
    return "\n".join(json.dumps(value, ensure_ascii=False) for value in values)
