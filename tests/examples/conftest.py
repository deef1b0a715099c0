"""The command line over the examples, in a process of its own and with a home of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.model_server import serve

EXAMPLES = Path(__file__).parents[2] / "examples"

Call = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    """The base URL of a model server."""
    with serve() as server:
        yield server.url


@pytest.fixture
def python(tmp_path: Path) -> Call:
    """Runs Python in the project's folder: `python("examples/python_agent.py")`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ALOI_", "OPENAI_"))}

    def call(*words: str | Path, **environ: str) -> subprocess.CompletedProcess[str]:
        surroundings = {**kept, "ALOI_HOME": str(tmp_path / "home"), "COLUMNS": "80", "NO_COLOR": "1", **environ}
        command = [sys.executable, *map(str, words)]
        return subprocess.run(
            command, cwd=EXAMPLES.parent, env=surroundings, capture_output=True, text=True, check=False, timeout=60
        )

    return call


@pytest.fixture
def run_suite(python: Call) -> Call:
    """Runs `aloi run` on a suite of the examples, with options."""

    def call(name: str, *options: str, **environ: str) -> subprocess.CompletedProcess[str]:
        return python("-m", "aloi.cli", "run", f"examples/{name}", *options, **environ)

    return call
