"""`aloi --server` as a process against `aloi serve` as a process: interrupted, restarted, and with nobody there."""

import re
import secrets
import signal
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.e2e.command import Command, stats, until
from tests.e2e.serving import Served
from tests.e2e.suites import prompts, target_of, write_suite
from tests.model_server import ModelServerProcess, serve

CASES = 40


@pytest.fixture
def models() -> Iterator[ModelServerProcess]:
    with serve("--latency", "0.1") as server:
        yield server


@pytest.fixture
def port() -> int:
    """A free one below those that the system gives to whoever asks for any, as other tests do meanwhile."""
    while True:
        number = 20_000 + secrets.randbelow(10_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", number)):
            return number


@pytest.fixture
def host(tmp_path: Path) -> Command:
    """The command where the server is."""
    return Command(tmp_path / "server")


@pytest.fixture
def servers() -> Iterator[list[Served]]:
    started: list[Served] = []
    yield started
    for server in started:
        if server.process.poll() is None:
            server.kill()


@pytest.fixture
def aloi(tmp_path: Path, host: Command, port: int) -> Command:
    """The command of somebody else, with a key that was made on the server's empty home."""
    made = host.run("api-keys", "create", "ci")
    assert re.fullmatch(r"aloi_\S+\n", made.stdout), made.stderr
    command = Command(tmp_path / "home")
    command.environ |= {"ALOI_SERVER": f"http://127.0.0.1:{port}", "ALOI_API_KEY": made.stdout.strip()}
    return command


def test_ctrl_c_stops_the_run_on_the_server(
    aloi: Command, host: Command, port: int, models: ModelServerProcess, servers: list[Served], tmp_path: Path
) -> None:
    servers.append(Served(host, "--port", str(port)))
    suite = write_suite(tmp_path, target_of("openai", models.url), prompts(CASES), run={"concurrency": 2})
    process = aloi.start("run", str(suite))
    until(lambda: stats(models.root)["requests"] > 4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 1, err
    assert "cancelled" in out and "aloi runs resume" in out
    asked = stats(models.root)["requests"]
    assert asked < CASES
    assert "cancelled" in aloi.run("runs", "list").stdout
    resumed = aloi.run("runs", "resume", "latest")
    assert resumed.returncode == 0, resumed.stderr
    assert f"{CASES}/{CASES} passed" in resumed.stdout
    assert not (aloi.home / "aloi.db").exists()


def test_a_run_is_followed_through_a_restart(
    aloi: Command, host: Command, port: int, models: ModelServerProcess, servers: list[Served], tmp_path: Path
) -> None:
    servers.append(first := Served(host, "--port", str(port)))
    suite = write_suite(tmp_path, target_of("openai", models.url), prompts(CASES), run={"concurrency": 2})
    process = aloi.start("run", str(suite))
    until(lambda: stats(models.root)["requests"] > 4)
    first.end()
    servers.append(Served(host, "--port", str(port)))
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert f"{CASES}/{CASES} passed" in out
    assert stats(models.root)["requests"] == CASES


def test_nobody_there(aloi: Command, tmp_path: Path) -> None:
    suite = write_suite(tmp_path, {"kind": "replay", "outputs": {"k0": "case"}}, prompts(1))
    ended = aloi.run("run", str(suite))
    assert (ended.returncode, ended.stdout) == (3, "")
    assert "is it running, and the address right?" in ended.stderr
