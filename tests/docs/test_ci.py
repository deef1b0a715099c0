"""The pipelines of the page on CI, carried out: their very commands, in a shell, against a real server."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from aloi.core.access import Role
from aloi.service import targets
from tests.cli.serving import ThreadServer, thread_server
from tests.docs.pages import ROOT, blocks_of

PAGE = ROOT / "docs" / "how-to" / "ci.md"
THRESHOLD = 0.8
Environ = dict[str, str]


def pipelines() -> dict[str, dict[str, Any]]:
    """The pipelines of the page, by the word that tells their kind."""
    found = [yaml.safe_load(block.text) for block in blocks_of(PAGE, PAGE.read_text(encoding="utf-8"), ("yaml",))]
    return {
        "github" if "jobs" in pipeline else "gitlab": pipeline.get("jobs", pipeline)["evaluate"] for pipeline in found
    }


def shell(commands: str, folder: Path, environ: Environ) -> subprocess.CompletedProcess[str]:
    """Carry commands out as both kinds of runner do: a command that fails ends them."""
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", commands],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def on_github(folder: Path, environ: Environ) -> subprocess.CompletedProcess[str]:
    """Carry out each step that has commands, with what those before it left; one that fails ends the job."""
    job = pipelines()["github"]
    assert set(job["env"]) == {"ALOI_SERVER", "ALOI_API_KEY"}
    kept = folder / "github_env"
    kept.touch()
    ended = shell("true", folder, environ)
    for commands in [step["run"] for step in job["steps"] if "run" in step]:
        left = dict(line.split("=", 1) for line in kept.read_text().splitlines())
        ended = shell(commands, folder, {**environ, "GITHUB_ENV": str(kept), **left})
        if ended.returncode:
            break
    return ended


def on_gitlab(folder: Path, environ: Environ) -> subprocess.CompletedProcess[str]:
    """Carry the script out in one shell."""
    branches = {"CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main"}
    return shell("\n".join(pipelines()["gitlab"]["script"]), folder, {**environ, **branches})


Pipeline = Callable[[Path, Environ], subprocess.CompletedProcess[str]]
BOTH = pytest.mark.parametrize("pipeline", [on_github, on_gitlab])


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ThreadServer]:
    """A server."""
    with thread_server(tmp_path / "server") as running:
        yield running


@pytest.fixture
def environ(server: ThreadServer) -> Environ:
    """What the runner sets: the server, an editor's key, the installed command, and no package index."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    pip = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    return {**os.environ, "PATH": path, **pip, "ALOI_SERVER": server.url, "ALOI_API_KEY": server.key(Role.EDITOR)}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What is checked out: requirements (all there already), and a suite that `passing` fills."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "requirements.txt").write_text("# aloi\n")
    return folder


def passing(checkout: Path, number: int) -> None:
    """The suite `support`, in which so many of five cases pass: each number is another version of the target."""
    outputs = {key: "ok" if place < number else "no" for place, key in enumerate("abcde")}
    suite = {
        "name": "support",
        "target": {"kind": "replay", "outputs": outputs},
        "evaluators": [{"kind": "contains", "text": "ok"}],
        "cases": [{"key": key, "prompt": f"Question {key}"} for key in "abcde"],
    }
    (checkout / "suite.yaml").write_text(json.dumps(suite))


def set_gate(environ: Environ, server: ThreadServer, folder: Path) -> None:
    """The page's commands of an owner."""
    [commands, *_] = [block.text for block in blocks_of(PAGE, PAGE.read_text(encoding="utf-8"), ("sh",))]
    ended = shell(commands, folder, {**environ, "ALOI_API_KEY": server.key(Role.OWNER)})
    assert ended.returncode == 0, ended.stderr
    assert f"{THRESHOLD:.0%}" in ended.stdout


def active(server: ThreadServer) -> int | None:
    return server.do(targets.get(server.context, "support")).active


@BOTH
def test_a_good_version_becomes_active_and_a_bad_one_does_not(
    pipeline: Pipeline, server: ThreadServer, environ: Environ, checkout: Path
) -> None:
    passing(checkout, 3)
    assert pipeline(checkout, environ).returncode == 0  # there is no gate yet
    set_gate(environ, server, checkout)
    passing(checkout, 4)
    ended = pipeline(checkout, environ)
    assert ended.returncode == 0, ended.stderr
    assert active(server) == 2
    passing(checkout, 2)
    ended = pipeline(checkout, environ)
    assert ended.returncode == 1
    assert "support@3 may not become active." in ended.stdout
    assert active(server) == 2
    assert (checkout / "aloi.xml").read_text().count("<failure") == 3
    assert "<html" in (checkout / "aloi.html").read_text()


@BOTH
def test_a_version_that_comes_back_is_the_one_that_is_checked(
    pipeline: Pipeline, server: ThreadServer, environ: Environ, checkout: Path
) -> None:
    """It has its old number, which is not the newest."""
    for number in (3, 5):
        passing(checkout, number)
        assert pipeline(checkout, environ).returncode == 0
    set_gate(environ, server, checkout)
    passing(checkout, 3)
    ended = pipeline(checkout, environ)
    assert ended.returncode == 1
    assert "support@1 may not become active." in ended.stdout


@BOTH
@pytest.mark.parametrize(("fault", "code"), [("suite", 2), ("key", 2), ("server", 3)])
def test_what_is_no_answer_of_the_gate_ends_the_job(
    pipeline: Pipeline, server: ThreadServer, environ: Environ, checkout: Path, fault: str, code: int
) -> None:
    passing(checkout, 5)
    if fault == "suite":
        (checkout / "suite.yaml").write_text("name: support\n")
    faulty = {"key": {"ALOI_API_KEY": "aloi_wrong"}, "server": {"ALOI_SERVER": "http://127.0.0.1:1"}}.get(fault, {})
    ended = pipeline(checkout, {**environ, **faulty})
    assert ended.returncode != 0
    assert not (checkout / "aloi.json").exists()
    run = shell("aloi run suite.yaml", checkout, {**environ, **faulty})
    assert run.returncode == code, run.stderr


def test_what_is_kept() -> None:
    github = pipelines()["github"]["steps"][-1]
    assert (github["if"], github["with"]["path"].split()) == ("always()", ["aloi.xml", "aloi.html"])
    gitlab = pipelines()["gitlab"]["artifacts"]
    assert (gitlab["when"], gitlab["reports"]["junit"], gitlab["paths"]) == (
        "always",
        "aloi.xml",
        ["aloi.xml", "aloi.html"],
    )


def test_without_a_server(environ: Environ, checkout: Path, tmp_path: Path) -> None:
    """The page's last command, by the same rule."""
    commands = [block.text for block in blocks_of(PAGE, PAGE.read_text(encoding="utf-8"), ("sh",))][-1]
    here = {name: value for name, value in environ.items() if name not in ("ALOI_SERVER", "ALOI_API_KEY")}
    for number, code in ((4, 0), (3, 1)):
        passing(checkout, number)
        ended = shell(commands, checkout, {**here, "ALOI_HOME": str(tmp_path / "home")})
        assert ended.returncode == code, ended.stderr
    assert (checkout / "aloi.xml").is_file()
