import io
import sys
from pathlib import Path

import pytest

from aloi.cli.given import given_json, given_object, given_parameters, given_text
from aloi.core.errors import InvalidInput
from aloi.core.spec import JsonObject

SCHEMA: JsonObject = {
    "properties": {
        "text": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "threshold": {"type": "number"},
        "expected": {},
    }
}


def test_a_text_is_itself_a_file_or_the_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfPar\xc3\xads\r\n")
    assert given_text("--output", "Paris") == "Paris"
    assert given_text("--output", f"@{tmp_path / 'a.txt'}") == "París\r\n"
    for value in (None, "-"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"piped")))
        assert given_text("--output", value) == "piped"


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"--output: .*no\.txt cannot be read: No such file"):
        given_text("--output", f"@{tmp_path / 'no.txt'}")
    (tmp_path / "latin").write_bytes(b"caf\xe9")
    with pytest.raises(InvalidInput, match=r"is not UTF-8 \(byte 3\)"):
        given_text("--output", f"@{tmp_path / 'latin'}")


def test_json_that_is_none_is_refused_with_its_place() -> None:
    assert given_json("--tool-calls", '[{"tool": "a"}]') == [{"tool": "a"}]
    with pytest.raises(InvalidInput, match=r"--tool-calls is not JSON: .* at line 1, column 2"):
        given_json("--tool-calls", "[nope]")
    with pytest.raises(InvalidInput, match="NaN"):
        given_json("--tool-calls", "NaN")
    with pytest.raises(InvalidInput, match="--case must be a JSON object"):
        given_object("--case", "[]")


def test_parameters_are_read_as_their_schema_wants() -> None:
    found = given_parameters(["text=391", "threshold=0.5", "expected=391", "unknown=x=y"], SCHEMA)
    assert found == {"text": "391", "threshold": 0.5, "expected": 391, "unknown": "x=y"}
    assert given_parameters(["expected=not json"], SCHEMA) == {"expected": "not json"}


@pytest.mark.parametrize("pairs", [["text"], ["=x"], ["text=a", "text=b"]])
def test_wrong_parameters(pairs: list[str]) -> None:
    with pytest.raises(InvalidInput, match="--param"):
        given_parameters(pairs, SCHEMA)
