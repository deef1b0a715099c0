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
# What chat templates part the turns of a conversation with. Many local servers read it in the middle of a message too.
TURN_MARK = re.compile(
    r"<(?=[|\uff5c][^<>\s]{1,64}[|\uff5c]>|/?(?:s|bos|eos|(?:start|end)_of_[a-z]{1,20})>)"
    r"|\[(?=/?(?:INST|[A-Z]{1,20}_(?:PROMPT|TOOLS|CALLS|RESULTS|CONTENT))\])"
)
WORD_JOINER = "\u2060"
# Ends of lines that JSON may hold as they are.
LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}


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
    """The text as it can be sent to any model, and be nothing but text there.

    NUL and lone surrogates become U+FFFD: no UTF-8 holds the latter, some servers stop at NUL. The marks that part the
    turns of a conversation (`<|im_end|>`, `[/INST]`, ...) are broken by an invisible U+2060, so that none takes effect.
    """
    return TURN_MARK.sub(rf"\g<0>{WORD_JOINER}", UNSENDABLE.sub("\ufffd", text))


def json_lines(values: Iterable[JsonValue]) -> str:
    """One line of JSON per value, non-ASCII kept but for ends of lines: no text in a value looks like another line."""
    return "\n".join(json.dumps(value, ensure_ascii=False).translate(LINE_ENDS) for value in values)
