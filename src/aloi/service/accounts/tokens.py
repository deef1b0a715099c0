"""Secrets that we make ourselves: so random that a plain SHA-256 keeps them, and only that is stored."""

import hashlib
import secrets

BYTES = 32
KEY_PREFIX = "aloi_"
KEY_LENGTH = len(KEY_PREFIX) + 43


def new_token() -> str:
    """A new secret of 256 random bits, as 43 characters that fit into an address."""
    return secrets.token_urlsafe(BYTES)


def new_key() -> str:
    """A new API key: `aloi_` and such a secret, so that it is known for one where it leaks."""
    return KEY_PREFIX + new_token()


def is_key(token: str) -> bool:
    """Whether a token has the form of an API key, which none of a session has."""
    return token.startswith(KEY_PREFIX) and len(token) == KEY_LENGTH


def digest(token: str) -> bytes:
    """What is stored of a secret: its SHA-256, 32 bytes."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
