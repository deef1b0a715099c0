"""A disk that fills up, a database that may only be read, one that is damaged: said clearly, and nothing is lost.

A file-size limit stands in for a full disk: SQLite's writes fail in the middle, as they do on a full one.
"""

import resource
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.command import ALOI, Command, stats
from tests.e2e.suites import Json, prompts, target_of, write_suite
from tests.model_server import ModelServerProcess, serve

CASES = 60
LATEST = "(SELECT id FROM runs ORDER BY created_at DESC LIMIT 1)"
ANSWER = "x" * 30_000  # so that the answers of a run are larger than its cases


@pytest.fixture(autouse=True)
def importable(aloi: Command, tmp_path: Path) -> None:
    """Let every command find the target's module, which `aloi run` alone finds by its suite."""
    aloi.environ["PYTHONPATH"] = str(tmp_path)


@pytest.fixture
def server() -> Iterator[ModelServerProcess]:
    with serve("--latency", "0.01") as started:
        yield started


def limited(aloi: Command, most: int, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command where no file may grow beyond so many bytes."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run(
        [ALOI, *words],
        env=aloi.environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=limit,
    )


def size(aloi: Command) -> int:
    """The bytes of the database; its log is folded into it."""
    return (aloi.home / "aloi.db").stat().st_size


def python_suite(folder: Path, cases: int, name: str = "suite") -> Path:
    """A suite of a function with long answers that writes down each call."""
    (folder / "answers.py").write_text(
        "import time\n"
        "from pathlib import Path\n"
        "def answer(given):\n"
        "    time.sleep(0.05)\n"
        "    with Path(__file__).with_name('calls').open('a') as calls:\n"
        "        print(given, file=calls)\n"
        f"    return given + {ANSWER!r}\n",
        encoding="utf-8",
    )
    return write_suite(folder, {"kind": "python", "function": "answers:answer"}, prompts(cases), name)


def calls(folder: Path) -> list[str]:
    path = folder / "calls"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def assert_says_full(run: subprocess.CompletedProcess[str]) -> None:
    assert run.returncode == 3, run.stdout + run.stderr
    assert "aloi.db" in run.stderr
    assert "full disk" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_disk_that_fills_up_during_a_run(aloi: Command, tmp_path: Path) -> None:
    suite = python_suite(tmp_path, CASES)
    assert aloi.run("run", str(python_suite(tmp_path, 1, "first"))).returncode == 0
    (tmp_path / "calls").unlink()

    run = limited(aloi, size(aloi) + 1_000_000, "run", str(suite))

    assert_says_full(run)
    assert "broke off; what is finished is kept: aloi runs resume" in run.stderr
    assert aloi.rows(f"SELECT status IN ('failed', 'running') FROM runs WHERE id = {LATEST}") == [(1,)]
    positions = aloi.rows(f"SELECT position FROM executions WHERE run_id = {LATEST}")
    stored = {f"case {position}" for (position,) in positions}
    assert 0 < len(stored) < CASES
    first = calls(tmp_path)
    assert stored <= set(first)

    resumed = aloi.run("runs", "resume", "latest")

    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    assert f"{CASES}/{CASES} passed" in resumed.stdout
    again = calls(tmp_path)[len(first) :]
    assert sorted(again) == sorted({f"case {n}" for n in range(CASES)} - stored), "something stored was paid twice"
    assert aloi.rows(f"SELECT count(*) FROM results WHERE run_id = {LATEST}") == [(CASES,)]


