"""Files as text: decoding, and what no file may hold."""

import codecs
import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TextIO

from aloi.core.errors import InvalidInput

MAX_BYTES = 512 * 1024 * 1024
CHUNK = 1024 * 1024
# By byte-order mark: the encoding that the file is read with, and the one that counts its bytes.
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16-be"),
)

Source = Path | bytes


def open_text(source: Source, name: str, max_bytes: int = MAX_BYTES) -> TextIO:
    """A file, or its bytes, opened as text with its line ends as they are (`\\n`, `\\r\\n` or `\\r`).

    The whole of it is checked first, in one pass that keeps nothing, so that a fault in its last line is known before
    its first line is used.

    Args:
        source: path or content. UTF-8 with or without a byte-order mark, or UTF-16 with one.
        name: what to call it in messages.
        max_bytes: how large it may be.

    Raises:
        InvalidInput: it cannot be read, is too large, is in another encoding (the byte is named), or holds NUL.
    """
    try:
        size = len(source) if isinstance(source, bytes) else source.stat().st_size
        if size > max_bytes:
            raise InvalidInput(f"{name}: it has {size:,} bytes, more than {max_bytes:,}; split the file")
        with _open(source) as stream:
            encoding = _check(stream, name)
        return io.TextIOWrapper(_open(source), encoding=encoding, newline="")
    except OSError as error:
        raise InvalidInput(f"{name}: it cannot be read: {error.strerror}; check the path") from error


def _open(source: Source) -> BinaryIO:
    return io.BytesIO(source) if isinstance(source, bytes) else source.open("rb")


def _check(stream: BinaryIO, name: str) -> str:
    """The encoding to read it with, once every byte has been seen to fit."""
    start = stream.read(4)
    stream.seek(0)
    encoding, plain = next(((whole, bare) for mark, whole, bare in MARKS if start.startswith(mark)), ("utf-8", "utf-8"))
    line = 1
    newlines = io.IncrementalNewlineDecoder(None, translate=True)
    for text in _decoded(stream, plain, name):
        seen = newlines.decode(text)
        if "\0" in seen:
            line += seen.count("\n", 0, seen.index("\0"))
            raise InvalidInput(
                f"{name}:{line}: there is a NUL character; remove it (a UTF-16 file needs its byte-order mark)"
            )
        line += seen.count("\n")
    return encoding


def _decoded(stream: BinaryIO, encoding: str, name: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)()
    offset = 0
    while True:
        chunk = stream.read(CHUNK)
        pending = len(decoder.getstate()[0])
        try:
            text = decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            at = offset - pending + error.start
            found = f"byte {at} (0x{error.object[error.start]:02x}) is not {encoding.upper()}"
            raise InvalidInput(
                f"{name}: {found}; save the file as UTF-8, or as UTF-16 with a byte-order mark"
            ) from error
        yield text
        if not chunk:
            return
        offset += len(chunk)
