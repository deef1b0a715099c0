"""What the pages tell readers to write works: suites validate, Python compiles or runs, commands exist."""

import os
import re
import shlex
import subprocess
import sys
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from aloi.cli.main import app
from aloi.cli.tree import COMMANDS, load_command
from aloi.core.errors import InvalidInput
from aloi.service.suites.suite import Suite, parse_suite
from tests.docs.pages import Block, blocks

RUNS = "runs"  # the comment above a Python block that is run as a program
YAML, PYTHON = blocks("yaml"), blocks("python")
COMMAND = re.compile(r"^\s*(?:\w+=\S+ )*aloi (.*)$", re.M)
BEHIND = {"||", "&&", "|", ";", ">"}  # what a shell reads as the end of a command
FILLED = {"target": {"kind": "replay", "outputs": {"x": "y"}}, "cases": [{"prompt": "Hello", "expected_output": "Hi"}]}


def whole_suite(text: str) -> str | None:
    """A suite for the text: as it stands, or a part with the rest filled in; null when it is no part of a suite."""
    given = yaml.safe_load(text)
    if not isinstance(given, dict) or not set(given) <= set(Suite.model_fields):
        return None
    missing = {name: value for name, value in FILLED.items() if name not in given}
    if "dataset" in given:
        missing.pop("cases", None)
    return text + yaml.safe_dump(missing) if missing else text


@pytest.mark.parametrize("block", YAML, ids=lambda block: block.name)
def test_yaml(block: Block) -> None:
    text = whole_suite(block.text)
    if text is not None:
        parse_suite(text, "suite.yaml")


def test_most_yaml_is_suites() -> None:
    assert sum(whole_suite(block.text) is not None for block in YAML) > len(YAML) / 2


def test_a_bad_suite_is_seen() -> None:
    with pytest.raises(InvalidInput):
        parse_suite(whole_suite("evaluators: [{kind: contain}]\n") or "", "suite.yaml")


@pytest.mark.parametrize("block", PYTHON, ids=lambda block: block.name)
def test_python_compiles(block: Block) -> None:
    compile(block.text, block.name, "exec", flags=0x2000)  # top-level await, as in a notebook


@pytest.mark.parametrize("block", [block for block in PYTHON if block.word == RUNS], ids=lambda block: block.name)
def test_python_runs(block: Block, tmp_path: Path) -> None:
    script = tmp_path / "snippet.py"
    script.write_text(block.text, encoding="utf-8")
    environ = {**os.environ, "ALOI_HOME": str(tmp_path / "home")}
    ended = subprocess.run([sys.executable, script], env=environ, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_some_python_runs() -> None:
    assert any(block.word == RUNS for block in PYTHON)


@pytest.mark.parametrize("block", blocks("sh", "yaml"), ids=lambda block: block.name)
def test_commands_exist(block: Block) -> None:
    for line in COMMAND.findall(block.text.replace("\\\n", " ")):
        check_command(list(takewhile(lambda word: word not in BEHIND, shlex.split(line, comments=True))))


def check_command(words: list[str]) -> None:
    """Raises AssertionError when a command, or one of its options, is not there."""
    part: Any = get_command(app)
    while words and (inner := commands(part).get(words[0])) is not None:
        part, words = inner, words[1:]
    assert not commands(part) or all(word.startswith("-") for word in words), f"no command {words[:1]}"
    known = {option for parameter in part.params for option in parameter.opts} | {"--help"}
    unknown = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)} - known
    assert not unknown, f"no option {unknown}"


def commands(part: Any) -> dict[str, Any]:
    """The commands of a group, loaded; empty for a command."""
    if part.name == "aloi":
        return {name: load_command(entry) for name, entry in COMMANDS.items()}
    return getattr(part, "commands", {})


@pytest.mark.parametrize("line", ["rn suite.yaml", "run suite.yaml --min-pass 0.8", "runs remove latest"])
def test_a_wrong_command_is_seen(line: str) -> None:
    with pytest.raises(AssertionError):
        check_command(line.split())
