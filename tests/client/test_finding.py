"""Finding members and keys beyond the first page; the rest is in `tests/contracts/test_administration.py`."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.client.administration import Administration, administer
from aloi.client.finding import key_of, member_of
from aloi.client.paging import PAGE
from aloi.core.access import Role
from aloi.core.errors import InvalidInput
from aloi.settings import Settings


@pytest.fixture
async def administration(tmp_path: Path) -> AsyncIterator[Administration]:
    opened = await administer(Settings(home=tmp_path / "home"), {})
    yield opened
    await opened.close()


async def test_a_member_of_more_than_a_page(administration: Administration) -> None:
    for number in range(PAGE + 1):
        await administration.add_member(f"m{number}@example.org", Role.VIEWER)
    found = await member_of(administration, "M0@example.org ")
    assert found.email == "m0@example.org"
    assert await member_of(administration, found.id) == found


async def test_keys_of_one_name_on_several_pages(administration: Administration) -> None:
    oldest = (await administration.create_api_key("ci", Role.VIEWER)).key
    for number in range(PAGE):
        await administration.create_api_key(f"k{number}", Role.VIEWER)
    assert await key_of(administration, "ci") == oldest
    newest = (await administration.create_api_key("ci", Role.VIEWER)).key
    with pytest.raises(InvalidInput, match=f"2 keys are named 'ci'; .*{newest.id}, {oldest.id}"):
        await key_of(administration, "ci")
    assert await key_of(administration, oldest.id) == oldest
