"""The import contracts hold, and each one is shown to fail on a planted violation."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.layout import ROOT

PLANTED = [
    pytest.param("core/planted.py", "import aloi.store.database\n", "Imports point down", id="core imports the store"),
    pytest.param(
        "runner/planted.py", "import aloi.store.database\n", "Imports point down", id="runner knows the store"
    ),
    pytest.param("extra/__init__.py", "", "Imports point down", id="a package outside the list"),
    pytest.param("core/planted.py", "import aiohttp\n", "Core does no I/O", id="core imports a network library"),
    pytest.param("core/planted.py", "import os\n", "Core does no I/O", id="core imports os"),
    pytest.param("evaluators/planted.py", "import aiohttp\n", "Evaluators know core", id="an evaluator on the network"),
    pytest.param("evaluators/planted.py", "import aloi.llm\n", "Evaluators know core", id="an evaluator knows llm"),
    pytest.param("evaluators/planted.py", "import aloi.evaluators.contains\n", "are independent", id="evaluators"),
    pytest.param("steps/planted.py", "import aloi.steps.transform\n", "are independent", id="steps"),
    pytest.param("targets/planted.py", "import aloi.targets.http\n", "are independent", id="targets"),
    pytest.param("tools/planted.py", "import aloi.tools.calculator\n", "are independent", id="tools"),
    pytest.param("service/planted.py", "import sqlalchemy\n", "SQL in the store only", id="SQL in the service"),
    pytest.param("cli/planted.py", "import aloi.service\n", "The command line talks", id="the CLI knows the service"),
]


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the copy of the project in `folder`."""
    program = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [program, "--config", "pyproject.toml", "--no-cache"],
        cwd=folder,
        env={"PYTHONPATH": str(folder / "src"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the source that may be spoilt."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_contracts_hold() -> None:
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(("file", "source", "contract"), PLANTED)
def test_a_planted_violation_is_caught(project: Path, file: str, source: str, contract: str) -> None:
    planted = project / "src" / "aloi" / file
    planted.parent.mkdir(exist_ok=True)
    planted.write_text(source, encoding="utf-8")
    result = lint(project)
    broken = result.stdout.partition("Broken contracts")[2]
    assert result.returncode != 0
    assert contract in broken, result.stdout


def test_a_circle_is_caught(project: Path) -> None:
    """Two modules of one package that import each other."""
    (project / "src/aloi/core/planted_a.py").write_text("import aloi.core.planted_b\n", encoding="utf-8")
    (project / "src/aloi/core/planted_b.py").write_text("import aloi.core.planted_a\n", encoding="utf-8")
    result = lint(project)
    assert "No circles" in result.stdout.partition("Broken contracts")[2], result.stdout
