"""Clients offer what `Client` promises, with the same parameters."""

import inspect
from pathlib import Path

import pytest

from aloi.client.http import HttpClient
from aloi.client.local import LocalClient, open_local
from aloi.client.protocol import Client
from aloi.settings import Settings

METHODS = [name for name, member in vars(Client).items() if inspect.isfunction(member) and not name.startswith("_")]


@pytest.mark.parametrize("name", METHODS)
def test_a_method_has_the_parameters_of_the_protocol(name: str) -> None:
    promised = inspect.signature(getattr(Client, name))
    for client in (LocalClient, HttpClient):
        assert inspect.signature(getattr(client, name)).parameters == promised.parameters


async def test_it_is_open_until_it_is_closed(tmp_path: Path) -> None:
    client = await open_local(Settings(home=tmp_path), {})
    assert await client.datasets() == []
    await client.close()
