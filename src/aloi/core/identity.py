"""Identities: time-ordered ids for what happens, content hashes for what is frozen."""

import hashlib
import json
from typing import Any

from pydantic import BaseModel

from aloi.core.errors import InvalidInput

ENTROPY = 10
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
    value = int.from_bytes(unix_ms.to_bytes(6, "big") + entropy[:ENTROPY], "big")
    value = (value & ~(0xF << 76)) | (7 << 76)
    value = (value & ~(0x3 << 62)) | (0x2 << 62)
    return id_text(f"{value:032x}")


def id_text(digits: str) -> str:
    """The text of an id from its 32 hex digits: `01890a5d-ac96-774b-bcce-b302099a8057`."""
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


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
