"""Fixtures that all tests share."""

import os
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests import postgres_server
from tests.model_server import ModelServer, ModelServerProcess, serve

# Machines are shared: how long an example takes says nothing.
settings.register_profile("aloi", deadline=None)
settings.load_profile("aloi")

# Who starts tests in the background may have them ignore Ctrl-C, and what they start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as there are cores: tests wait a lot, for processes that they start and for a browser."""
    return (os.cpu_count() or 1) * 3 // 2


@pytest.fixture(autouse=True)
def aloi_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home of the test's own, and nothing of the developer's settings and keys in the environment."""
    for name in [name for name in os.environ if name.startswith("ALOI_")]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    home = tmp_path / "home"
    monkeypatch.setenv("ALOI_HOME", str(home))
    return home


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgres_server.PostgresServer]:
    """A PostgreSQL server, started for the first test that wants one."""
    with postgres_server.serve() as server:
        yield server


@pytest.fixture
async def model_server() -> AsyncIterator[ModelServer]:
    """A model server in the test's own loop; its behaviour is the model's name or `model_server.reply`."""
    async with ModelServer() as server:
        yield server


@pytest.fixture
def model_server_process(request: pytest.FixtureRequest) -> Iterator[ModelServerProcess]:
    """A model server in a process of its own.

    More options of its command come by indirect parametrisation:
    `@pytest.mark.parametrize("model_server_process", [("--latency", "0.1")], indirect=True)`.
    """
    with serve(*getattr(request, "param", ())) as server:
        yield server
