"""Strict JSON: what the standard says, no more, and each key once."""

import json
import math
import re
from collections import Counter
from typing import cast

from pydantic import JsonValue

LONE = re.compile("[\ud800-\udfff]")


class DuplicateKey(ValueError):
    """An object names a key twice, so one of the two values would be lost."""


def _once(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise DuplicateKey(f"the key {twice!r} stands twice in one object; remove one")
    return fields


def _refuse(name: str) -> JsonValue:
    raise ValueError(f"{name} is not JSON; write null or a text")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"the number {digits[:20]} is too large")
    return number


DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse, parse_float=_finite)


def read_json(text: str) -> JsonValue:
    """The JSON value of a text.

    Raises:
        json.JSONDecodeError: it is not JSON; `lineno`, `colno` and `msg` say where and why.
        ValueError: it holds NaN, Infinity, a number that no float holds, a key twice, or too deep a nesting.
    """
    try:
        return cast(JsonValue, DECODER.decode(text))
    except RecursionError as error:
        raise ValueError("it is nested too deeply; flatten it") from error


def write_json(value: JsonValue) -> str:
    """One line of JSON with non-ASCII kept. Lone surrogates are escaped, so that the line can be encoded."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return LONE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