@pytest.mark.parametrize("most", [0, 50_000])
def test_a_disk_that_is_full_before_the_database_is_made(aloi: Command, tmp_path: Path, most: int) -> None:
    suite = python_suite(tmp_path, 3)
    run = limited(aloi, most, "run", str(suite))
    assert_says_full(run)
    assert calls(tmp_path) == []
    run = aloi.run("run", str(suite))
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_disk_that_is_full_when_the_run_is_to_start(
    aloi: Command, tmp_path: Path, server: ModelServerProcess
) -> None:
    target = target_of("openai", server.url)
    assert aloi.run("run", str(write_suite(tmp_path, target, prompts(1), "first"))).returncode == 0
    large: list[Json] = [{"key": f"k{n}", "prompt": f"case {n} {ANSWER}"} for n in range(CASES)]
    suite = write_suite(tmp_path, target, large)
    assert_says_full(limited(aloi, size(aloi) + 500_000, "run", str(suite)))
    assert stats(server.root)["requests"] == 1
    assert aloi.rows("SELECT count(*) FROM runs") == [(1,)]
    assert aloi.run("run", str(suite)).returncode == 0


def test_a_report_that_does_not_fit_loses_nothing(aloi: Command, tmp_path: Path) -> None:
    suite = python_suite(tmp_path, 3)
    assert aloi.run("run", str(suite)).returncode == 0
    exported = limited(aloi, 50_000, "runs", "export", "latest", "--format", "json", "--output", str(tmp_path / "x"))
    assert exported.returncode == 3
    assert "File too large" in exported.stderr
    assert "Traceback" not in exported.stderr
    assert aloi.rows("SELECT count(*) FROM results") == [(3,)]


def test_a_database_that_is_only_read(aloi: Command, tmp_path: Path) -> None:
    suite = python_suite(tmp_path, 1)
    assert aloi.run("run", str(suite)).returncode == 0
    aloi.environ["ALOI_DATABASE_URL"] = f"file:{aloi.home / 'aloi.db'}?mode=ro"
    before = calls(tmp_path)

    for words in (("run", str(suite)), ("runs", "retry", "latest"), ("datasets", "import", str(tmp_path / "more.csv"))):
        (tmp_path / "more.csv").write_text("key,prompt\na,case\n", encoding="utf-8")
        refused = aloi.run(*words)
        assert refused.returncode == 3, refused.stdout + refused.stderr
        assert "is opened read-only, so nothing can be written; open it without mode=ro" in refused.stderr
        assert "Traceback" not in refused.stderr

    assert calls(tmp_path) == before
    assert len(aloi.export()["results"]) == 1


def test_a_database_to_read_that_is_not_there(aloi: Command, tmp_path: Path) -> None:
    aloi.environ["ALOI_DATABASE_URL"] = f"file:{tmp_path / 'none.db'}?mode=ro"
    listed = aloi.run("runs", "list")
    assert listed.returncode == 3
    assert "none.db cannot be opened; see that the file or its folder is there" in listed.stderr
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("words", [("run", "SUITE"), ("runs", "list")], ids=["run", "list"])
def test_a_file_that_is_no_database(aloi: Command, tmp_path: Path, words: tuple[str, ...]) -> None:
    suite = str(python_suite(tmp_path, 1))
    text = "These are my notes.\n" * 500
    aloi.home.mkdir()
    (aloi.home / "aloi.db").write_text(text, encoding="utf-8")
    refused = aloi.run(*(suite if word == "SUITE" else word for word in words))
    assert refused.returncode == 3
    assert "aloi.db is not a SQLite database; name another file" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert (aloi.home / "aloi.db").read_text(encoding="utf-8") == text, "the user's file was written"
    assert calls(tmp_path) == []


def test_a_damaged_database(aloi: Command, tmp_path: Path) -> None:
    suite = python_suite(tmp_path, 3)
    assert aloi.run("run", str(suite)).returncode == 0
    calls_before = calls(tmp_path)
    with (aloi.home / "aloi.db").open("r+b") as file:
        file.seek(2 * 4096)
        file.write(b"\xff" * 30 * 4096)
    refused = aloi.run("run", str(suite))
    assert refused.returncode == 3
    assert "aloi.db is damaged; restore it from a backup" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert calls(tmp_path) == calls_before
