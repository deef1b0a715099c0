"""Every format gives back what it was given, and a name decides the format."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.case import Case
from aloi.core.errors import InvalidInput
from aloi.service.files import CasesFormat, cases_format, read_cases, unknown_columns_text, write_cases
from tests.service.files.strategies import CASE_LISTS

FORMATS: tuple[CasesFormat, ...] = ("csv", "json", "jsonl")
EXAMPLE = Path(__file__).parents[3] / "examples" / "cases.csv"


@pytest.mark.parametrize("file_format", FORMATS)
@given(data=st.data())
def test_what_is_written_is_read_back(file_format: CasesFormat, data: st.DataObject) -> None:
    cases = data.draw(CASE_LISTS)
    written = "".join(write_cases(cases, file_format))
    assert list(read_cases(written.encode(), f"x.{file_format}").cases) == cases


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@given(cases=CASE_LISTS)
def test_every_encoding_gives_the_same(encoding: str, cases: list[Case]) -> None:
    written = "".join(write_cases(cases, "csv"))
    assert list(read_cases(written.encode(encoding), "x.csv").cases) == cases


@pytest.mark.parametrize("file_format", FORMATS)
def test_an_export_names_neither_id_nor_source(file_format: CasesFormat) -> None:
    case = Case(id="01a", key="k", input="p")
    written = "".join(write_cases([case], file_format))
    assert "01a" not in written
    (read,) = read_cases(written.encode(), f"x.{file_format}").cases
    assert (read.id, read.source.kind) == ("", "import")


def test_the_example_reads() -> None:
    fenetre, somme, struct = read_cases(EXAMPLE).cases
    assert fenetre.assertions == ("Mentionne 30 jours", "Moins de 50 mots")
    assert (fenetre.input, fenetre.tags) == ("Quelle est la fenêtre de remboursement ?", ("fr",))
    assert somme.expected_output == 391
    assert struct.expected_output == {"name": "Ada", "age": 36}


def test_a_name_decides_the_format() -> None:
    assert [cases_format(name) for name in ("a.CSV", "a.tsv", "a.json", "b.ndjson")] == ["csv", "csv", "json", "jsonl"]
    with pytest.raises(InvalidInput, match=r"cases\.xlsx: .* use one of \.csv"):
        read_cases(b"", "cases.xlsx")


def test_the_name_defaults_to_the_files(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("key\n1\n")
    with pytest.raises(InvalidInput, match=r"^mine\.csv:1: "):
        read_cases(tmp_path / "mine.csv")


def test_unknown_columns_come_with_the_nearest_known_one() -> None:
    assert unknown_columns_text(("Expected ouput", "zzz")) == "Expected ouput (did you mean expected_output?), zzz"
