"""The project's Markdown pages, cut into what can be checked: links and fenced blocks."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^(?P<mark>(?:<!-- (?P<word>\w+) -->\n)?)```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


class Block(NamedTuple):
    """A fenced block: its page and line, its language, the word of a comment right above it, and its text."""

    page: Path
    line: int
    language: str
    word: str | None
    text: str

    @property
    def name(self) -> str:
        """`docs/how-to/ci.md:12`."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """Every page for readers."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(*languages: str) -> list[Block]:
    """The fenced blocks in these languages, of all pages."""
    return [block for page in pages() for block in blocks_of(page, page.read_text(encoding="utf-8"), languages)]


def blocks_of(page: Path, text: str, languages: tuple[str, ...]) -> Iterator[Block]:
    """The fenced blocks of one page."""
    for found in FENCE.finditer(text):
        if found["language"] in languages:
            line = text.count("\n", 0, found.end("mark")) + 1
            yield Block(page, line, found["language"], found["word"], found["text"])


def links(text: str) -> list[str]:
    """Where a page's links lead, code left out."""
    return LINK.findall(re.sub(r"`[^`\n]*`", "", FENCE.sub("", text)))


def anchors(text: str) -> set[str]:
    """The names of a page's headings, as links use them."""
    heads = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.M)
    return {re.sub(r"[^\w\- ]", "", head).strip().lower().replace(" ", "-") for head in heads}
