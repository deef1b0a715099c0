"""JSON text as a value, with the line of every part of it."""

from pydantic import JsonValue

from aloi.core.errors import InvalidInput
from aloi.service.files.faults import FieldPath, path_text
from aloi.service.files.json_cursor import JsonCursor
from aloi.service.suites.document import Document

MAX_DEPTH = 100


def read_json_document(text: str, name: str) -> Document:
    """The value of a JSON text.

    Raises:
        InvalidInput: `suite.json:3:7: ...` (line and column): it is not JSON, or is nested too deeply;
            `suite.json:3: judge.model: ...`: a key stands twice.
    """
    reader = _Reader(JsonCursor(text, name))
    value = reader.value(())
    if reader.cursor.peek():
        raise reader.cursor.error("there is more after the end; one file holds one suite")
    return Document(value, reader.lines)


class _Reader:
    """Walks the containers of a JSON text and writes down where each part stands."""

    def __init__(self, cursor: JsonCursor) -> None:
        self.cursor = cursor
        self.lines: dict[FieldPath, int] = {}

    def value(self, path: FieldPath) -> JsonValue:
        opening = self.cursor.peek()
        self.lines.setdefault(path, self.cursor.line())
        if len(path) > MAX_DEPTH:
            raise self.cursor.error(f"it is nested more than {MAX_DEPTH} levels deep; flatten it")
        if opening == "{":
            return self._object(path)
        return self._array(path) if opening == "[" else self.cursor.value()

    def _object(self, path: FieldPath) -> JsonValue:
        fields: dict[str, JsonValue] = {}
        while self._more("}", first=not fields):
            inner = (*path, self._key())
            line = self.cursor.line()
            if inner in self.lines:
                first = self.lines[inner]
                raise InvalidInput(
                    f"{self.cursor.name}:{line}: {path_text(inner)}: already stands on line {first}; remove one"
                )
            self.lines[inner] = line
            self.cursor.take(":", "a colon was expected")
            fields[str(inner[-1])] = self.value(inner)
        return fields

    def _key(self) -> str:
        if self.cursor.peek() != '"':
            raise self.cursor.error("a key in double quotes was expected")
        return str(self.cursor.value())

    def _array(self, path: FieldPath) -> JsonValue:
        items: list[JsonValue] = []
        while self._more("]", first=not items):
            items.append(self.value((*path, len(items))))
        return items

    def _more(self, closing: str, first: bool) -> bool:
        """Whether another part follows; moves behind the bracket, comma or closing bracket that says so."""
        if first:
            self.cursor.at += 1
        if self.cursor.peek() == closing:
            self.cursor.at += 1
            return False
        if not first:
            self.cursor.take(",", f"a comma or {closing} was expected")
        return True
