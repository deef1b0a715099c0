"""Files of cases: CSV, JSON and JSONL in, and the same out."""

from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

from aloi.core.case import Case
from aloi.core.errors import InvalidInput
from aloi.service.files.cases_file import CasesFile
from aloi.service.files.csv_cases import READERS, read_csv, write_csv
from aloi.service.files.json_cases import read_json_cases, read_jsonl_cases, write_json_cases, write_jsonl_cases
from aloi.service.files.text import Source

__all__ = ["CasesFile", "CasesFormat", "cases_format", "read_cases", "unknown_columns_text", "write_cases"]

CasesFormat = Literal["csv", "json", "jsonl"]

SUFFIXES: dict[str, CasesFormat] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
READ: dict[CasesFormat, Callable[[Source, str], CasesFile]] = {
    "csv": read_csv,
    "json": read_json_cases,
    "jsonl": read_jsonl_cases,
}
WRITE: dict[CasesFormat, Callable[[Iterable[Case]], Iterator[str]]] = {
    "csv": write_csv,
    "json": write_json_cases,
    "jsonl": write_jsonl_cases,
}


def cases_format(name: str) -> CasesFormat:
    """The format that a file's name says.

    Raises:
        InvalidInput: it says none that is known.
    """
    found = SUFFIXES.get(Path(name).suffix.lower())
    if found is None:
        raise InvalidInput(f"{name}: the name does not end in a known format; use one of {', '.join(SUFFIXES)}")
    return found


def read_cases(source: Source, name: str = "") -> CasesFile:
    """The cases of a file, by the format that its name ends in.

    Args:
        source: its path, or its content.
        name: what it is called; default the last part of the path.

    Raises:
        InvalidInput: it cannot be used; the message names the file, the line, the column or field, and the mend.
            Raised at once for the encoding and the header, and while iterating for a case.
    """
    shown = name or (source.name if isinstance(source, Path) else "")
    return READ[cases_format(shown)](source, shown)


def write_cases(cases: Iterable[Case], file_format: CasesFormat) -> Iterator[str]:
    """The text of a file that `read_cases` gives the same cases back for (but `id` and `source`), in pieces.

    To be encoded as UTF-8, without translating line ends.
    """
    return WRITE[file_format](cases)


def unknown_columns_text(columns: Iterable[str]) -> str:
    """`expected_ouput (did you mean expected_output?), notes`: columns that were left out, for a warning."""
    return ", ".join(_with_nearest(column) for column in columns)


def _with_nearest(column: str) -> str:
    near = get_close_matches(column.casefold().replace(" ", "_"), READERS, 1)
    return f"{column} (did you mean {near[0]}?)" if near else column
