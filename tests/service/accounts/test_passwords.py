"""Passwords."""

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.profiles import RFC_9106_LOW_MEMORY

from aloi.core.errors import InvalidInput
from aloi.service.accounts import passwords


async def test_a_password_fits_its_own_hash_alone() -> None:
    password_hash = await passwords.hashed("é 😀 long enough")
    assert password_hash.startswith("$argon2id$")
    assert "enough" not in password_hash
    assert await passwords.fits("é 😀 long enough", password_hash)
    assert not await passwords.fits("e 😀 long enough", password_hash)
    assert await passwords.hashed("é 😀 long enough") != password_hash


@pytest.mark.parametrize("password", ["", "123456789", "x" * 1001])
async def test_its_length(password: str) -> None:
    with pytest.raises(InvalidInput, match=f"the password has {len(password)} characters; use 10 to 1000"):
        await passwords.hashed(password)


@pytest.mark.parametrize("password", ["x" * 10, "x" * 1000, "nul \0 inside it"])
async def test_lengths_that_will_do(password: str) -> None:
    assert await passwords.fits(password, await passwords.hashed(password))


async def test_lone_surrogates() -> None:
    with pytest.raises(InvalidInput, match="lone surrogate"):
        await passwords.hashed("long enough \ud800")
    assert not await passwords.fits("long enough \ud800", await passwords.hashed("long enough"))


async def test_nobody_has_a_password() -> None:
    assert not await passwords.fits("", None)
    assert not await passwords.fits("no password is as short as this", None)


def test_the_hash_of_nobody_takes_as_long_as_that_of_somebody() -> None:
    """After an upgrade of argon2-cffi that changes its parameters: make `NOBODYS` anew, of random bytes."""
    ours, library = extract_parameters(passwords.NOBODYS), RFC_9106_LOW_MEMORY
    assert (ours.time_cost, ours.memory_cost, ours.parallelism, ours.type) == (
        library.time_cost,
        library.memory_cost,
        library.parallelism,
        library.type,
    )
    assert not PasswordHasher().check_needs_rehash(passwords.NOBODYS)


async def test_a_broken_hash_fits_nothing() -> None:
    assert not await passwords.fits("long enough", "not a hash")


async def test_older_parameters_are_seen() -> None:
    assert passwords.is_outdated(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash("long enough"))
    assert not passwords.is_outdated(await passwords.hashed("long enough"))
