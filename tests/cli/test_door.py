import os
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from aloi.cli.door import carry_out, surroundings
from aloi.cli.main import app
from aloi.cli.tree import Globals


def context(given: Globals | None) -> typer.Context:
    made = typer.Context(get_command(app))
    made.obj = given
    return made


def test_global_options_win_over_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ALOI_MODEL", "openai:one")
    environ, settings = surroundings(context(Globals(home=str(tmp_path))))
    assert (settings.home, settings.model) == (tmp_path, "openai:one")
    assert environ["ALOI_HOME"] == str(tmp_path)
    assert os.environ["ALOI_HOME"] != str(tmp_path)


def test_without_options_the_environment_stands(tmp_path: Path) -> None:
    assert surroundings(context(None)).settings.home == tmp_path / "home"


def test_work_is_carried_out() -> None:
    async def work() -> int:
        return 42

    assert carry_out(work()) == 42
