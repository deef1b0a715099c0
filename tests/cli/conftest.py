"""The command line as tests call it: in this process, or as a process of its own."""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from aloi.cli.main import main
from aloi.core.access import Role
from tests.cli.serving import ThreadServer, thread_server
from tests.model_server import serve

FORCED = ("FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "NO_COLOR", "GITHUB_ACTIONS")


@dataclass(frozen=True)
class Ended:
    """How a call of the command line ended."""

    code: int
    out: str
    err: str


Aloi = Callable[..., Ended]


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    """The base URL of a model server."""
    with serve() as server:
        yield server.url


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A fresh home, 80 columns, no colours forced, and nothing else of ours in the environment."""
    for name in (*FORCED, *(name for name in os.environ if name.startswith("ALOI_"))):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ALOI_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "path", list(sys.path))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ThreadServer]:
    """A server over a home of its own, which allows no code."""
    with thread_server(tmp_path / "server") as running:
        yield running


@pytest.fixture
def there(server: ThreadServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ThreadServer]:
    """The same, named in the environment with an owner's key; the test fails if anything is stored here instead."""
    monkeypatch.setenv("ALOI_SERVER", server.url)
    monkeypatch.setenv("ALOI_API_KEY", server.key(Role.OWNER))
    yield server
    assert not (tmp_path / "home").exists()


# Of tests that hold in this process and by a server: `pytestmark = HERE_AND_THERE`.
HERE_AND_THERE = pytest.mark.parametrize("where", ["here", "there"], indirect=True)


@pytest.fixture
def where(request: pytest.FixtureRequest) -> str:
    """Where commands are carried out: `here`, in this process, or `there`, by a server."""
    place = getattr(request, "param", "here")
    if place == "there":
        request.getfixturevalue("there")
    return place


@pytest.fixture
def aloi(where: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Aloi:
    """Calls the command line in this process: `aloi("runs", "list").code`."""

    def call(*arguments: str | Path, stdin: bytes = b"") -> Ended:
        monkeypatch.setattr(sys, "argv", ["aloi", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return Ended(int(ended.value.code or 0), said.out, said.err)

    return call


@dataclass
class Started:
    """A process of the command line that is going on."""

    process: subprocess.Popen[str]

    def until(self, text: str) -> str:
        """Wait for a line of the standard error that holds the text."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if text in line:
                return line
        raise AssertionError(f"the process ended without saying {text!r}")

    def ended(self) -> Ended:
        """Wait for its end."""
        out, err = self.process.communicate(timeout=30)
        return Ended(self.process.returncode, out, err)


@pytest.fixture
def start() -> Iterator[Callable[..., Started]]:
    """Starts the command line as a process of its own; it is killed at the end of the test."""
    started: list[subprocess.Popen[str]] = []

    def call(*arguments: str | Path, **environ: str) -> Started:
        command = [sys.executable, "-m", "aloi.cli", *map(str, arguments)]
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **environ},
        )
        started.append(process)
        return Started(process)

    yield call
    for process in started:
        with process:
            process.kill()


WriteSuite = Callable[..., Path]


@pytest.fixture
def suite(tmp_path: Path, endpoint: str) -> WriteSuite:
    """Writes a suite: prompts by key for a model of the model server, graded by whether `Paris` is in the answer."""

    def write(model: str = "echo", more: str = "", **prompts: str) -> Path:
        cases = "".join(f"  - {{key: {key}, prompt: {prompt!r}}}\n" for key, prompt in prompts.items())
        path = tmp_path / "suite.yaml"
        path.write_text(
            "name: Capitals\n"
            f"target: {{kind: openai, model: 'openai:{model}', base_url: '{endpoint}'}}\n"
            "evaluators: [{kind: contains, text: Paris}]\n"
            f"cases:\n{cases}{more}"
        )
        return path

    return write
