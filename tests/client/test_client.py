"""Getting a client; what clients do is in `tests/contracts/test_client.py`."""

import subprocess
import sys
from pathlib import Path

import pytest

from aloi.client import connect
from aloi.client.local import LocalClient
from aloi.core.errors import StoreUnavailable
from aloi.settings import Settings


async def test_it_works_in_this_process(tmp_path: Path) -> None:
    client = await connect(Settings(home=tmp_path), {})
    assert isinstance(client, LocalClient)
    await client.close()


async def test_a_database_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    (tmp_path / "aloi.db").mkdir()
    with pytest.raises(StoreUnavailable):
        await connect(Settings(home=tmp_path), {})


def test_the_door_loads_neither_the_service_nor_a_web_framework() -> None:
    program = (
        "import sys, aloi.client; print(*(name for name in sys.modules if name.startswith(('aloi.s', 'fastapi'))))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"aloi.settings"}
