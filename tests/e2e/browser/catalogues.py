"""The UI's messages in both languages, to tell whether a text on a French page is still English."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PLACEHOLDER = re.compile(r"\{\{.*?\}\}")
# Shorter words are alike in many languages, or are parts of values.
FEWEST_LETTERS = 4


class Catalogues:
    """Reads the catalogues of a folder with one folder per language, one file per area."""

    def __init__(self, folder: Path) -> None:
        english, french = _messages(folder / "en"), _messages(folder / "fr")
        alike = set(french.values())
        self._keys = {key for name in english for key in (name, name.partition(":")[2]) if "." in key}
        self._english = [_pattern(text) for text in set(english.values()) - alike if _letters(text) >= FEWEST_LETTERS]
        self._french = [_pattern(text) for text in alike if _letters(text) >= FEWEST_LETTERS]

    def is_english(self, text: str) -> bool:
        """Whether it is an English message that no French one reads like."""
        return _matches(self._english, text) and not _matches(self._french, text)

    def is_key(self, text: str) -> bool:
        """Whether it is the name of a message, which shows where the message is missing."""
        return text in self._keys


def _messages(folder: Path) -> dict[str, str]:
    """Messages by their names, `area:group.name`."""
    return {
        f"{file.stem}:{name}": text
        for file in sorted(folder.glob("*.json"))
        for name, text in _leaves(json.loads(file.read_text(encoding="utf-8")))
    }


def _leaves(messages: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in messages.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _letters(text: str) -> int:
    return len(re.sub(r"[\W\d_]", "", PLACEHOLDER.sub("", text)))


def _pattern(text: str) -> re.Pattern[str]:
    """What the message reads like, whatever its values are."""
    return re.compile(".*".join(map(re.escape, PLACEHOLDER.split(text))), re.DOTALL)


def _matches(patterns: list[re.Pattern[str]], text: str) -> bool:
    return any(pattern.fullmatch(text) for pattern in patterns)
