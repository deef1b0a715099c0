"""Templates in definitions: texts, and JSON values with texts at any depth, that read a document.

A text that is one `{{ dotted.path[0] }}` and nothing else becomes the value itself; any other text with `{{ }}` or
`{% %}` is Liquid, without tags that load files, and becomes text. Definitions are not trusted: whatever they say, a
rendering ends within `SECONDS` (and the one small piece of work that is going on), keeps within `LARGEST` characters,
and reaches nothing but the document.
"""

import re
import time
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, cast

from pydantic import AfterValidator, JsonValue

from aloi.core.errors import StageFailure
from aloi.core.flow.weight import LARGEST, is_heavier
from aloi.core.json_values import text_of
from aloi.core.loading import module
from aloi.core.spec import JsonObject
from aloi.core.step import Path, Place, Reading, Types

if TYPE_CHECKING:
    from aloi.templates.sandbox import Compiled

SANDBOX = "aloi.templates.sandbox"  # imports Liquid, which most texts do without
SECONDS = 1.0  # of rendering one value
LONGEST_TEXT = 200_000
MOST_EXPRESSIONS = 2_000  # in one text: finding their ends takes time in proportion to length times number
LONGEST_EXPRESSION = 2_000  # reading one takes time in proportion to its square
LONGEST_EXPRESSIONS = 50_000  # of all in one text together

_BEGIN = re.compile(r"\{\{|\{%")
_GAP = re.compile(r"\s{101}")
_LONE = re.compile(
    r"\s*\{\{-?\s*(?P<path>[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*|\[(?:-?\d{1,9}|'[^']*'|\"[^\"]*\")\])*)\s*-?\}\}\s*"
)
_SEGMENT = re.compile(
    r"(?P<name>[A-Za-z_][\w-]*)|\[(?P<index>-?\d+)\]|\['(?P<single>[^']*)'\]|\[\"(?P<double>[^\"]*)\"\]"
)


class _Text(NamedTuple):
    """A text, compiled: the path of a lone reference, or a template of Liquid, or (both null) just the text."""

    path: Path | None
    template: "Compiled | None"


@lru_cache(maxsize=4096)
def _compiled(text: str) -> _Text:
    if "{{" not in text and "{%" not in text:
        return _Text(None, None)
    if len(text) > LONGEST_TEXT:
        raise ValueError(f"it has {len(text):,} characters, and a template may have {LONGEST_TEXT:,}; shorten it")
    if text.count("{{") + text.count("{%") > MOST_EXPRESSIONS:
        raise ValueError(f"it has more than {MOST_EXPRESSIONS:,} expressions; make it simpler")
    _check_expressions(text)
    lone = _LONE.fullmatch(text)
    if lone:
        return _Text(_segments(lone["path"]), None)
    return _Text(None, module(SANDBOX).compiled(text))


def _check_expressions(text: str) -> None:
    """Refuse what Liquid's reader needs years for: expressions without an end, with long gaps in them, or too long."""
    at = length = 0
    while begin := _BEGIN.search(text, at):
        line = text.count("\n", 0, begin.start()) + 1
        close = "}}" if begin[0] == "{{" else "%}"
        end = text.find(close, begin.end())
        if end < 0:
            raise ValueError(f"it has a {begin[0]} without {close} behind it, in line {line}; write the end")
        if _GAP.search(text, begin.end(), end):
            raise ValueError(f"the expression in line {line} has a gap of more than 100 spaces or lines; close it up")
        length += end - begin.end()
        if end - begin.end() > LONGEST_EXPRESSION or length > LONGEST_EXPRESSIONS:
            raise ValueError(
                f"the expression in line {line} is too long: one may have {LONGEST_EXPRESSION:,} characters, and all "
                f"together {LONGEST_EXPRESSIONS:,}; make it simpler"
            )
        at = end + len(close)


def _segments(path: str) -> Path:
    return tuple(
        int(found["index"]) if found["index"] else found["name"] or found["single"] or found["double"] or ""
        for found in _SEGMENT.finditer(path)
    )


