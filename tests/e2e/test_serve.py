"""`aloi serve` as a process: killed, ended in order, two on one database; no finished case is invoked again."""

import signal
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import Command, stats, until
from tests.e2e.serving import Served, prepare
from tests.model_server import ModelServerProcess, serve
from tests.store.backends import BACKENDS, fresh

CASES = 60
RUNS = "/api/eval/runs"


@pytest.fixture
def models() -> Iterator[ModelServerProcess]:
    with serve("--latency", "0.1") as server:
        yield server


@pytest.fixture(params=BACKENDS)
async def aloi(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Command]:
    """The command over a home of its own, with each kind of database."""
    command = Command(tmp_path / "home")
    async with fresh(request, tmp_path) as address:
        if request.param != "sqlite":
            command.environ["ALOI_DATABASE_URL"] = address
        yield command


def assert_whole(server: Served, run: dict[str, Any], models: ModelServerProcess, again: int) -> None:
    """Every case has passed once, and no more than `again` invocations were made twice: those that a kill cut off."""
    done = server.finished(run)
    assert (done["status"], done["summary"]["passed"], done["results_total"]) == ("completed", CASES, CASES), done
    assert done["summary"]["usage"]["calls"] == CASES
    prompts = stats(models.root)["prompts"]
    assert len(prompts) == CASES
    assert sum(prompts.values()) <= CASES + again


def killed(server: Served, run: dict[str, Any], models: ModelServerProcess) -> tuple[set[str], int]:
    """Kill it: which prompts were committed before, and how many more were asked, which another may ask again."""
    stored = {row["input"] for row in server.run(run)["results"]}
    server.kill()
    return stored, stats(models.root)["requests"] - len(stored)


def assert_asked_once(models: ModelServerProcess, stored: set[str]) -> None:
    """What was committed was not asked again."""
    prompts = stats(models.root)["prompts"]
    assert len(stored) >= 10
    assert {prompts[prompt] for prompt in stored} == {1}


def committed(server: Served, run: dict[str, Any]) -> int:
    return server.get(f"{RUNS}/{run['id']}/progress")["passed"]


async def test_a_kill_and_another_start(aloi: Command, models: ModelServerProcess, servers: list[Served]) -> None:
    body = await prepare(aloi, models.url, CASES)
    servers.append(first := Served(aloi))
    run = first.post(RUNS, body)
    until(lambda: committed(first, run) >= 10)
    stored, again = killed(first, run, models)
    servers.append(second := Served(aloi))
    assert_whole(second, run, models, again)
    assert_asked_once(models, stored)


async def test_an_end_in_order_lets_what_is_in_flight_end(
    aloi: Command, models: ModelServerProcess, servers: list[Served]
) -> None:
    body = await prepare(aloi, models.url, CASES)
    servers.append(first := Served(aloi))
    run = first.post(RUNS, body)
    until(lambda: committed(first, run) >= 10)
    _, err = first.end()
    assert (first.process.returncode, err) == (0, "")
    asked = stats(models.root)["requests"]
    assert asked < CASES
    servers.append(second := Served(aloi))
    until(lambda: committed(second, run) > 0)
    # Whatever was asked had been answered and stored: nothing is asked twice.
    assert_whole(second, run, models, again=0)


async def test_of_two_servers_the_other_goes_on_at_once(
    aloi: Command, models: ModelServerProcess, servers: list[Served]
) -> None:
    body = await prepare(aloi, models.url, CASES)
    servers.extend([first := Served(aloi), second := Served(aloi)])
    run = first.post(RUNS, body)
    until(lambda: committed(second, run) >= 10)
    assert second.run(run)["status"] == "running"
    stored, again = killed(first, run, models)
    assert_whole(second, run, models, again)
    assert_asked_once(models, stored)


