"""CSV text as rows of cells (RFC 4180), each with the line of the file it stands on.

Not the standard library's reader: its limit on a cell's size is one setting for the whole process, and its errors
name neither the cell nor the line on which a quote was opened.
"""

import re
from collections.abc import Iterable, Iterator

QUOTE = '"'
MAX_CELL = 16 * 1024 * 1024
ENDS = "\r\n"
NEEDS_QUOTES = re.compile('[",;\t\r\n]')


class RowFault(ValueError):
    """A row that is not CSV: its line, the position of the cell (from 0), and the reason with the mend."""

    def __init__(self, line: int, cell: int, text: str) -> None:
        super().__init__(text)
        self.line = line
        self.cell = cell
        self.text = text


class Row:
    """The cells of one row; `line` is where it begins, counted from 1."""

    def __init__(self, line: int, cells: list[str], lines: list[int] | None = None) -> None:
        self.line = line
        self.cells = cells
        self._lines = lines

    def line_of(self, cell: int) -> int:
        """The line on which a cell begins: not the row's when a cell before it has line ends inside."""
        return self._lines[cell] if self._lines and cell < len(self._lines) else self.line


def read_rows(lines: Iterable[str], delimiter: str) -> Iterator[Row]:
    """The rows of a CSV text, one at a time; blank rows are left out.

    Args:
        lines: with their ends (`\\n`, `\\r\\n` or `\\r`) as they are.
        delimiter: one character.

    Raises:
        RowFault: a quote is never closed, text follows a closing quote, or a cell is too large.
    """
    numbered = enumerate(lines, start=1)
    for number, text in numbered:
        body = text.rstrip(ENDS)
        if QUOTE in body:
            row = _QuotedRow(numbered, number, text, delimiter).read()
        else:
            row = Row(number, body.split(delimiter))
        if any(row.cells):
            yield row


class _QuotedRow:
    """Reads one row that has quotes in it, taking further lines as its cells need them."""

    def __init__(self, numbered: Iterator[tuple[int, str]], line: int, text: str, delimiter: str) -> None:
        self.numbered = numbered
        self.first = self.line = line
        self.text = text
        self.delimiter = delimiter
        self.at = 0
        self.cells: list[str] = []
        self.lines: list[int] = []

    def read(self) -> Row:
        while True:
            self.lines.append(self.line)
            self.cells.append(self._quoted() if self.text.startswith(QUOTE, self.at) else self._plain())
            rest = self.text[self.at : self.at + 1]
            if rest in ("", "\r", "\n"):
                return Row(self.first, self.cells, self.lines)
            if rest != self.delimiter:
                raise self._fault("text follows the closing quote; write a quote inside a cell twice", self.line)
            self.at += 1

    def _plain(self) -> str:
        end = self.text.find(self.delimiter, self.at)
        if end < 0:
            end = len(self.text.rstrip(ENDS))
        cell = self.text[self.at : end]
        self.at = end
        return cell

    def _quoted(self) -> str:
        parts: list[str] = []
        size = 0
        opened = self.line
        self.at += 1
        while True:
            end = self.text.find(QUOTE, self.at)
            part = self.text[self.at : end + 1 if end >= 0 else None]
            parts.append(part)
            size += len(part)
            if size > MAX_CELL:
                raise self._fault(f"the cell has more than {MAX_CELL:,} characters; is its quote closed?", opened)
            if end < 0:
                self._next_line(opened)
            elif self.text.startswith(QUOTE, end + 1):
                self.at = end + 2
            else:
                self.at = end + 1
                return "".join(parts)[:-1]

    def _next_line(self, opened: int) -> None:
        self.line, self.text = next(self.numbered, (0, ""))
        self.at = 0
        if not self.line:
            raise self._fault("the quote that opens this cell is never closed; close it, or write it twice", opened)

    def _fault(self, text: str, line: int) -> RowFault:
        return RowFault(line, len(self.lines) - 1, text)


def write_row(cells: Iterable[str]) -> str:
    """One row with commas and CRLF; cells are quoted where they need it."""
    return ",".join(map(_written, cells)) + "\r\n"


def _written(cell: str) -> str:
    return f'"{cell.replace(QUOTE, QUOTE * 2)}"' if NEEDS_QUOTES.search(cell) else cell
