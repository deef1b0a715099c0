"""Identities: time-ordered ids for what happens, content hashes for what is frozen."""

import hashlib
import json
import uuid
from typing import Any


def uuid7(unix_ms: int, entropy: bytes) -> str:
    """A UUID version 7 (RFC 9562, section 5.7) as text.

    Args:
        unix_ms: milliseconds since 1970-01-01 UTC, 0 <= unix_ms < 2**48.
        entropy: at least 10 random bytes.
    """
    value = int.from_bytes(unix_ms.to_bytes(6, "big") + entropy[:10], "big")
    value = (value & ~(0xF << 76)) | (7 << 76)
    value = (value & ~(0x3 << 62)) | (0x2 << 62)
    return str(uuid.UUID(int=value))


def canonical_json(value: Any) -> str:
    """JSON text that is the same for equal values: keys sorted, no spaces, non-ASCII kept, no NaN."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def content_hash(value: Any) -> str:
    """SHA-256 of the canonical JSON of a JSON value, as 64 hex digits. Lone surrogates are hashed as they are."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()