def _texts(value: JsonValue, at: Place) -> Iterator[tuple[Place, str]]:
    """Every text of a value with its place."""
    if isinstance(value, str):
        yield at, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts(inner, (*at, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, (*at, index))


def _checked(value: JsonValue) -> JsonValue:
    for at, text in _texts(value, ()):
        try:
            _compiled(text)
        except ValueError as error:
            where = f"at {'.'.join(map(str, at))}: " if at else ""
            raise ValueError(f"{where}{error}") from error
    return value


def _checked_text(text: str) -> str:
    _checked(text)
    return text


TemplateText = Annotated[str, AfterValidator(_checked_text)]
"""A field that holds a text with expressions; one that cannot be read is refused when the kind is built."""

TemplateValue = Annotated[JsonValue, AfterValidator(_checked)]
"""A field that holds a JSON value with such texts at any depth (names of members are left as they are)."""


def lone_path(value: JsonValue) -> Path | None:
    """The path of a text that is one reference and nothing else; null for anything else.

    Raises:
        ValueError: the text is no template that can be read.
    """
    return _compiled(value).path if isinstance(value, str) else None


def is_template(text: str) -> bool:
    """Whether a text has any expression in it."""
    return "{{" in text or "{%" in text


def readings(value: JsonValue, at: Place, wanted: JsonObject | None = None) -> tuple[Reading, ...]:
    """What the texts of a value read, each with its place.

    Args:
        at: where in the definition the value stands.
        wanted: the JSON schema that must be fit by what a value that is one reference reads.

    Raises:
        ValueError: a text is no template that can be read.
    """
    found: list[Reading] = []
    for place, text in _texts(value, at):
        path, template = _compiled(text)
        if path is not None:
            found.append(Reading(place, path, wanted if place == at else None))
        elif template is not None:
            found.extend(Reading(place, read, maybe=template.is_lenient) for read in template.reads)
    return tuple(found)


def schema_of(value: JsonValue, types: Types) -> JsonObject | None:
    """The JSON schema of what a value becomes when it is rendered; null where nothing is known.

    Raises:
        ValueError: a text is no template that can be read.
    """
    if isinstance(value, str):
        path, template = _compiled(value)
        if path is not None:
            return types.of(path)
        return {"const": value} if template is None else {"type": "string"}
    if isinstance(value, dict):
        properties: JsonObject = {name: schema_of(inner, types) or {} for name, inner in value.items()}
        required: list[JsonValue] = [*value]
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    if isinstance(value, list):
        items: list[JsonValue] = [schema_of(inner, types) or {} for inner in value]
        return {"type": "array", "prefixItems": items, "items": False} if items else {"type": "array"}
    return {"const": value}


def render(value: JsonValue, document: JsonObject) -> JsonValue:
    """The value with all of its texts rendered over a document. The value that was given is left as it is.

    Raises:
        StageFailure: an expression cannot be evaluated: it is undefined, or asks for too much (stage `invoke`, type
            `template`).
    """
    rendered = _rendered(value, document, time.monotonic() + SECONDS)
    if not isinstance(value, str) and is_heavier(rendered, LARGEST):
        raise _failed(f"what it makes has more than {LARGEST:,} characters; refer to less")
    return rendered


def render_text(text: str, document: JsonObject) -> str:
    """The text rendered over a document: of a text that is one reference, the value's text, empty for null.

    Raises:
        StageFailure: as `render`.
    """
    value = _rendered(text, document, time.monotonic() + SECONDS)
    if is_heavier(value, LARGEST):
        raise _failed(f"{text.strip():.100} has more than {LARGEST:,} characters; refer to less")
    return "" if value is None else text_of(value)


def _rendered(value: JsonValue, document: JsonObject, until: float) -> JsonValue:
    if isinstance(value, str):
        path, template = _compiled(value)
        if path is not None:
            return look_up(path, document)
        return value if template is None else template.render(document, until)
    if isinstance(value, dict):
        return {name: _rendered(inner, document, until) for name, inner in value.items()}
    if isinstance(value, list):
        return [_rendered(inner, document, until) for inner in value]
    return value


def look_up(path: Path, document: JsonObject) -> JsonValue:
    """What a path reads of a document; `size`, `first` and `last` of what has no such member are what Liquid says.

    Raises:
        StageFailure: there is nothing (stage `invoke`, type `template`).
    """
    value: JsonValue = document
    for number, segment in enumerate(path):
        try:
            value = cast(Any, value)[segment]
        except (KeyError, IndexError, TypeError):
            found = _special(value, segment)
            if found is None:
                raise _undefined(path[: number + 1], path[:number], value) from None
            value = found[0]
    return value


def _special(value: JsonValue, segment: str | int) -> tuple[JsonValue] | None:
    if segment == "size" and isinstance(value, (str, list, dict)):
        return (len(value),)
    if segment in ("first", "last") and isinstance(value, list) and value:
        return (value[0 if segment == "first" else -1],)
    return None


def path_text(path: Path) -> str:
    """A path as it is written: `steps.fetch[0].title`."""
    first, *rest = path
    return str(first) + "".join(_segment_text(segment) for segment in rest)


def _segment_text(segment: str | int) -> str:
    if isinstance(segment, int):
        return f"[{segment}]"
    return f".{segment}" if re.fullmatch(r"[A-Za-z_][\w-]*", segment) else f"['{segment}']"


def _undefined(path: Path, outer: Path, value: JsonValue) -> StageFailure:
    what = json_type(value)
    reason = f"{path_text(outer)} is {what} without it" if outer else "there is no such name"
    mend = f"see what is there, or write {{{{ {path_text(path)} | default: '' }}}}"
    return _failed(f"{{{{ {path_text(path)} }}}} is undefined ({reason}); {mend}")


def json_type(value: JsonValue) -> str:
    """What kind of a value it is, for people: `a list`, `null`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, str):
        return "text"
    if isinstance(value, (int, float)):
        return "a number"
    return "a list" if isinstance(value, list) else "an object"


def _failed(reason: str) -> StageFailure:
    return StageFailure("invoke", "template", reason)
