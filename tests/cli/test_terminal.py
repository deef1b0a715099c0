import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.cli.terminal import console, one_line, plain, terminal, write_data


def test_nothing_in_a_text_commands_the_terminal() -> None:
    assert plain("a\x1b[31mb\u202ec\x07\x9bd\r\ud800") == "a�[31mb�c��d��"
    assert plain("tab\tline\né 日本") == "tab\tline\né 日本"


@given(st.text(), st.integers(2, 50))
def test_one_line_fits(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert line.split() == line.split(" ") or line == ""


def test_a_long_text_is_cut_with_a_sign() -> None:
    assert one_line("one two  three\nfour", 100) == "one two three four"
    assert one_line("abcdefgh", 5) == "abcd…"


def test_texts_are_shown_as_they_are() -> None:
    file = io.StringIO()
    console(width=80, file=file).print("[bold]x[/] :smile: 12")
    assert file.getvalue() == "[bold]x[/] :smile: 12\n"


def test_the_report_moves_when_data_takes_the_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    terminal(data_on_stdout=True).report.print("report")
    terminal().report.print("other")
    terminal().note("note")
    said = capsys.readouterr()
    assert (said.out, said.err) == ("other\n", "report\nnote\n")


def test_data_is_utf_8_whatever_the_terminal_is(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    write_data("é \ud800")
    assert raw.getvalue() == "é ".encode() + b"\\ud800"
