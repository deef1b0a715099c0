"""The rows are those that the standard library reads, with the lines on which cells begin."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.service.files import rows
from aloi.service.files.rows import RowFault, read_rows, write_row
from tests.service.files.strategies import TEXTS

TABLES = st.lists(st.lists(TEXTS, min_size=1, max_size=4), max_size=4)


def lines(content: str) -> io.StringIO:
    return io.StringIO(content, newline="")


@given(TABLES, st.sampled_from([",", ";", "\t"]), st.sampled_from(["\n", "\r\n"]))
def test_agrees_with_the_standard_library(table: list[list[str]], delimiter: str, end: str) -> None:
    stream = lines("")
    csv.writer(stream, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(table)
    read = [row.cells for row in read_rows(lines(stream.getvalue()), delimiter)]
    assert read == [row for row in csv.reader(lines(stream.getvalue()), delimiter=delimiter) if any(row)]


@given(TABLES)
def test_reads_back_what_it_writes(table: list[list[str]]) -> None:
    written = "".join(map(write_row, table))
    assert [row.cells for row in read_rows(lines(written), ",")] == [row for row in table if any(row)]


@given(st.text('ab",;\r\n'))
def test_any_text_is_rows_or_a_fault_with_its_line(content: str) -> None:
    try:
        for row in read_rows(lines(content), ","):
            assert row.line >= 1
    except RowFault as fault:
        assert 1 <= fault.line <= 1 + content.count("\n") + content.count("\r")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_cells_know_their_lines(end: str) -> None:
    content = end.join(['a,"one', 'two","x",y', "", "b,c"])
    first, second = read_rows(lines(content), ",")
    assert first.cells == ["a", f"one{end}two", "x", "y"]
    assert [first.line_of(cell) for cell in range(4)] == [1, 1, 2, 2]
    assert (second.line, second.line_of(1)) == (4, 4)


def test_a_quote_inside_an_unquoted_cell_is_text() -> None:
    (row,) = read_rows(['5" screen,"a ""b"" c",\n'], ",")
    assert row.cells == ['5" screen', 'a "b" c', ""]


def test_an_open_quote_is_named_where_it_opens() -> None:
    with pytest.raises(RowFault, match="never closed") as caught:
        list(read_rows(["a,b\n", 'c,"d\n', "e,f\n"], ","))
    assert (caught.value.line, caught.value.cell) == (2, 1)


def test_text_behind_a_closing_quote_is_refused() -> None:
    with pytest.raises(RowFault, match="text follows the closing quote") as caught:
        list(read_rows(['a,"b"c\n'], ","))
    assert (caught.value.line, caught.value.cell) == (1, 1)


def test_a_cell_beyond_the_bound_is_refused_where_it_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "MAX_CELL", 100)
    assert list(read_rows([f'"{"a" * 99}"\n'], ","))
    with pytest.raises(RowFault, match="more than 100 characters; is its quote closed") as caught:
        list(read_rows(['a,"\n', *["b" * 60 + "\n"] * 3], ","))
    assert caught.value.line == 1
