"""The package's front: what `import aloi` gives, and what it costs."""

import subprocess
import sys

import pytest

import aloi
from aloi.sdk import evaluate, grade


@pytest.mark.parametrize("name", aloi.__all__)
def test_the_sdk_is_loaded_when_it_is_used(name: str) -> None:
    assert getattr(aloi, name) is getattr(grade if name == "grade" else evaluate, name)


def test_what_is_not_there_is_said_as_python_says_it() -> None:
    with pytest.raises(AttributeError, match="module 'aloi' has no attribute 'nope'"):
        getattr(aloi, "nope")  # noqa: B009 - a type checker knows that it is not there


def test_importing_it_loads_nothing_heavy() -> None:
    program = "import sys, aloi; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"pydantic_ai", "aiohttp", "aloi.sdk", "sqlite3", "typer"} & set(done.stdout.split())
