"""The filters that templates may use: Liquid's, each with bounds on what it is given and on what it makes."""

import json
import math
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, cast

from liquid import Environment
from liquid.undefined import is_undefined
from pydantic import JsonValue

from aloi.core.flow.weight import LARGEST, NODE, is_heavier
from aloi.core.json_values import LARGEST as LARGEST_NUMBER
from aloi.core.json_values import text_of

Filter = Callable[..., Any]
MOST_ITEMS = LARGEST // NODE  # more would be too heavy whatever they are
LONGEST_DATE = 100  # of a date and of its format

OF_TEXTS = (
    "append", "base64_decode", "base64_encode", "base64_url_safe_decode", "base64_url_safe_encode", "capitalize",
    "downcase", "escape", "lstrip", "newline_to_br", "prepend", "remove", "remove_first", "remove_last",
    "replace_first", "replace_last", "rstrip", "squish", "strip", "strip_newlines", "truncate", "upcase", "url_decode",
    "url_encode",
)  # fmt: skip
OF_VALUES = (
    "abs", "at_least", "at_most", "ceil", "compact", "concat", "default", "divided_by", "find", "find_index", "first",
    "floor", "has", "last", "minus", "modulo", "plus", "reject", "reverse", "round", "size", "slice", "sort",
    "sort_natural", "sum", "times", "where",
)  # fmt: skip


class TooMuch(Exception):
    """A template asks for more work or room than it may have; the message says what, and the mend."""


def text(value: object) -> str:
    """A value as it stands in a text: text as it is, null empty, anything else as JSON.

    Raises:
        TooMuch: it would be too long.
    """
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    return text_of(cast(JsonValue, _light(_plain(value))))


def _plain(value: object) -> object:
    """A value of JSON in place of what Liquid has beside it: ranges, pairs, records of loops, words for null."""
    if is_undefined(value) or value is None or isinstance(value, (str, bool, int, float, list, dict)):
        return cast(object, value)
    if isinstance(value, range):
        if value[-1:] and abs(value.stop - value.start) > MOST_ITEMS:
            raise TooMuch(f"a range of more than {MOST_ITEMS:,} numbers; write a smaller one")
        return list(value)
    if isinstance(value, tuple):
        return list(cast("tuple[object, ...]", value))
    return None  # a loop's own record, or Liquid's words for null and empty


def _light(value: object) -> object:
    """The value, when it is not too heavy.

    Raises:
        TooMuch: it is, or it is a number that JSON has not.
    """
    if is_undefined(value):
        return value
    if isinstance(value, float) and not math.isfinite(value):
        raise TooMuch("it makes a number that is not finite")
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        raise TooMuch("it makes a number that is too large")
    if is_heavier(cast(JsonValue, value), LARGEST):
        raise TooMuch(f"it works on, or makes, more than {LARGEST:,} characters; refer to less")
    return value


def _on_text(value: object) -> object:
    return value if is_undefined(value) else text(value)


def _as_argument(value: object) -> object:
    """An argument of a filter of texts: numbers stay, anything else becomes text."""
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else _on_text(value)


def _guarded(function: Filter, of_texts: bool = False) -> Filter:
    @wraps(function)
    def guarded(left: object, *arguments: object, **options: object) -> object:
        given = [_light(_plain(value)) for value in (left, *arguments)]
        if of_texts:
            given = [_on_text(given[0]), *map(_as_argument, given[1:])]
        return _light(_plain(function(*given, **options)))

    return guarded


def _replace(value: str, old: object, new: object = "") -> str:
    what, by = text(old), text(new)
    if len(value) + value.count(what) * (len(by) - len(what)) > LARGEST:
        raise TooMuch(f"replace would make more than {LARGEST:,} characters; refer to less")
    return value.replace(what, by)


def _split(value: str, separator: object = None) -> list[str]:
    by = text(separator)
    if not by:
        return list(value[: MOST_ITEMS + 1])
    if not value or value == by:
        return []
    return value.split(None if by == " " else by, MOST_ITEMS + 1)


def _truncate_words(value: str, most: object = 15, end: object = "...") -> str:
    number = min(max(int(text(most)), 1), MOST_ITEMS)
    words = value.split(None, number)
    return " ".join(words[:number]) + (text(end) if len(words) > number else "")


def _join(value: object, separator: object = " ") -> str:
    items = [text(item) for item in _items(value)]
    by = text(separator)
    if sum(map(len, items)) + len(by) * len(items) > LARGEST:
        raise TooMuch(f"join would make more than {LARGEST:,} characters; refer to less")
    return by.join(items)


def _uniq(value: object, key: object = None) -> list[object]:
    first: dict[str, object] = {}
    for item in _items(value):
        told_by = _member(item, key) if key else item
        first.setdefault(json.dumps(told_by, sort_keys=True), item)
    return list(first.values())


def _map(value: object, key: object) -> list[object]:
    return [_member(item, key) for item in _items(value)]


def _items(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else [value]


def _member(item: object, key: object) -> object:
    return cast("dict[str, object]", item).get(text(key)) if isinstance(item, dict) else None


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _dates(function: Filter) -> Filter:
    @wraps(function)
    def date(value: object, *formats: object, **options: object) -> object:
        if any(len(text(given)) > LONGEST_DATE for given in (value, *formats) if not is_undefined(given)):
            raise TooMuch(f"date works on texts of up to {LONGEST_DATE} characters; write a shorter one")
        if value in ("now", "today"):
            raise TooMuch("a template knows no time of its own; use a tool step with the tool datetime")
        return function(value, *formats, **options)

    return date


_OF_LISTS: Mapping[str, Filter] = {"join": _join, "json": _json, "map": _map, "uniq": _uniq}


def _filters() -> dict[str, Filter]:
    theirs: dict[str, Filter] = Environment().filters
    ours: dict[str, Filter] = {"replace": _replace, "split": _split, "truncatewords": _truncate_words}
    return {
        **{name: _guarded(theirs[name], of_texts=True) for name in OF_TEXTS},
        **{name: _guarded(theirs[name]) for name in OF_VALUES},
        **{name: _guarded(function, of_texts=True) for name, function in ours.items()},
        **{name: _guarded(function) for name, function in _OF_LISTS.items()},
        "date": _guarded(_dates(theirs["date"])),
    }


FILTERS: Mapping[str, Filter] = _filters()
