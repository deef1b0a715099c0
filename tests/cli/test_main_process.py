"""How the process `aloi` ends: quickly, and yet with all that others do at the end of one."""

import subprocess
import sys
from pathlib import Path

import pytest

TARGET = """
import atexit, pathlib, threading, time

def answer(text):
    return "yes"

def late():
    time.sleep(0.1)
    pathlib.Path("thread").write_text("waited for")

atexit.register(lambda: print("at exit", flush=False))
threading.Thread(target=late).start()

log = open("log", "w")
log.write("never closed")
"""
PROGRAM = """
import pathlib, sys
from aloi.cli.__main__ import run

class Kept:
    def __del__(self):
        pathlib.Path("freed").write_text("one by one")

kept = Kept()
sys.argv[0] = "aloi"
run()
"""
RECORDED = """
target: {kind: replay, outputs: {a: "yes"}}
evaluators: [{kind: contains, text: WANTED}]
cases: [{key: a, prompt: a}]
"""
SUITE = """
target: {kind: python, function: "a_target:answer"}
evaluators: [{kind: contains, text: WANTED}]
cases: [{prompt: a}]
"""


def ended(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "aloi.cli", "--home", "home", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize(("wanted", "code"), [("yes", 0), ("no", 1)])
def test_threads_and_what_is_registered_for_the_exit_come_first(tmp_path: Path, wanted: str, code: int) -> None:
    (tmp_path / "a_target.py").write_text(TARGET)
    (tmp_path / "suite.yaml").write_text(SUITE.replace("WANTED", wanted))
    done = ended(tmp_path, "run", "suite.yaml")
    assert done.returncode == code, done.stderr
    assert done.stdout.endswith("at exit\n")
    assert (tmp_path / "thread").read_text() == "waited for"
    assert (tmp_path / "log").read_text() == "never closed"


@pytest.mark.parametrize(("wanted", "code"), [("yes", 0), ("no", 1)])
def test_what_our_code_made_is_not_freed_one_by_one(tmp_path: Path, wanted: str, code: int) -> None:
    (tmp_path / "suite.yaml").write_text(RECORDED.replace("WANTED", wanted))
    command = [sys.executable, "-c", PROGRAM, "--home", "home", "run", "suite.yaml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (code, 1), done.stderr
    assert "completed" in done.stdout
    assert not (tmp_path / "freed").exists()


def test_wrong_usage_and_broken_work_say_so(tmp_path: Path) -> None:
    assert ended(tmp_path, "run").returncode == 2
    assert ended(tmp_path, "run", "nowhere.yaml").returncode == 2
    (tmp_path / "home").write_text("not a folder")
    broken = ended(tmp_path, "runs", "list")
    assert broken.returncode == 3
    assert broken.stderr.startswith("Error: ")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_the_caller_closed_goes_nowhere(tmp_path: Path, closed: str) -> None:
    (tmp_path / "a_target.py").write_text("def answer(text):\n    return 'yes'\n")
    (tmp_path / "suite.yaml").write_text(SUITE.replace("WANTED", "yes"))
    command = f'exec "{sys.executable}" -m aloi.cli --home home run suite.yaml {closed}'
    assert subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True).returncode == 0
    listed = ended(tmp_path, "runs", "list").stdout
    assert "1/1" in listed or "100%" in listed, listed
