"""Passwords: argon2 with the library's parameters, in a thread, for it takes a while on purpose."""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from aloi.core.access import PASSWORD_LEAST, PASSWORD_MOST
from aloi.core.errors import InvalidInput

# Stands for the hash of those who have none, so that the answer takes as long as for a wrong password. Nobody knows
# the password, which was 32 random bytes. A test fails when its parameters are not the library's any more.
NOBODYS = "$argon2id$v=19$m=65536,t=3,p=4$m2f6hgPKpxsKCShFpCHeuw$ICw85EVM2QJJ9iVbjRWviMq1yvEgV+JXtkE6lX5Hf8A"


async def hashed(password: str) -> str:
    """The hash of a new password, with its salt and its parameters, as text.

    Raises:
        InvalidInput: the password is too short, too long, or holds a lone surrogate.
    """
    if not PASSWORD_LEAST <= len(password) <= PASSWORD_MOST:
        raise InvalidInput(
            f"the password has {len(password)} characters; use {PASSWORD_LEAST} to {PASSWORD_MOST},"
            " e.g. four words that do not belong together"
        )
    try:
        return await asyncio.to_thread(PasswordHasher().hash, password)
    except UnicodeEncodeError as error:
        raise InvalidInput("the password holds a lone surrogate, which nobody can type; leave it out") from error


async def fits(password: str, password_hash: str | None) -> bool:
    """Whether a password is the one that was hashed. Without a hash it is not, which takes the same time."""
    return await asyncio.to_thread(_fits, password, password_hash or NOBODYS) and password_hash is not None


def is_outdated(password_hash: str) -> bool:
    """Whether the library's parameters have changed since: the password should be hashed anew."""
    return PasswordHasher().check_needs_rehash(password_hash)


def _fits(password: str, password_hash: str) -> bool:
    try:
        return PasswordHasher().verify(password_hash, password)
    except (Argon2Error, InvalidHashError, UnicodeEncodeError):
        return False
