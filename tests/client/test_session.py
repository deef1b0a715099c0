from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.client import connect
from aloi.client.credentials import save_token, token_for
from aloi.client.session import sign_in, sign_in_by_link, sign_out
from aloi.core.access import Role
from aloi.core.errors import InvalidInput, NotSignedIn, ServerUnavailable, TooMany
from aloi.service.accounts import members
from aloi.service.context import Context
from aloi.settings import Settings
from tests.api.calls import RunningServer, running

EMAIL, PASSWORD = "ada@example.org", "four words that differ"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server with one member, who has a password."""
    context = await Context.open(Settings(home=tmp_path / "server"), {})
    try:
        await members.add(context, EMAIL, Role.OWNER, PASSWORD)
        async with running(context) as started:
            yield started
    finally:
        await context.close()


@pytest.fixture
def settings(tmp_path: Path, server: RunningServer) -> Settings:
    """Of somebody who works with that server."""
    return Settings(home=tmp_path / "mine", server=server.url)


async def datasets(settings: Settings) -> int:
    client = await connect(settings, {})
    try:
        return len(await client.datasets())
    finally:
        await client.close()


async def test_by_password_and_out_again(server: RunningServer, settings: Settings) -> None:
    who = await sign_in(settings, EMAIL, PASSWORD)
    assert (who.name, who.role, who.kind) == (EMAIL, Role.OWNER, "member")
    token = token_for(settings.home, server.url)
    assert await datasets(settings) == 0
    await sign_out(settings)
    assert token_for(settings.home, server.url) is None
    save_token(settings.home, server.url, token)
    with pytest.raises(NotSignedIn, match="aloi login"):
        await datasets(settings)
    await sign_out(settings)
    with pytest.raises(NotSignedIn, match="nobody is signed in"):
        await sign_out(settings)


async def test_by_a_link_once(server: RunningServer, settings: Settings) -> None:
    added = await members.add(server.context, "bob@example.org", Role.VIEWER)
    token = str(added.link).partition("token=")[2]
    assert (await sign_in_by_link(settings, token)).role is Role.VIEWER
    with pytest.raises(NotSignedIn, match="used already"):
        await sign_in_by_link(settings, token)


async def test_a_wrong_password_keeps_the_token_there_is(server: RunningServer, settings: Settings) -> None:
    await sign_in(settings, EMAIL, PASSWORD)
    token = token_for(settings.home, server.url)
    with pytest.raises(NotSignedIn, match=r"^the email or the password is not right$"):
        await sign_in(settings, EMAIL, "another one")
    assert token_for(settings.home, server.url) == token


async def test_too_many_tries(settings: Settings) -> None:
    for _ in range(5):
        with pytest.raises(NotSignedIn):
            await sign_in(settings, EMAIL, "another one")
    with pytest.raises(TooMany) as caught:
        await sign_in(settings, EMAIL, PASSWORD)
    assert caught.value.retry_after > 1


async def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, server="http://127.0.0.1:1")
    with pytest.raises(ServerUnavailable):
        await sign_in(settings, EMAIL, PASSWORD)
    save_token(tmp_path, "http://127.0.0.1:1", "a-token")
    with pytest.raises(ServerUnavailable):
        await sign_out(settings)
    assert token_for(tmp_path, "http://127.0.0.1:1") is None
    with pytest.raises(InvalidInput, match="no address"):
        await sign_in(settings.model_copy(update={"server": "nowhere"}), EMAIL, PASSWORD)
