"""Files of every type that cases may have, the smallest that are whole."""

import struct
import zlib

from aloi.core.attachment import Attachment
from aloi.core.media_type import MediaType


def png(width: int = 1, height: int = 1, colour: tuple[int, int, int] = (200, 60, 40)) -> bytes:
    """A PNG image of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(colour) * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


PNG = png()
GIF = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"
JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xd9"
WEBP = b"RIFF\x1a\0\0\0WEBPVP8L\r\0\0\0/\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0"
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HTML = b"<!doctype html><script>alert(1)</script>"

# By a name that says the type: the type, and the content.
WHOLE: dict[str, tuple[MediaType, bytes]] = {
    "dot.png": ("image/png", PNG),
    "dot.gif": ("image/gif", GIF),
    "dot.jpg": ("image/jpeg", JPEG),
    "dot.webp": ("image/webp", WEBP),
    "bill.pdf": ("application/pdf", PDF),
    "note.txt": ("text/plain", "Grüße, 世界".encode()),
    "note.md": ("text/markdown", b"# Hello"),
    "rows.csv": ("text/csv", b"a,b\n1,2\n"),
    "data.json": ("application/json", b'{"a": [1, null]}'),
}


def attachment(name: str = "bill.pdf", file_hash: str = "a" * 64, size: int = 3) -> Attachment:
    """What a case says of a file that nobody sent."""
    return Attachment(name=name, hash=file_hash, media_type=WHOLE[name][0], size=size)
