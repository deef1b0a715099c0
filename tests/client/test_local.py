"""Clients offer what `Client` promises, with the same parameters."""

import inspect
from collections.abc import Callable
from pathlib import Path

import pytest

from aloi.client.http import HttpClient
from aloi.client.local import LocalClient, open_local
from aloi.client.protocol import Client
from aloi.settings import Settings

EMPTY = inspect.Parameter.empty
METHODS = [name for name, member in vars(Client).items() if inspect.isfunction(member) and not name.startswith("_")]


def parameters(method: Callable[..., object]) -> list[inspect.Parameter]:
    """Names, kinds and defaults; pyright compares the types, some of which are only there for it."""
    return [one.replace(annotation=EMPTY) for one in inspect.signature(method).parameters.values()]


@pytest.mark.parametrize("name", METHODS)
def test_a_method_has_the_parameters_of_the_protocol(name: str) -> None:
    promised = parameters(getattr(Client, name))
    for client in (LocalClient, HttpClient):
        assert parameters(getattr(client, name)) == promised


async def test_it_is_open_until_it_is_closed(tmp_path: Path) -> None:
    client = await open_local(Settings(home=tmp_path), {})
    assert await client.datasets() == []
    await client.close()