async def test_one_that_ends_gives_its_runs_to_the_other(
    aloi: Command, models: ModelServerProcess, servers: list[Served]
) -> None:
    body = await prepare(aloi, models.url, CASES)
    servers.extend([first := Served(aloi), second := Served(aloi)])
    run = first.post(RUNS, body)
    until(lambda: committed(second, run) >= 10)
    first.end()
    assert second.run(run)["status"] == "running"
    assert_whole(second, run, models, again=0)


@pytest.mark.parametrize("aloi", ["sqlite"], indirect=True)
class TestOnSqlite:
    """What has nothing to do with the kind of database."""

    async def test_after_the_grace_time_the_rest_is_interrupted_and_given_back(
        self, aloi: Command, servers: list[Served]
    ) -> None:
        with serve("--latency", "60") as slow:
            body = await prepare(aloi, slow.url, CASES)
            servers.append(first := Served(aloi, "--grace", "0.2"))
            run = first.post(RUNS, body)
            until(lambda: stats(slow.root)["requests"] == 4)
            first.end(seconds=15)
            assert first.process.returncode == 0
        assert aloi.rows("SELECT status, lease_owner FROM runs") == [("running", None)]
        assert run["status"] == "running"

    async def test_a_second_signal_ends_it_at_once(self, aloi: Command, servers: list[Served]) -> None:
        with serve("--latency", "60") as slow:
            body = await prepare(aloi, slow.url, 1)
            servers.append(first := Served(aloi, "--grace", "60"))
            first.post(RUNS, body)
            until(lambda: stats(slow.root)["requests"] == 1)
            first.process.send_signal(signal.SIGINT)
            with pytest.raises(subprocess.TimeoutExpired):
                first.process.wait(0.2)
            first.process.send_signal(signal.SIGTERM)
            assert first.process.wait(10) == 128 + signal.SIGTERM

    async def test_a_run_that_cannot_go_on_fails_with_the_reason(
        self, aloi: Command, models: ModelServerProcess, servers: list[Served]
    ) -> None:
        """Here the model's key was there at first; nothing is tried for ever."""
        body = await prepare(aloi, models.url, CASES)
        servers.append(first := Served(aloi))
        run = first.post(RUNS, body)
        until(lambda: committed(first, run) >= 10)
        first.kill()
        named = '"api_key_env": "GONE_API_KEY", "base_url"'
        aloi.rows(f"UPDATE target_versions SET definition = replace(definition, '\"base_url\"', '{named}')")
        servers.append(second := Served(aloi))
        done = second.finished(run)
        assert done["status"] == "failed"
        assert "GONE_API_KEY" in done["reason"]
        assert done["summary"]["passed"] == done["results_total"] >= 10

    async def test_an_exposed_address_needs_users(self, aloi: Command) -> None:
        refused = aloi.run("serve", "--host", "0.0.0.0", "--port", "0")
        assert refused.returncode == 2
        assert "aloi users add" in refused.stderr
        assert refused.stdout == ""

    async def test_a_port_that_is_taken(self, aloi: Command) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            refused = aloi.run("serve", "--port", str(taken.getsockname()[1]))
        assert refused.returncode == 2
        assert "--port 0 picks a free port" in refused.stderr

    async def test_code_runs_only_where_the_operator_said_so(
        self, aloi: Command, servers: list[Served], tmp_path: Path
    ) -> None:
        (tmp_path / "answers.py").write_text("def answer(given):\n    return given\n", encoding="utf-8")
        aloi.environ["PYTHONPATH"] = str(tmp_path)
        servers.append(server := Served(aloi))
        kinds = {kind["kind"]: kind for kind in server.get("/api/target-kinds")}
        assert kinds["python"]["allowed"] is False
        server.end()
        aloi.environ["ALOI_ALLOW_CODE"] = "true"
        servers.append(server := Served(aloi))
        kinds = {kind["kind"]: kind for kind in server.get("/api/target-kinds")}
        assert kinds["python"]["allowed"] is True
