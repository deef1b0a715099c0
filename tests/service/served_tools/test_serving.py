"""Where a target elsewhere reaches the simulated tools, and how long they are there."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from aloi.core.errors import InvalidInput
from aloi.core.served import ServedTool
from aloi.core.simulation import StaticAnswer, StaticSimulation
from aloi.core.target import Target
from aloi.plugins import build
from aloi.service.accounts.tokens import digest
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.served_tools.serving import StoreServing, served_address
from aloi.settings import Settings
from aloi.store import served

TOOL = ServedTool(
    name="a",
    input_schema={"type": "object"},
    simulation=StaticSimulation(kind="static", answers=(StaticAnswer(output=1),)),
)


def agent_at(host: str) -> Target:
    return build("targets", {"kind": "http", "url": f"http://{host}/answer"}, Target)


def seen_from(tmp_path: Path, address: str | None, public: str | None = None) -> Context:
    """A context that needs no database."""
    settings = Settings(home=tmp_path, public_url=public)
    context: Any = Context.__new__(Context)
    context.settings, context.address = settings, address
    return context


@pytest.mark.parametrize(
    ("host", "listening", "public", "address"),
    [
        ("localhost:9000", "http://localhost:8000", None, "http://localhost:8000"),
        ("127.0.0.1", "http://[::1]:8000", None, "http://[::1]:8000"),
        ("agent.example.org", "http://192.0.2.7:8000", None, "http://192.0.2.7:8000"),
        ("agent.example.org", "http://localhost:8000", "https://aloi.example.org/", "https://aloi.example.org"),
        ("localhost", None, "http://localhost:8000", "http://localhost:8000"),
    ],
)
def test_the_public_address_else_where_the_server_listens(
    tmp_path: Path, host: str, listening: str | None, public: str | None, address: str
) -> None:
    assert served_address(seen_from(tmp_path, listening, public), agent_at(host)) == address


@pytest.mark.parametrize(
    ("host", "listening", "words"),
    [
        ("localhost", None, "start the run on `aloi serve`, or set ALOI_PUBLIC_URL"),
        ("agent.example.org", "http://127.0.0.1:1", "cannot reach"),
    ],
)
def test_no_address_that_the_agent_reaches(tmp_path: Path, host: str, listening: str | None, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        served_address(seen_from(tmp_path, listening), agent_at(host))


async def test_a_session_is_there_for_the_block_and_known_by_a_hash_alone(context: Context) -> None:
    context.address = "http://localhost:1"
    serving = StoreServing(context, agent_at("localhost"), new_id(), None)
    async with serving.session((TOOL,), 10) as session:
        token = session.url.rpartition("/")[2]
        async with context.database.read() as rx:
            found = await served.session(rx, digest(token), now())
            ((stored,),) = await rx.fetch("SELECT token_hash FROM served_sessions")
            assert found is not None and found.tools == (TOOL,)
            assert stored == digest(token)
            assert await served.session(rx, digest(token), now() + timedelta(seconds=9)) is not None
            assert await served.session(rx, digest(token), now() + timedelta(minutes=2)) is None
    async with context.database.read() as rx:
        assert await rx.fetch("SELECT token_hash FROM served_sessions") == []


async def test_a_failure_inside_ends_it_too(context: Context) -> None:
    context.address = "http://localhost:1"
    with pytest.raises(ZeroDivisionError):
        async with StoreServing(context, agent_at("localhost"), new_id(), None).session((TOOL,), 10):
            raise ZeroDivisionError
    async with context.database.read() as rx:
        assert await rx.fetch("SELECT token_hash FROM served_sessions") == []
