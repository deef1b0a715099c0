"""Cases in CSV files.

Columns: `key`, `name`, `prompt` (or `input`, or `input.FIELD` for each field of an object), `expected_output`,
`expected_behavior`, `assertions`, `tags`, `enabled`, `status`, `evaluators` (a JSON array of specs), `criteria` and
`simulations` (JSON objects), `attachments` (a JSON array of files that the workspace has, as an export writes it). A
blank cell leaves its field at the default. What a cell means is ruled in `cells`.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from pydantic import JsonValue

from aloi.core.case import Case
from aloi.core.errors import InvalidInput
from aloi.core.spec import JsonObject
from aloi.service.files.case_fields import Placed, case_of, fields_of, keys_once
from aloi.service.files.cases_file import CasesFile
from aloi.service.files.cells import (
    ANY,
    TEXT,
    TEXT_OR_OBJECT,
    read_array,
    read_cell,
    read_flag,
    read_object,
    read_texts,
    write_cell,
)
from aloi.service.files.faults import Faulty, path_text
from aloi.service.files.json_text import write_json
from aloi.service.files.rows import Row, RowFault, read_rows, write_row
from aloi.service.files.text import Source, open_text

DELIMITERS = (",", ";", "\t")
INPUT_FIELD = "input."

Read = Callable[[str], JsonValue]


def _plain(cell: str) -> JsonValue:
    return cell or None


def _word(cell: str) -> JsonValue:
    return cell.strip().casefold() or None


def _prompt(cell: str) -> JsonValue:
    return cell if cell.strip() else None


READERS: dict[str, Read] = {
    "key": _plain,
    "name": _plain,
    "prompt": _prompt,
    "input": partial(read_cell, takes=TEXT_OR_OBJECT),
    "expected_output": partial(read_cell, takes=ANY),
    "expected_behavior": partial(read_cell, takes=TEXT),
    "assertions": read_texts,
    "tags": read_texts,
    "enabled": read_flag,
    "status": _word,
    "evaluators": read_array,
    "criteria": read_object,
    "simulations": read_object,
    "attachments": read_array,
}


class Header(NamedTuple):
    """The columns of a file: by position the field's name, or null for a column that no field takes."""

    delimiter: str
    names: tuple[str | None, ...]
    unknown: tuple[str, ...]

    def name_of(self, cell: int) -> str:
        """What to call the column in a message."""
        name = self.names[cell] if cell < len(self.names) else None
        return f"column {name}" if name else f"column {cell + 1}"


def read_csv(source: Source, name: str) -> CasesFile:
    """The cases of a CSV file: UTF-8 or UTF-16, with `,` `;` or tab between cells (seen from the header), any line end.

    The header is read at once and the rows as they are asked for.

    Raises:
        InvalidInput: at once, or when its row is reached: `cases.csv:7: column tags: ...`.
    """
    header = _read_header(source, name)
    return CasesFile(keys_once(_read_cases(source, name, header), name), header.unknown)


def _read_header(source: Source, name: str) -> Header:
    with open_text(source, name) as lines:
        first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise InvalidInput(f"{name}: the file is empty; its first line names the columns, e.g. key,prompt")
    delimiter = max(DELIMITERS, key=lambda mark: len(_known_names(first, mark)))
    with open_text(source, name) as lines:
        row = next(_rows(lines, name, Header(delimiter, (), ())))
    titles = [cell.strip() for cell in row.cells]
    while titles and not titles[-1]:
        titles.pop()
    names = [_field(title) for title in titles]
    _check_header(f"{name}:{row.line}", titles, names)
    unknown = [title or f"column {i + 1}" for i, title in enumerate(titles) if names[i] is None]
    return Header(delimiter, tuple(names), tuple(unknown))


def _known_names(line: str, delimiter: str) -> list[str]:
    return [name for title in line.split(delimiter) if (name := _field(title.strip().strip('"').strip()))]


def _field(title: str) -> str | None:
    """The field that a column's title names; the case of letters does not count, but in an input's own field."""
    if title.casefold().startswith(INPUT_FIELD) and len(title) > len(INPUT_FIELD):
        return INPUT_FIELD + title[len(INPUT_FIELD) :]
    return title.casefold() if title.casefold() in READERS else None


