import os
from pathlib import Path

import pytest

from aloi.cli.outputs import Outputs, open_text
from aloi.core.errors import InvalidInput


def test_good_places(tmp_path: Path) -> None:
    Outputs().check()
    Outputs((("junit", "-"), ("json", str(tmp_path / "new.json")))).check()
    assert not (tmp_path / "new.json").exists()
    assert Outputs((("csv", "-"),)).on_stdout
    assert not Outputs((("csv", "x.csv"),)).on_stdout


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"--junit .*the folder .* does not exist; make it first"):
        Outputs((("junit", str(tmp_path / "no" / "x.xml")),)).check()


def test_a_folder_in_place_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="is a folder; name a file"):
        Outputs((("json", str(tmp_path)),)).check()


def test_a_file_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Permissions do not bind the superuser, who may run the tests; so the answer of the system is given here.
    monkeypatch.setattr(os, "access", _refused)
    with pytest.raises(InvalidInput, match="cannot be written"):
        Outputs((("json", str(tmp_path / "x")),)).check()


def _refused(path: Path, mode: int) -> bool:
    return False


def test_two_formats_for_the_standard_output() -> None:
    with pytest.raises(InvalidInput, match="only one format"):
        Outputs((("json", "-"), ("csv", "-"))).check()


def test_a_lone_surrogate_is_written_as_its_escape(tmp_path: Path) -> None:
    with open_text(str(tmp_path / "x")) as file:
        file.write('"\ud800é"\r\n')
    assert (tmp_path / "x").read_bytes() == b'"\\ud800\xc3\xa9"\r\n'
