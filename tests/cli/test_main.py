import subprocess
import sys

import pytest

from aloi import __version__
from aloi.cli import tree
from tests.cli.conftest import Aloi

HEAVY = ("sqlalchemy", "aiohttp", "pydantic_ai", "rich.progress", "rich.markdown", "aloi.sdk", "aloi.service", "openai")
WEIGH = f"""
import sys
from aloi.cli.main import main
sys.argv = ["aloi", "--help"]
try:
    main()
finally:
    print([name for name in {HEAVY!r} if name in sys.modules])
"""


def test_version(aloi: Aloi) -> None:
    ended = aloi("--version")
    assert (ended.code, ended.out) == (0, f"aloi {__version__}\n")


def test_help_names_every_command_within_80_columns(aloi: Aloi) -> None:
    ended = aloi("--help")
    assert ended.code == 0
    assert all(name in ended.out for name in tree.COMMANDS)
    assert all(entry.help in ended.out for entry in tree.COMMANDS.values()), "a line of help is cut"
    assert max(map(len, ended.out.splitlines())) <= 80


def test_help_imports_nothing_heavy() -> None:
    said = subprocess.run([sys.executable, "-c", WEIGH], capture_output=True, text=True, check=True)
    assert said.stdout.endswith("[]\n"), said.stdout


def test_without_arguments_it_shows_its_help_as_wrong_usage(aloi: Aloi) -> None:
    ended = aloi()
    assert ended.code == 2
    assert "Usage: aloi" in ended.err


def test_an_unknown_command_is_wrong_usage_and_the_nearest_is_named(aloi: Aloi) -> None:
    ended = aloi("rnu")
    assert ended.code == 2
    assert "Did you mean 'run'" in ended.err


def test_an_unexpected_error_is_one_line_and_code_3(aloi: Aloi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tree.COMMANDS, "run", tree.Entry("aloi.cli.run", "no_such_thing", ""))
    ended = aloi("run", "suite.yaml")
    assert ended.code == 3
    assert ended.err.count("\n") == 1
    assert "AttributeError" in ended.err
    assert "ALOI_DEBUG=1" in ended.err
    monkeypatch.setenv("ALOI_DEBUG", "1")
    assert "Traceback" in aloi("run", "suite.yaml").err


def test_a_bad_setting_is_named(aloi: Aloi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALOI_ALLOW_CODE", "perhaps")
    ended = aloi("runs", "list")
    assert ended.code == 2
    assert "allow_code" in ended.err
