"""`kill -9` at any moment, then `aloi runs resume`: nothing that is finished is lost, or paid twice."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.command import Command, stats, until
from tests.model_server import ModelServerProcess, serve

CASES = 60


@pytest.fixture
def target_server() -> Iterator[ModelServerProcess]:
    with serve("--latency", "0.03") as server:
        yield server


@pytest.fixture
def judge_server() -> Iterator[ModelServerProcess]:
    """Slow, so that a kill finds outcomes that are stored and not graded yet."""
    with serve("--latency", "0.4") as server:
        yield server


def write_suite(folder: Path, target: str, judge: str) -> Path:
    """A suite of prompts that say their number; every third also asks a judge."""
    cases = [
        {"key": f"k{n}", "prompt": f"case {n:03}", **({"expected_behavior": "It answers."} if n % 3 == 0 else {})}
        for n in range(CASES)
    ]
    suite = {
        "name": "Killed",
        "target": {"kind": "openai", "model": "echo", "base_url": target},
        "judge": {"model": "openai:judge-pass", "base_url": judge},
        "evaluators": [{"kind": "contains", "text": "case"}],
        "cases": cases,
        "run": {"concurrency": 4},
    }
    path = folder / "suite.json"
    path.write_text(json.dumps(suite), encoding="utf-8")
    return path


@pytest.mark.parametrize("requests", [1, 5, 17, 40, CASES])
def test_a_kill_and_a_resume(
    tmp_path: Path, target_server: ModelServerProcess, judge_server: ModelServerProcess, requests: int
) -> None:
    aloi = Command(tmp_path / "home")
    process = aloi.start("run", str(write_suite(tmp_path, target_server.url, judge_server.url)))
    until(lambda: stats(target_server.root)["requests"] >= requests or process.poll() is not None)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.communicate()
    invoked = aloi.rows("SELECT position FROM executions")
    graded = aloi.rows("SELECT position, figures, body FROM results ORDER BY position")

    resumed = aloi.run("runs", "resume", "latest")

    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    assert aloi.rows("SELECT status FROM runs") == [("completed",)]
    calls = stats(target_server.root)["prompts"]
    assert len(calls) == CASES
    for (position,) in invoked:
        assert calls[f"case {position:03}"] == 1, "an invocation that was stored was paid twice"
    assert sum(calls.values()) <= CASES + 2 * 4 + requests // 4, "more than what was in flight was invoked again"
    kept = aloi.rows("SELECT position, figures, body FROM results ORDER BY position")
    assert [row for row in kept if row[0] in {place for place, *_ in graded}] == graded
    assert_totals_are_sums(aloi)


def assert_totals_are_sums(aloi: Command) -> None:
    """The run's summary equals what its rows add up to."""
    exported = aloi.export()
    summary, results = exported["summary"], exported["results"]
    assert len(results) == CASES
    assert summary["passed"] == sum(result["verdict"] == "pass" for result in results) == CASES
    assert summary["usage"]["calls"] == sum(result["outcome"]["usage"]["calls"] for result in results) == CASES
    tokens = sum(result["outcome"]["usage"]["output_tokens"] for result in results)
    assert summary["usage"]["output_tokens"] == tokens
    judged = [score for result in results for score in result["scores"] if score["kind"] == "behavior_judge"]
    assert summary["judged"] == len(judged) == CASES // 3
    assert summary["judge_usage"]["calls"] == sum(score["usage"]["calls"] for score in judged)


def test_outcomes_without_scores_are_graded_without_invoking(
    tmp_path: Path, target_server: ModelServerProcess, judge_server: ModelServerProcess
) -> None:
    aloi = Command(tmp_path / "home")
    process = aloi.start("run", str(write_suite(tmp_path, target_server.url, judge_server.url)))
    waiting = "SELECT count(*) FROM executions e WHERE NOT EXISTS (SELECT 1 FROM results r WHERE r.execution_id = e.id)"
    database = tmp_path / "home" / "aloi.db"
    until(lambda: database.exists() and stats(target_server.root)["requests"] > 4)
    until(lambda: aloi.rows(waiting)[0][0] > 0)
    process.kill()
    process.communicate()
    assert aloi.rows(waiting)[0][0] > 0
    stored = [position for (position,) in aloi.rows("SELECT position FROM executions")]

    assert aloi.run("runs", "resume", "latest").returncode == 0

    calls = stats(target_server.root)["prompts"]
    assert {calls[f"case {position:03}"] for position in stored} == {1}
    assert aloi.rows(waiting)[0][0] == 0


def test_two_processes_do_not_work_on_one_run(
    tmp_path: Path, target_server: ModelServerProcess, judge_server: ModelServerProcess
) -> None:
    aloi = Command(tmp_path / "home")
    process = aloi.start("run", str(write_suite(tmp_path, target_server.url, judge_server.url)))
    until(lambda: stats(target_server.root)["requests"] > 2)
    second = aloi.run("runs", "resume", "latest")
    assert second.returncode == 2
    assert "is worked on by" in second.stderr
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert set(stats(target_server.root)["prompts"].values()) == {1}


def test_a_run_whose_process_is_gone_says_how_to_go_on(
    tmp_path: Path, target_server: ModelServerProcess, judge_server: ModelServerProcess
) -> None:
    aloi = Command(tmp_path / "home")
    process = aloi.start("run", str(write_suite(tmp_path, target_server.url, judge_server.url)))
    until(lambda: stats(target_server.root)["requests"] > 2)
    assert "running" in aloi.run("runs", "list").stdout
    process.kill()
    process.communicate()
    assert "interrupted" in aloi.run("runs", "list").stdout
    shown = aloi.run("runs", "show", "latest").stdout
    assert "interrupted" in shown
    assert "aloi runs resume" in shown
