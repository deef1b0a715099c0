"""A server that the environment names, for what the SDK does by one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.core.access import Role
from aloi.service.accounts import api_keys
from aloi.service.context import Context
from aloi.settings import Settings
from tests.api.calls import RunningServer, running


@pytest.fixture
async def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningServer]:
    """A server that allows no code, named in the environment with an editor's key; here nothing is stored."""
    context = await Context.open(Settings(home=tmp_path / "server", allow_code=False), {}, served=True)
    try:
        made = await api_keys.create(context, "sdk", Role.EDITOR, None)
        async with running(context) as server:
            monkeypatch.setenv("ALOI_SERVER", server.url)
            monkeypatch.setenv("ALOI_API_KEY", made.secret)
            yield server
    finally:
        await context.close()
    assert not (tmp_path / "home").exists()
