"""Between the text of a CSV cell and the value it stands for.

One rule for every column that is more than plain text. A cell is read as JSON when that gives a value of a type the
column takes; everything else is text as it stands. So in `expected_output`, `5` is a number and `five` a text. A text
that would be read as something else is written as a JSON string: the cell `"5"` (with its quotes) is the text 5, and
`""` the empty text. A cell in quotes whose inside needs none stays as it is, quotes included. This makes
reading what was written the identity, for every value.
"""

import re
from json import JSONDecodeError

from pydantic import JsonValue

from aloi.service.files.json_text import DuplicateKey, read_json, write_json

Types = tuple[type, ...]

TEXT: Types = ()
TEXT_OR_OBJECT: Types = (dict,)
ANY: Types = (dict, list, int, float, bool, type(None))

LINES = re.compile(r"\r\n|\r|\n")
FLAGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def read_cell(cell: str, takes: Types) -> JsonValue:
    """The value of a cell in a column that takes text and these JSON types; a blank cell is null.

    Raises:
        ValueError: the cell is a JSON object with a key twice.
    """
    if not cell.strip():
        return None
    try:
        value = read_json(cell)
    except DuplicateKey:
        raise
    except ValueError:
        return cell
    if isinstance(value, str):
        return cell if _reads_as_itself(value, takes) else value
    return value if isinstance(value, takes) else cell


def write_cell(value: JsonValue, takes: Types) -> str:
    """The cell that `read_cell` gives the value back for; null is blank."""
    if value is None:
        return ""
    plain = isinstance(value, str) and _reads_as_itself(value, takes)
    return str(value) if plain else write_json(value)


def _reads_as_itself(text: str, takes: Types) -> bool:
    try:
        return read_cell(text, takes) == text
    except DuplicateKey:
        return False


def read_texts(cell: str) -> JsonValue:
    """A list of texts: a JSON array of them, or one per line with blank lines left out.

    Raises:
        ValueError: it begins like a JSON array of texts and is none.
    """
    stripped = cell.strip()
    if not re.match(r'\[\s*["\]]', stripped):
        return [line.strip() for line in LINES.split(cell) if line.strip()]
    value = _json(stripped)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("must be a JSON array of texts, or one text per line")
    return value


def read_array(cell: str) -> JsonValue:
    """The JSON array of a cell; a blank cell is null.

    Raises:
        ValueError: it is not JSON, or JSON of another type.
    """
    value = _json(cell) if cell.strip() else None
    if not isinstance(value, list | None):
        raise ValueError("must be a JSON array")
    return value


def read_object(cell: str) -> JsonValue:
    """The JSON object of a cell; a blank cell is null.

    Raises:
        ValueError: it is not JSON, or JSON of another type.
    """
    value = _json(cell) if cell.strip() else None
    if not isinstance(value, dict | None):
        raise ValueError("must be a JSON object")
    return value


def _json(cell: str) -> JsonValue:
    try:
        return read_json(cell)
    except JSONDecodeError as error:
        raise ValueError(f"is not JSON at character {error.pos + 1} of the cell: {error.msg}") from error


def read_flag(cell: str) -> JsonValue:
    """True or false (also yes, no, 1, 0; case does not count); a blank cell is null.

    Raises:
        ValueError: it is neither.
    """
    word = cell.strip().casefold()
    if word and word not in FLAGS:
        raise ValueError(f"must be true or false, not {cell!r}")
    return FLAGS.get(word)