def _check_header(where: str, titles: list[str], names: list[str | None]) -> None:
    seen: set[str] = set()
    for title in titles:
        name = _field(title) or title
        if name and name in seen:
            raise InvalidInput(f"{where}: column {title}: stands twice in the header; rename or remove one")
        seen.add(name)
    if not any(name in ("prompt", "input") or (name or "").startswith(INPUT_FIELD) for name in names):
        given = ", ".join(title for title in titles if title)
        raise InvalidInput(f"{where}: there is no column prompt (or input, or input.FIELD); the columns are: {given}")


def _rows(lines: Iterable[str], name: str, header: Header) -> Iterator[Row]:
    try:
        yield from read_rows(lines, header.delimiter)
    except RowFault as fault:
        raise InvalidInput(f"{name}:{fault.line}: {header.name_of(fault.cell)}: {fault.text}") from fault


def _read_cases(source: Source, name: str, header: Header) -> Iterator[Placed]:
    with open_text(source, name) as lines:
        rows = _rows(lines, name, header)
        next(rows)
        for row in rows:
            yield Placed(row.line, _case(row, name, header))


def _case(row: Row, name: str, header: Header) -> Case:
    fields, at = _fields(row, name, header)
    try:
        return case_of(fields)
    except Faulty as error:
        fault = error.faults[0]
        column, inside = str(fault.path[0]) if fault.path else "", path_text(fault.path[1:])
        text = f"{inside}: {fault.text}" if inside else fault.text
        where = f"{name}:{row.line_of(at.get(column, 0))}"
        raise InvalidInput(f"{where}: column {column}: {text}" if column else f"{where}: {text}") from error


def _fields(row: Row, name: str, header: Header) -> tuple[JsonObject, dict[str, int]]:
    """The fields of a row that say something, and the position of the cell that each comes from."""
    fields: JsonObject = {}
    parts: JsonObject = {}
    at: dict[str, int] = {}
    for index, cell in enumerate(row.cells):
        column = header.names[index] if index < len(header.names) else None
        value = _value(row, index, name, header) if column else None
        if index >= len(header.names) and cell.strip():
            raise _error(row, index, name, header, "there is no such column; quote a cell that has the delimiter in it")
        if column is None or value is None:
            continue
        if column.startswith(INPUT_FIELD):
            parts[column[len(INPUT_FIELD) :]] = value
            at.setdefault("input", index)
        else:
            fields[column] = value
            at[column] = index
    given = [*(key for key in ("prompt", "input") if key in fields), *(["input.FIELD"] if parts else [])]
    if len(given) != 1:
        position = next(i for i, column in enumerate(header.names) if column and column.startswith(("prompt", "input")))
        twice = f"{' and '.join(given)} are both set; a case has one of them"
        raise _error(row, position, name, header, twice if given else "is blank; a case needs a prompt or an input")
    if parts:
        fields["input"] = parts
    return fields, at


def _value(row: Row, index: int, name: str, header: Header) -> JsonValue:
    column = header.names[index] or ""
    read = READERS["expected_output"] if column.startswith(INPUT_FIELD) else READERS[column]
    try:
        return read(row.cells[index])
    except ValueError as error:
        raise _error(row, index, name, header, str(error)) from error


def _error(row: Row, index: int, name: str, header: Header, text: str) -> InvalidInput:
    return InvalidInput(f"{name}:{row.line_of(index)}: {header.name_of(index)}: {text}")


def write_csv(cases: Iterable[Case]) -> Iterator[str]:
    """The cases as CSV, line by line: UTF-8 text with commas and CRLF, which `read_csv` gives the same cases back for.

    A column is there when some case has it, so all cases are seen before the first line goes out. Cells are not
    guarded against being read as formulas: the file is for reading back.
    """
    rows = [_cells(case) for case in cases]
    used = {column for row in rows for column in row}
    columns = [column for column in READERS if column in used] or ["key", "prompt"]
    yield write_row(columns)
    for row in rows:
        yield write_row(row.get(column, "") for column in columns)


def _cells(case: Case) -> dict[str, str]:
    fields = fields_of(case)
    prompt = fields.get("prompt")
    if isinstance(prompt, str) and not prompt.strip():
        fields["input"] = fields.pop("prompt")
    return {column: _cell(column, value) for column, value in fields.items()}


def _cell(column: str, value: JsonValue) -> str:
    if column in ("key", "name", "prompt", "status"):
        return str(value)
    takes = {"input": TEXT_OR_OBJECT, "expected_output": ANY, "expected_behavior": TEXT}.get(column)
    return write_json(value) if takes is None else write_cell(value, takes)
