"""Files on cases: names, limits, and what of them is frozen."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from aloi.core.attachment import (
    MEGABYTE,
    MOST_CASE_BYTES,
    MOST_FILE_BYTES,
    MOST_FILES,
    AttachedFile,
    Attachment,
    bounded,
    check_upload,
    file_name,
    no_files,
)
from aloi.core.case import Case
from aloi.core.dataset import case_hash
from aloi.core.errors import InvalidInput, StageFailure, TooLarge
from tests.attachment_files import PDF, PNG, attachment


@pytest.mark.parametrize(
    "name", ["bill.pdf", "Rechnung März.pdf", "請求書.pdf", "a", ".env", "x" * 200, "👩🏽.png", "a b"]
)
def test_names_that_can_be_used(name: str) -> None:
    assert file_name(name) == name


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "is no name"),
        ("   ", "is no name"),
        (".", "is no name"),
        ("..", "is no name"),
        ("../../etc/passwd", "has a folder in it"),
        ("a/b.txt", "has a folder in it"),
        ("C:\\bill.pdf", "has a folder in it"),
        ("a\0.png", r"U\+0000"),
        ("a\r\nX-Header: 1.png", r"U\+000D"),
        ("invoice\u202efdp.exe", r"U\+202E"),
        ("a\u2066b.png", r"U\+2066"),
        ("a\u200bb.png", r"U\+200B"),
        ("a\ud800.png", r"U\+D800"),
        ("x" * 300, "has 300 characters, and 200 are the most"),
    ],
)
def test_names_that_cannot(name: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        file_name(name)
    with pytest.raises(InvalidInput, match=fault):
        check_upload(name, 1)
    with pytest.raises(ValidationError):
        Attachment(name=name, hash="a" * 64, media_type="text/plain", size=1)


def test_a_file_may_be_as_large_as_said_and_no_larger() -> None:
    check_upload("a.txt", MOST_FILE_BYTES)
    with pytest.raises(TooLarge, match=r"a.txt has 10,485,761 bytes, and 10,485,760 \(10 MB\) are the most"):
        check_upload("a.txt", MOST_FILE_BYTES + 1)


@pytest.mark.parametrize("given_hash", ["", "a" * 63, "A" * 64, "g" * 64, "../" + "a" * 61])
def test_a_hash_is_a_hash(given_hash: str) -> None:
    with pytest.raises(ValidationError):
        Attachment(name="a.txt", hash=given_hash, media_type="text/plain", size=1)


def numbered(number: int, size: int = 1) -> Attachment:
    return Attachment(name=f"{number}.txt", hash=f"{number:064x}", media_type="text/plain", size=size)


def test_a_case_has_so_many_files() -> None:
    most = tuple(map(numbered, range(MOST_FILES)))
    assert bounded(most) == most
    with pytest.raises(ValueError, match="10 files at most, and these are 11"):
        bounded((*most, numbered(10)))


def test_two_files_of_a_case_have_two_names() -> None:
    one = attachment()
    with pytest.raises(ValueError, match="two files are called"):
        bounded((one, one.model_copy(update={"hash": "b" * 64})))


def test_a_case_has_so_much_of_files() -> None:
    bounded((numbered(1, MOST_FILE_BYTES), numbered(2, MOST_FILE_BYTES), numbered(3, 5 * MEGABYTE)))
    assert MOST_CASE_BYTES == 25 * MEGABYTE
    with pytest.raises(ValueError, match=r"3 files of 25.0 MB together are more than the 25 MB"):
        bounded((numbered(1, MOST_FILE_BYTES), numbered(2, MOST_FILE_BYTES), numbered(3, 5 * MEGABYTE + 1)))


def test_a_case_without_files_is_hashed_as_ever() -> None:
    plain = Case.model_validate({"key": "a", "prompt": "x"})
    assert case_hash(plain) == "67e5c9d34843f4c9bfa6137dbc9af5a31fd2970efd919e0f82d0d7d730a288d4"
    assert case_hash(Case.model_validate({"key": "a", "prompt": "x", "attachments": []})) == case_hash(plain)


@given(st.binary(min_size=1, max_size=40), st.binary(min_size=1, max_size=40))
def test_other_contents_are_another_case(one: bytes, other: bytes) -> None:
    def frozen(content: bytes) -> str:
        digest = hashlib.sha256(content).hexdigest()
        file = Attachment(name="a", hash=digest, media_type="text/plain", size=len(content))
        return case_hash(Case(key="a", input="x", attachments=(file,)))

    assert (frozen(one) == frozen(other)) == (one == other)


def test_what_a_target_sees_of_a_file_is_hashed() -> None:
    file = attachment("note.txt")

    def frozen(**changes: str | int) -> str:
        return case_hash(Case(key="a", input="x", attachments=(file.model_copy(update=changes),)))

    assert frozen() != frozen(name="other.txt")
    assert frozen() != frozen(media_type="text/markdown")
    assert frozen() == frozen(size=4)  # it goes with the hash


def test_a_file_with_its_content() -> None:
    image = AttachedFile(name="dot.png", media_type="image/png", data=PNG)
    assert image.is_image
    assert not image.is_text
    assert image.data_url.startswith("data:image/png;base64,iVBORw0KGgo")
    assert image.told == "File dot.png (image/png):"
    note = AttachedFile(name="note.txt", media_type="text/plain", data="\ufeffGrüße".encode())
    assert note.told == "File note.txt (text/plain):\nGrüße\n(End of note.txt)"
    assert not AttachedFile(name="bill.pdf", media_type="application/pdf", data=PDF).is_image


async def test_where_no_files_are_stored_none_is_read() -> None:
    with pytest.raises(StageFailure, match="cannot be read here"):
        await no_files(attachment())
