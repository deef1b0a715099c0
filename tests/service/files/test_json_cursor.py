"""A cursor moves through JSON and knows where it is."""

import pytest

from aloi.core.errors import InvalidInput
from aloi.service.files.json_cursor import JsonCursor


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_moves_and_counts_lines(end: str) -> None:
    cursor = JsonCursor(f"[1,{end} {end}\t2 ]", "c.json")
    cursor.take("[", "no list")
    assert (cursor.value(), cursor.line()) == (1, 1)
    cursor.take(",", "no comma")
    assert (cursor.value(), cursor.line()) == (2, 3)
    cursor.take("]", "no end")
    assert cursor.peek() == ""


def test_errors_name_line_and_column() -> None:
    cursor = JsonCursor('["a",\n  oops]', "c.json")
    cursor.take("[", "no list")
    with pytest.raises(InvalidInput, match=r"^c\.json:1:2: no brace$"):
        cursor.take("{", "no brace")
    assert cursor.value() == "a"
    cursor.take(",", "no comma")
    with pytest.raises(InvalidInput, match=r"^c\.json:2:3: this is not JSON: Expecting value$"):
        cursor.value()
