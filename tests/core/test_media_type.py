"""What a file is: its content decides, and a name that says otherwise is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput
from aloi.core.media_type import ENDINGS, are_alike, is_text, media_type_named, media_type_of
from tests.attachment_files import GIF, HTML, JPEG, PDF, PNG, SVG, WEBP, WHOLE, png

BINARY = [name for name, (media_type, _) in WHOLE.items() if not is_text(media_type)]


@pytest.mark.parametrize("name", WHOLE)
def test_a_file_is_what_it_holds(name: str) -> None:
    media_type, content = WHOLE[name]
    assert media_type_of(name, content) == media_type
    assert media_type_of(name.upper(), content) == media_type


@pytest.mark.parametrize("name", BINARY)
def test_without_an_ending_the_content_says_it(name: str) -> None:
    media_type, content = WHOLE[name]
    assert media_type_of("scan", content) == media_type
    assert media_type_of(".hidden", content) == media_type
    assert media_type_of("scan", b"some words") == "text/plain"


@pytest.mark.parametrize(
    ("name", "content", "named", "found"),
    [
        ("dot.png", SVG, "a PNG image", "text"),
        ("page.jpg", HTML, "a JPEG image", "text"),
        ("dot.png", GIF, "a PNG image", "a GIF image"),
        ("dot.gif", PNG, "a GIF image", "a PNG image"),
        ("bill.pdf", JPEG, "a PDF document", "a JPEG image"),
        ("note.txt", PDF, "text", "a PDF document"),
        ("rows.csv", WEBP, "CSV", "a WebP image"),
    ],
)
def test_a_name_that_says_something_else_is_refused_with_both(
    name: str, content: bytes, named: str, found: str
) -> None:
    with pytest.raises(InvalidInput, match=f"{name} is named like {named}, and its content is {found}"):
        media_type_of(name, content)


@pytest.mark.parametrize("name", ["page.html", "dot.svg", "run.exe", "sheet.xlsx", "a.xml", "x.htm", "bill.pdf.js"])
@pytest.mark.parametrize("content", [SVG, PNG, b"words"])
def test_other_endings_are_not_taken(name: str, content: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"ends in \.\w+, which is not taken; files are images"):
        media_type_of(name, content)


@pytest.mark.parametrize("name", BINARY)
def test_a_file_that_was_cut_off_is_refused(name: str) -> None:
    _, content = WHOLE[name]
    with pytest.raises(InvalidInput, match=f"{name} begins as .* has no proper end"):
        media_type_of(name, content[:-7])


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "is empty"),
        (b"a\0b", "NUL"),
        (b"caf\xe9", r"no text in UTF-8 \(byte 3\)"),
        ("text".encode("utf-16"), "NUL"),
        (b"\x7fELF\x02\x01\x01\0", "NUL"),
        (b"PK\x03\x04\x14\x00", "NUL"),
        (b"\xed\xa0\x80", "no text in UTF-8"),
    ],
)
def test_what_is_no_text_is_not_taken_for_one(content: bytes, fault: str) -> None:
    with pytest.raises(InvalidInput, match=fault):
        media_type_of("note.txt", content)


@pytest.mark.parametrize("content", [b"{", b"{'a': 1}", b"NaN", b"[" * 100_000])
def test_json_is_json(content: bytes) -> None:
    with pytest.raises(InvalidInput, match="is named like JSON, and its content is text that is none"):
        media_type_of("data.json", content)


def test_a_byte_order_mark_harms_no_text() -> None:
    assert media_type_of("data.json", b"\xef\xbb\xbf{}") == "application/json"
    assert media_type_of("note.txt", b"\xef\xbb\xbfwords") == "text/plain"


def test_a_file_of_two_types_is_what_it_begins_as() -> None:
    both = png() + b"\n" + PDF
    assert media_type_of("dot.png", both) == "image/png"
    with pytest.raises(InvalidInput, match="its content is a PNG image"):
        media_type_of("bill.pdf", both)
    assert media_type_of("dot.gif", b"GIF89a/*" + b"*/=1;alert(1)//;") == "image/gif"


@given(st.text(max_size=30), st.binary(max_size=200))
def test_whatever_comes_is_typed_or_refused(name: str, content: bytes) -> None:
    try:
        media_type = media_type_of(name, content)
    except InvalidInput as error:
        assert name in str(error)
        return
    ending = name.rpartition(".")[2].lower()
    if ending in ENDINGS and not name.startswith("."):
        assert media_type == ENDINGS[ending]
    if is_text(media_type):
        assert content.decode()


@given(st.text(min_size=1).filter(lambda text: "\0" not in text))
def test_every_text_is_a_text(text: str) -> None:
    content = text.encode("utf-8", "ignore")
    if content and not content.startswith((b"%PDF-", b"GIF8")):
        assert media_type_of("note.txt", content) == "text/plain"


def test_among_texts_the_name_decides() -> None:
    assert media_type_named("a.md", "text/plain") == "text/markdown"
    assert media_type_named("a.json", "text/plain") == "text/plain"
    assert media_type_named("a.txt", "application/json") == "text/plain"
    assert media_type_named("a", "text/csv") == "text/csv"
    assert media_type_named("a.txt", "image/png") == "image/png"
    assert are_alike("text/csv", "application/json")
    assert are_alike("image/png", "image/png")
    assert not are_alike("image/png", "image/gif")
    assert not are_alike("text/plain", "application/pdf")
