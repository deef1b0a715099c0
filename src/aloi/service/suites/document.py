"""A suite file's content as a value, with the line of every part of it."""

from collections.abc import Mapping
from typing import NamedTuple

from pydantic import JsonValue

from aloi.service.files.faults import FieldPath


class Document(NamedTuple):
    """The value of a file and, by the path of each part, the line on which it is written (from 1)."""

    value: JsonValue
    lines: Mapping[FieldPath, int]

    def line_of(self, path: FieldPath) -> int:
        """The line of the part at a path, or of the innermost part around it that is there."""
        known = next((path[:size] for size in range(len(path), 0, -1) if path[:size] in self.lines), ())
        return self.lines.get(known, 1)

    def shown(self, path: FieldPath) -> FieldPath:
        """A path that pydantic gives, without the names of the readings it tried, which no file has."""
        kept: FieldPath = ()
        value = self.value
        for position, part in enumerate(path):
            inner = (*kept, part)
            if inner in self.lines:
                kept, value = inner, _part(value, part)
            elif position == len(path) - 1 and isinstance(value, dict):
                kept = inner
        return kept


def _part(value: JsonValue, part: str | int) -> JsonValue:
    if isinstance(value, dict):
        return value[str(part)]
    return value[part] if isinstance(value, list) and isinstance(part, int) else None
