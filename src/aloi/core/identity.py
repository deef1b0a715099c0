"""Identities: time-ordered ids for what happens, content hashes for what is frozen."""

import hashlib
import json
from typing import Any

from pydantic import BaseModel

from aloi.core.errors import InvalidInput

ENTROPY = 10
ID_DIGITS, HEX = 32, frozenset("0123456789abcdef")
CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def uuid7(unix_ms: int, entropy: bytes) -> str:
    """A UUID version 7 (RFC 9562, section 5.7) as text.

    Args:
        unix_ms: milliseconds since 1970-01-01 UTC, 0 <= unix_ms < 2**48.
        entropy: at least 10 random bytes.

    Raises:
        InvalidInput: the time does not fit, or there is too little entropy.
    """
    if not 0 <= unix_ms < 2**48:
        raise InvalidInput(f"unix_ms is {unix_ms}: a UUID holds 48 bits of time. Give milliseconds since 1970.")
    if len(entropy) < ENTROPY:
        raise InvalidInput(f"entropy has {len(entropy)} bytes: an id needs {ENTROPY}. Give that many random bytes.")
    packed = bytearray(unix_ms.to_bytes(6, "big") + entropy[:ENTROPY])
    packed[6] = 0x70 | packed[6] & 0x0F  # the version
    packed[8] = 0x80 | packed[8] & 0x3F  # the variant
    return id_text(packed.hex())


def id_text(digits: str) -> str:
    """The text of an id from its 32 hex digits: `01890a5d-ac96-774b-bcce-b302099a8057`."""
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def as_written(text: str) -> str:
    """An id as it is written everywhere, in small letters and with its dashes; a text that is none in small letters."""
    digits = text.replace("-", "").lower()
    return id_text(digits) if len(digits) == ID_DIGITS and HEX.issuperset(digits) else text.lower()


def canonical_json(value: Any) -> str:
    """JSON text that does not depend on the order of keys: sorted, no spaces, non-ASCII kept.

    1 and 1.0 stay apart, as they are written differently, though an evaluator takes them for equal.

    Raises:
        ValueError: a number is NaN or infinite, which JSON has not.
    """
    return CANONICAL.encode(value)


def content_hash(value: Any) -> str:
    """SHA-256 of the canonical JSON of a JSON value, as 64 hex digits. Lone surrogates are hashed as they are."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()


def etag(value: BaseModel) -> str:
    """A tag that changes with every change of an object: 32 hex digits of its content's hash."""
    return content_hash(value.model_dump(mode="json"))[:32]
