"""A place in a JSON text that moves forward, and knows its line."""

import re
from json import JSONDecodeError

from pydantic import JsonValue

from aloi.core.errors import InvalidInput
from aloi.service.files.json_text import DECODER

BLANK = re.compile(r"[ \t\r\n]*")
LINE_END = re.compile(r"\r\n|\r|\n")


class JsonCursor:
    """Reads a JSON text part by part; errors name the file, the line and the column."""

    def __init__(self, text: str, name: str) -> None:
        self.text = LINE_END.sub("\n", text)
        self.name = name
        self.at = 0
        self._line = 1
        self._counted = 0

    def peek(self) -> str:
        """The next character that is not blank, moved to but not taken; an empty text at the end."""
        found = BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def take(self, wanted: str, otherwise: str) -> None:
        """Move behind the character that must come next.

        Raises:
            InvalidInput: another one comes; `otherwise` says what is wrong then.
        """
        if self.peek() != wanted:
            raise self.error(otherwise)
        self.at += 1

    def value(self) -> JsonValue:
        """The value that begins here, of any size; moves behind it.

        Raises:
            InvalidInput: it is not JSON, or JSON that is refused (see `json_text`).
        """
        self.peek()
        try:
            value, self.at = DECODER.raw_decode(self.text, self.at)
        except JSONDecodeError as error:
            self.at = error.pos
            raise self.error(f"this is not JSON: {error.msg}") from error
        except RecursionError as error:
            raise self.error("it is nested too deeply; flatten it") from error
        except ValueError as error:
            raise InvalidInput(f"{self.name}:{self.line()}: {error}") from error
        return value

    def line(self) -> int:
        """The line of this place, from 1; what was counted before is not counted again."""
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line

    def error(self, text: str) -> InvalidInput:
        """`cases.json:7:12: ...` for this place."""
        column = self.at - (self.text.rfind("\n", 0, self.at) + 1) + 1
        return InvalidInput(f"{self.name}:{self.line()}:{column}: {text}")
