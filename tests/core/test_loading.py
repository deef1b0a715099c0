import subprocess
import sys

import pytest

from aloi.core.loading import module


def test_a_module_by_its_name() -> None:
    assert module("aloi.core.loading").module is module


def test_what_is_not_installed() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        module("no_such_module")


@pytest.mark.parametrize(
    ("imported", "heavy"),
    [
        ("aloi", "pydantic"),
        ("aloi.cli.main", "pydantic"),
        ("aloi.core.evaluator", "jsonpath_rfc9535"),
        ("aloi.cli.run", "yaml"),
        ("aloi.cli.run", "rich.progress"),
    ],
)
def test_what_is_heavy_waits_until_it_is_used(imported: str, heavy: str) -> None:
    program = f"import sys, {imported}; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
