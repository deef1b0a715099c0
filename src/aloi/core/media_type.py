"""What a file is: seen from its content, and held against what its name says."""

from collections.abc import Mapping
from typing import Literal

from aloi.core.errors import InvalidInput
from aloi.core.json_values import strict_json

MediaType = Literal[
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "application/pdf",
    "text/plain",
    "text/markdown",
    "text/csv",
    "application/json",
]
# What a name's ending says; nothing else is taken. SVG and HTML are programs as much as pictures and texts.
ENDINGS: Mapping[str, MediaType] = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "pdf": "application/pdf",
    "txt": "text/plain",
    "text": "text/plain",
    "log": "text/plain",
    "md": "text/markdown",
    "markdown": "text/markdown",
    "csv": "text/csv",
    "json": "application/json",
}
WORDS: Mapping[MediaType, str] = {
    "image/png": "a PNG image",
    "image/jpeg": "a JPEG image",
    "image/gif": "a GIF image",
    "image/webp": "a WebP image",
    "application/pdf": "a PDF document",
    "text/plain": "text",
    "text/markdown": "Markdown",
    "text/csv": "CSV",
    "application/json": "JSON",
}
GIF_HEAD = 13  # the signature and the logical screen's description
PDF_TAIL = 1024  # a reader of PDF looks for the end mark in so many last bytes (ISO 32000-1, annex H.3)


def _begins(content: bytes) -> MediaType | None:
    """The type of which a content has the first bytes; null where it has those of none, as texts have."""
    if content.startswith(b"\x89PNG\r\n\x1a\n") and content[12:16] == b"IHDR":  # PNG specification, 5.2 and 11.2.1
        return "image/png"
    if content.startswith(b"\xff\xd8\xff"):  # ITU T.81, B.1.1.3
        return "image/jpeg"
    if content.startswith((b"GIF87a", b"GIF89a")):  # GIF89a specification, 17
        return "image/gif"
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":  # RFC 9649, 2.4
        return "image/webp"
    return "application/pdf" if content.startswith(b"%PDF-") else None  # ISO 32000-1, 7.5.2


def _is_whole(media_type: MediaType, content: bytes) -> bool:
    """Whether a content of a type that is no text has its end."""
    match media_type:
        case "image/png":
            return b"\0\0\0\0IEND\xaeB`\x82" in content
        case "image/jpeg":
            return b"\xff\xd9" in content[3:]
        case "image/gif":
            return len(content) > GIF_HEAD and content.rstrip(b"\0").endswith(b";")
        case "image/webp":
            return 8 + int.from_bytes(content[4:8], "little") <= len(content)
        case _:
            return b"%%EOF" in content[-PDF_TAIL:]


def media_type_of(name: str, content: bytes) -> MediaType:
    """The type of a file by its content; among texts, by the ending of its name (plain text where it has none).

    Raises:
        InvalidInput: the content is of no type that is taken, is cut off, or is of another type than the name says.
    """
    if not content:
        raise InvalidInput(f"the file {name} is empty; send one that has something in it")
    named = _named(name)
    found = _begins(content)
    if found is not None:
        _check_named(name, named, found)
        if not _is_whole(found, content):
            raise InvalidInput(
                f"the file {name} begins as {WORDS[found]} and has no proper end: it was cut off, or "
                "is damaged; send the whole file"
            )
        return found
    fault = _text_fault(content)
    if fault is not None:
        said = "" if named is None else f"is named like {WORDS[named]}, and "
        raise InvalidInput(f"the file {name} {said}{fault}; {_taken()}")
    if named is not None and not is_text(named):
        _check_named(name, named, "text/plain")
    if named == "application/json":
        _check_json(name, content)
    return named or "text/plain"


def media_type_named(name: str, stored: MediaType) -> MediaType:
    """The type of a file whose content was looked at before, under this name: among plain texts the name decides."""
    named = ENDINGS.get(_ending(name) or "")
    both_texts = named is not None and named.startswith("text/") and is_text(stored)
    return named if named is not None and both_texts else stored


def is_text(media_type: MediaType) -> bool:
    """Whether files of a type are text, in UTF-8."""
    return media_type.startswith("text/") or media_type == "application/json"


def are_alike(one: MediaType, other: MediaType) -> bool:
    """Whether one content can be of both types: the same, or texts, which a name alone tells apart."""
    return one == other or (is_text(one) and is_text(other))


def _ending(name: str) -> str | None:
    stem, dot, ending = name.rpartition(".")
    return ending.lower() if dot and stem else None


def _named(name: str) -> MediaType | None:
    ending = _ending(name)
    if ending is None:
        return None
    if ending not in ENDINGS:
        raise InvalidInput(f"the file {name} ends in .{ending}, which is not taken; {_taken()}")
    return ENDINGS[ending]


def _check_named(name: str, named: MediaType | None, found: MediaType) -> None:
    if named is not None and named != found:
        raise InvalidInput(
            f"the file {name} is named like {WORDS[named]}, and its content is {WORDS[found]}; name it as what it is, "
            "or send the file that was meant"
        )


def _text_fault(content: bytes) -> str | None:
    if b"\0" in content:
        return "holds NUL bytes, which no text does"
    try:
        content.decode()
    except UnicodeDecodeError as error:
        return f"is no text in UTF-8 (byte {error.start})"
    return None


def _check_json(name: str, content: bytes) -> None:
    try:
        strict_json(content.decode("utf-8-sig"))
    except ValueError as error:
        raise InvalidInput(
            f"the file {name} is named like JSON, and its content is text that is none ({error}); mend it, or name it "
            "as plain text"
        ) from error


def _taken() -> str:
    return f"files are images (PNG, JPEG, GIF, WebP), PDF, or text in UTF-8: .{', .'.join(ENDINGS)}"
