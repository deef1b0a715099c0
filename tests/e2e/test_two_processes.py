"""Two commands on one database at the same time: both do all their work, and neither disturbs the other."""

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.command import Command, stats
from tests.e2e.suites import prompts, target_of, write_suite
from tests.model_server import ChatRequestBody, ModelServer, ModelServerProcess, Reply, serve

CASES = 40


@pytest.fixture
def server() -> Iterator[ModelServerProcess]:
    with serve("--latency", "0.05") as started:
        yield started


def suite_of(folder: Path, server: ModelServerProcess, name: str) -> Path:
    return write_suite(folder, target_of("openai", server.url), prompts(CASES), name, run={"concurrency": 4})


def assert_passed(process: subprocess.Popen[str]) -> None:
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, out + err
    assert f"{CASES}/{CASES} passed" in out
    assert "Traceback" not in err


@pytest.mark.parametrize("names", [("one", "two"), ("same", "same")], ids=["two suites", "one suite"])
def test_two_runs_at_once_on_a_new_database(
    aloi: Command, tmp_path: Path, server: ModelServerProcess, names: tuple[str, str]
) -> None:
    """Both make the database, the dataset and the target's version; in the second case the same ones."""
    suites = [suite_of(tmp_path, server, name) for name in names]
    processes = [aloi.start("run", str(suite)) for suite in suites]
    for process in processes:
        assert_passed(process)
    results = "SELECT status, (SELECT count(*) FROM results WHERE run_id = runs.id) FROM runs"
    assert aloi.rows(results) == [("completed", CASES)] * 2
    assert aloi.rows("SELECT count(*) FROM dataset_revisions") == [(len(set(names)),)]
    assert aloi.rows("SELECT count(*) FROM executions") == [(2 * CASES,)]
    asked = stats(server.root)
    assert asked["prompts"] == {f"case {n}": 2 for n in range(CASES)}
    assert asked["max_in_flight"] > 4, "the two runs were never at work together"


async def until_four_are_stored(aloi: Command, server: ModelServer) -> None:
    """Wait until a run of eight at once has four results and waits for its other answers."""
    async with asyncio.timeout(30):
        await server.until(lambda stats: stats.requests == 12)
        while not (await asyncio.to_thread(aloi.rows, "SELECT count(*) = 4 FROM results"))[0][0]:
            await asyncio.sleep(0.01)


def held_after_four(server: ModelServer) -> asyncio.Event:
    """Make a server answer four prompts, and the others when the event is set."""
    released = asyncio.Event()

    async def reply(request: ChatRequestBody) -> Reply:
        if int(request.prompt.removeprefix("case ")) >= 4:
            await released.wait()
        return request.prompt

    server.reply = reply
    return released


def held_suite(folder: Path, server: ModelServer) -> str:
    target = target_of("openai", server.url)
    return str(write_suite(folder, target, prompts(CASES), "one", run={"concurrency": 8}))


async def test_others_may_read_and_edit_while_a_run_goes_on(
    aloi: Command, tmp_path: Path, model_server: ModelServer
) -> None:
    released = held_after_four(model_server)
    process = aloi.start("run", held_suite(tmp_path, model_server))
    await until_four_are_stored(aloi, model_server)
    listed = await asyncio.to_thread(aloi.run, "runs", "list")
    assert "running" in listed.stdout
    assert len(aloi.export()["results"]) == 4
    # The run has frozen its revision: taking the cases away changes nothing of it.
    (tmp_path / "one.csv").write_text("key,prompt\nother,nothing\n", encoding="utf-8")
    edited = await asyncio.to_thread(aloi.run, "datasets", "import", str(tmp_path / "one.csv"), "--replace")
    assert edited.returncode == 0, edited.stderr

    released.set()
    await asyncio.to_thread(assert_passed, process)

    exported = await asyncio.to_thread(aloi.export)
    assert len(exported["results"]) == CASES
    assert aloi.rows("SELECT key FROM cases") == [("other",)]


async def test_another_process_may_cancel_a_run(aloi: Command, tmp_path: Path, model_server: ModelServer) -> None:
    held_after_four(model_server)
    process = aloi.start("run", held_suite(tmp_path, model_server))
    await until_four_are_stored(aloi, model_server)

    cancelled = await asyncio.to_thread(aloi.run, "runs", "cancel", "latest")
    out, err = await asyncio.to_thread(process.communicate, timeout=60)

    assert cancelled.returncode == 0, cancelled.stdout + cancelled.stderr
    assert process.returncode == 1, out + err
    assert " cancelled after " in out
    assert "Traceback" not in err
    assert aloi.rows("SELECT status, (SELECT count(*) FROM results) FROM runs") == [("cancelled", 4)]
    assert aloi.export()["summary"]["passed"] == 4
