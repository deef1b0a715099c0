"""Encodings are told apart, and a byte that does not fit is named."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput
from aloi.service.files import text
from aloi.service.files.text import open_text
from tests.service.files.strategies import CHARACTERS


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be-marked"])
@given(content=st.text(CHARACTERS.filter(lambda character: character != "\ufeff")))
def test_decodes_with_the_line_ends_as_they_are(encoding: str, content: str) -> None:
    big = encoding.endswith("marked")
    data = b"\xfe\xff" + content.encode("utf-16-be") if big else content.encode(encoding)
    assert open_text(data, "x").read() == content


@given(before=st.text(CHARACTERS), chunk=st.integers(1, 9))
def test_names_the_byte_that_does_not_fit(before: str, chunk: int) -> None:
    data = before.encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "CHUNK", chunk)
        with pytest.raises(InvalidInput, match=rf"^x\.csv: byte {len(data)} \(0xe9\) is not UTF-8; save the file as"):
            open_text(data + b"\xe9\n", "x.csv")


def test_a_cut_off_character_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"byte 2 \(0xf0\) is not UTF-8"):
        open_text(b"ab\xf0\x9f", "x")
    with pytest.raises(InvalidInput, match=r"byte 4 \(0x62\) is not UTF-16-LE"):
        open_text("\ufeffa".encode("utf-16-le") + b"b", "x")


def test_lone_surrogates_are_no_text_in_either_encoding() -> None:
    with pytest.raises(InvalidInput, match=r"byte 1 \(0xed\) is not UTF-8"):
        open_text(b"a\xed\xa0\x80", "x")
    with pytest.raises(InvalidInput, match=r"byte 2 .* is not UTF-16-LE"):
        open_text(b"\xff\xfe\x00\xd8a\x00", "x")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_nul_is_refused_with_its_line(end: str) -> None:
    with pytest.raises(InvalidInput, match=r"^x:3: there is a NUL character; remove it"):
        open_text(f"a{end}b{end}c\0".encode(), "x")


def test_utf_16_without_its_mark_is_told() -> None:
    with pytest.raises(InvalidInput, match=r"^x:1: .*UTF-16 file needs its byte-order mark"):
        open_text("key,prompt".encode("utf-16-le"), "x")


def test_too_large_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^x: it has 1,001 bytes, more than 1,000; split the file"):
        open_text(b"a" * 1001, "x", max_bytes=1000)


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"^gone\.csv: it cannot be read: No such file"):
        open_text(tmp_path / "gone.csv", "gone.csv")
    with pytest.raises(InvalidInput, match="Is a directory"):
        open_text(tmp_path, "folder")
