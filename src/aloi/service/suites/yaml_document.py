"""YAML text as a value, with the line of every part of it.

YAML as people expect it (close to YAML 1.2): only true and false are booleans, dates stay texts, numbers are JSON's,
keys are texts and stand once.
"""

import math
import re

import yaml
from pydantic import JsonValue
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from aloi.core.errors import InvalidInput
from aloi.service.files.faults import FieldPath, path_text
from aloi.service.suites.document import Document

MAX_VALUES = 500_000
MAX_DEPTH = 100
PREFIX = "tag:yaml.org,2002:"
# What a plain (unquoted) scalar is, by its text; anything else is text.
PLAIN = (
    (f"{PREFIX}null", re.compile(r"(~|null|Null|NULL|)\Z")),
    (f"{PREFIX}bool", re.compile(r"(true|True|TRUE|false|False|FALSE)\Z")),
    (f"{PREFIX}int", re.compile(r"[-+]?(0|[1-9][0-9]*)\Z")),
    (f"{PREFIX}float", re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")),
    (f"{PREFIX}float", re.compile(r"[-+]?\.(inf|Inf|INF|nan|NaN|NAN)\Z")),
)
Loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


def read_yaml(text: str, name: str) -> Document:
    """The value of a YAML text.

    Raises:
        InvalidInput: `suite.yaml:3: ...`: it is not YAML, names a key twice, holds what JSON cannot, or grows beyond
            half a million values or a hundred levels by its anchors.
    """
    reader = _Reader(name)
    node = _compose(text, name)
    value = None if node is None else reader.value(node, (), _line(node))
    return Document(value, reader.lines)


def _compose(text: str, name: str) -> Node | None:
    try:
        loader = Loader(text)
        try:
            # Set on this loader alone: by first character, and none of them needs one.
            loader.yaml_implicit_resolvers = {None: list(PLAIN)}
            return loader.get_single_node()
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{name}:{mark.line + 1}" if mark else name
        hint = "check the indentation, and put texts with `: `, `#` or a leading special character in quotes"
        raise InvalidInput(f"{where}: this is not YAML: {error.problem}; {hint}") from error
    except (yaml.YAMLError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise InvalidInput(f"{name}: this is not YAML: {reason}; remove what is named") from error


def _line(node: Node) -> int:
    return node.start_mark.line + 1


class _Reader:
    """Turns YAML nodes into JSON values and writes down where each stands."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: dict[FieldPath, int] = {}

    def value(self, node: Node, path: FieldPath, line: int) -> JsonValue:
        if len(self.lines) >= MAX_VALUES:
            raise self._error(line, f"the file grows beyond {MAX_VALUES:,} values by its anchors; write it out")
        if len(path) > MAX_DEPTH:
            raise self._error(line, f"it is nested more than {MAX_DEPTH} levels deep; does an anchor hold itself?")
        self.lines[path] = line
        if isinstance(node, MappingNode) and node.tag == f"{PREFIX}map":
            return self._mapping(node, path)
        if isinstance(node, SequenceNode) and node.tag == f"{PREFIX}seq":
            return [self.value(item, (*path, index), _line(item)) for index, item in enumerate(node.value)]
        if isinstance(node, ScalarNode):
            return self._scalar(node, path, line)
        raise self._unknown_tag(node, path, line)

    def _mapping(self, node: MappingNode, path: FieldPath) -> JsonValue:
        fields: dict[str, JsonValue] = {}
        for key_node, value_node in node.value:
            line = _line(key_node)
            if not isinstance(key_node, ScalarNode):
                raise self._error(line, "a key must be a text; put it in quotes")
            key = str(key_node.value)
            inner = (*path, key)
            if key in fields:
                first = self.lines[inner]
                raise self._error(line, f"{path_text(inner)}: already stands on line {first}; remove one")
            fields[key] = self.value(value_node, inner, line)
        return fields

    def _scalar(self, node: ScalarNode, path: FieldPath, line: int) -> JsonValue:
        text = str(node.value)
        kind = str(node.tag).removeprefix(PREFIX)
        try:
            if kind in ("str", "null", "bool"):
                return {"null": None, "bool": text.casefold() == "true"}.get(kind, text)
            if kind in ("int", "float"):
                return _number(text, kind)
        except ValueError as error:
            reason = f"{text[:40]!r} is no number that JSON has; write a finite number, or put a text in quotes"
            raise self._error(line, f"{path_text(path)}: {reason}") from error
        raise self._unknown_tag(node, path, line)

    def _unknown_tag(self, node: Node, path: FieldPath, line: int) -> InvalidInput:
        return self._error(line, f"{path_text(path)}: the tag {node.tag} is not known here; remove it")

    def _error(self, line: int, text: str) -> InvalidInput:
        return InvalidInput(f"{self.name}:{line}: {text}")


def _number(text: str, kind: str) -> int | float:
    """The number, unless it is one that JSON has not: `.inf`, `.nan`, or too large."""
    if kind == "int":
        return int(text)
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number
