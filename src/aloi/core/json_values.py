"""JSON values as the domain reads them: their text, their equality, and JSON found in a text."""

import json
import math
import unicodedata
from typing import TypeVar, cast

from pydantic import JsonValue

FENCE = "```"
DEEPEST = 100  # readers of JSON stop at 200 levels; a trace and a result put some around an answer
MOST_DIGITS = 4300  # Python and pydantic read no longer ones
LARGEST = 10**MOST_DIGITS - 1
J = TypeVar("J", bound=JsonValue)


def text_of(value: JsonValue) -> str:
    """The text of an output: a text as it is, anything else as JSON with non-ASCII kept (never a Python repr)."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def read_json(text: str) -> JsonValue:
    """The JSON value that a text holds; it may stand in one ``` fence, with nothing around it.

    Raises:
        ValueError: as `strict_json`.
    """
    return strict_json(unfenced(text))


def strict_json(text: str) -> JsonValue:
    """The JSON value that a text is.

    Raises:
        ValueError: the text is not JSON, is nested too deeply, or holds NaN or Infinity, which JSON has not.
    """
    try:
        return cast(JsonValue, json.loads(text, parse_constant=_refuse_constant))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def unfenced(text: str) -> str:
    """The inside of a text that is one fenced block and nothing else; any other text as it is.

    A fence may stand on one line with what it holds, and ``` inside a line does not end it.
    """
    stripped = text.strip()
    inside = stripped[len(FENCE) : -len(FENCE)]
    is_block = inside and stripped.startswith(FENCE) and stripped.endswith(FENCE) and f"\n{FENCE}" not in inside
    if not is_block:
        return text
    language, newline, body = inside.partition("\n")
    if newline and not language.lstrip().startswith(("{", "[")):
        return body
    return inside.strip().removeprefix("json")


def _refuse_constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is not JSON")


def json_equal(a: JsonValue, b: JsonValue, ignore_case: bool = False) -> bool:
    """JSON equality: 1 == 1.0, true != 1, null is a value, key order free, list order counts, strings after NFC.

    `ignore_case` compares strings (not keys) after casefolding as well.
    """
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(json_equal(a[key], b[key], ignore_case) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(json_equal(x, y, ignore_case) for x, y in zip(a, b, strict=True))
    if isinstance(a, str) and isinstance(b, str):
        return fold(a, ignore_case) == fold(b, ignore_case)
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return a == b
    return a is None and b is None


def fold(text: str, ignore_case: bool = False) -> str:
    """A text as it is compared: NFC, and casefolded (then NFC again) when case does not count."""
    normal = unicodedata.normalize("NFC", text)
    return unicodedata.normalize("NFC", normal.casefold()) if ignore_case else normal


def shortened(value: JsonValue, limit: int = 200) -> str:
    """A value for an explanation: its JSON, cut in the middle of nothing but at the end when it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def storable(value: J) -> J:
    """The value as JSON in UTF-8 can hold it; one that it can, the usual case, is returned as it is.

    A lone surrogate (half a character) becomes U+FFFD; a number that is not finite, or is huge, becomes words.
    """
    if value is None or (isinstance(value, str) and value.isascii()):
        return value
    try:
        (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False)).encode()
    except ValueError:
        return cast(J, _mended(value))
    return value


def is_finite(value: JsonValue) -> bool:
    """Whether every number in the value is one that JSON has."""
    if isinstance(value, (dict, list)):
        return all(map(is_finite, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, float) or math.isfinite(value)


def answer_fault(value: JsonValue, depth: int = 0) -> str | None:
    """Why a value cannot be an answer that is stored and read again, in words behind "the answer"; null if it can."""
    if isinstance(value, (dict, list)):
        if depth >= DEEPEST:
            return f"is nested more than {DEEPEST} levels deep; flatten it"
        items = value.values() if isinstance(value, dict) else value
        return next((fault for item in items if (fault := answer_fault(item, depth + 1))), None)
    if not is_finite(value):
        return "holds NaN or an infinite number, which JSON has not"
    if _is_huge(value):
        return f"holds a whole number of more than {MOST_DIGITS} digits; give it as a text"
    return None


def _is_huge(value: JsonValue) -> bool:
    return isinstance(value, int) and abs(value) > LARGEST


def _mended(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {str(_mended(key)): _mended(item) for key, item in value.items()}
    if _is_huge(value):
        return f"a whole number of more than {MOST_DIGITS} digits"
    return value if is_finite(value) else str(value)
