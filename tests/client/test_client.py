"""Getting a client; what clients do is in `tests/contracts/test_client.py`."""

import subprocess
import sys
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

import pytest

from aloi.client import Client, connect
from aloi.client.administration import Administration, administer
from aloi.client.http import HttpClient
from aloi.client.http_administration import HttpAdministration
from aloi.client.local import LocalClient
from aloi.core.errors import InvalidInput, StoreUnavailable
from aloi.settings import Settings

Door = Callable[[Settings, Mapping[str, str]], Coroutine[Any, Any, Client | Administration]]
HEAVY = {"fastapi", "starlette", "uvicorn", "argon2", "sqlalchemy", "alembic", "pydantic_ai"}
OURS = {"aloi.service.context", "aloi.store", "aloi.runner", "aloi.api"}


async def test_it_works_in_this_process(tmp_path: Path) -> None:
    client = await connect(Settings(home=tmp_path), {})
    assert isinstance(client, LocalClient)
    await client.close()


async def test_it_works_by_the_server_that_is_named(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", server="http://127.0.0.1:1")
    client, administration = await connect(settings, {}), await administer(settings, {})
    assert isinstance(client, HttpClient)
    assert isinstance(administration, HttpAdministration)
    assert not client.in_process
    await client.close()
    await administration.close()
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("door", [connect, administer])
async def test_what_is_no_server(tmp_path: Path, door: Door) -> None:
    with pytest.raises(InvalidInput, match="no address of a server"):
        await door(Settings(home=tmp_path, server="example.org"), {})
    (tmp_path / "credentials.json").write_text("{")
    with pytest.raises(InvalidInput, match="is damaged"):
        await door(Settings(home=tmp_path, server="http://127.0.0.1:1"), {})


async def test_a_database_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    (tmp_path / "aloi.db").mkdir()
    with pytest.raises(StoreUnavailable):
        await connect(Settings(home=tmp_path), {})


def test_a_client_of_a_server_loads_no_server(tmp_path: Path) -> None:
    """Nor does it load what only works in this process."""
    program = (
        "import asyncio, sys\nfrom aloi.client import connect\nfrom aloi.client.administration import administer\n"
        "from aloi.settings import Settings\n"
        "async def use():\n"
        "    for door in (connect, administer):\n"
        "        await (await door(Settings(server='http://127.0.0.1:1'), {})).close()\n"
        "asyncio.run(use())\n"
        f"print(*({HEAVY} & {{name.partition('.')[0] for name in sys.modules}} | {OURS} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_door_loads_neither_the_service_nor_a_web_framework() -> None:
    program = (
        "import sys, aloi.client; print(*(name for name in sys.modules if name.startswith(('aloi.s', 'fastapi'))))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"aloi.settings"}
