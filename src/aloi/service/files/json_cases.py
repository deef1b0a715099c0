"""Cases in JSON and JSONL files.

JSON: a list of cases, or `{"cases": [...]}`. JSONL: one case per line. The keys of a case are those of
`aloi.core.case.Case` without `id` and `source`; `prompt` may be written for an `input` that is text.
"""

from collections.abc import Iterable, Iterator
from json import JSONDecodeError

from pydantic import JsonValue

from aloi.core.case import Case
from aloi.core.errors import InvalidInput
from aloi.service.files.case_fields import Placed, case_of, fields_of, keys_once
from aloi.service.files.cases_file import CasesFile
from aloi.service.files.faults import MAPPING, Fault, Faulty, fault_line
from aloi.service.files.json_cursor import JsonCursor
from aloi.service.files.json_text import read_json, write_json
from aloi.service.files.text import Source, open_text


def read_json_cases(source: Source, name: str) -> CasesFile:
    """The cases of a JSON file. The text is held whole, the cases are made as they are asked for.

    Raises:
        InvalidInput: `cases.json:7:12: ...` (line and column) for what is not JSON, and
            `cases.json:7: [3].tags: ...` (the line on which the case begins, its position from 0) for a case.
    """
    with open_text(source, name) as stream:
        text = stream.read()
    if not text.strip():
        raise InvalidInput(f'{name}: the file is empty; write a list of cases, e.g. [{{"prompt": "..."}}]')
    return CasesFile(keys_once(_json(JsonCursor(text, name)), name))


def read_jsonl_cases(source: Source, name: str) -> CasesFile:
    """The cases of a JSONL file, read line by line as they are asked for; blank lines are left out.

    Raises:
        InvalidInput: `cases.jsonl:7:12: ...` for a line that is not JSON, `cases.jsonl:7: tags: ...` for a case.
    """
    return CasesFile(keys_once(_jsonl(source, name), name))


def _jsonl(source: Source, name: str) -> Iterator[Placed]:
    with open_text(source, name) as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield Placed(number, _case(_jsonl_value(line, number, name), f"{name}:{number}"))


def _jsonl_value(line: str, number: int, name: str) -> JsonValue:
    try:
        return read_json(line)
    except JSONDecodeError as error:
        raise InvalidInput(f"{name}:{number}:{error.pos + 1}: this is not JSON: {error.msg}") from error
    except ValueError as error:
        raise InvalidInput(f"{name}:{number}: {error}") from error


def _json(cursor: JsonCursor) -> Iterator[Placed]:
    """The cases of the one list in the text, which may stand in an object under `cases`."""
    wrapped = cursor.peek() == "{"
    if wrapped:
        cursor.at += 1
        if cursor.peek() == "}" or cursor.value() != "cases":
            raise cursor.error('the outer object has one key, "cases", with the list of cases')
        cursor.take(":", "a colon was expected")
    if cursor.peek() != "[":
        raise cursor.error('cases must be a list, e.g. [{"prompt": "..."}] or {"cases": [{"prompt": "..."}]}')
    for index, (line, value) in enumerate(_elements(cursor)):
        yield Placed(line, _case(value, f"{cursor.name}:{line}", (index,)))
    if wrapped:
        cursor.take("}", 'only "cases" stands in the outer object')
    if cursor.peek():
        raise cursor.error("there is more after the end; one file holds one list")


def _elements(cursor: JsonCursor) -> Iterator[tuple[int, JsonValue]]:
    cursor.at += 1
    empty = cursor.peek() == "]"
    while not empty:
        cursor.peek()
        yield cursor.line(), cursor.value()
        if cursor.peek() != ",":
            break
        cursor.at += 1
    cursor.take("]", "a comma or a closing bracket was expected")


def _case(value: JsonValue, where: str, path: tuple[int, ...] = ()) -> Case:
    try:
        if not isinstance(value, dict):
            raise Faulty(Fault((), MAPPING))
        return case_of(value)
    except Faulty as error:
        fault = error.faults[0]
        raise InvalidInput(f"{where}: {fault_line(Fault((*path, *fault.path), fault.text))}") from error


def write_json_cases(cases: Iterable[Case]) -> Iterator[str]:
    """The cases as a JSON list with one case per line."""
    opening = "[\n"
    for case in cases:
        yield opening + write_json(fields_of(case))
        opening = ",\n"
    yield "[]\n" if opening == "[\n" else "\n]\n"


def write_jsonl_cases(cases: Iterable[Case]) -> Iterator[str]:
    """The cases as JSONL: one per line."""
    for case in cases:
        yield write_json(fields_of(case)) + "\n"
