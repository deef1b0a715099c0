"""Kinds are found by name: in their folder, and under entry points of other packages."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from aloi import plugins
from aloi.core.errors import InvalidInput
from aloi.core.evaluator import Evaluator
from aloi.core.target import Target
from aloi.core.tool import Tool

SOURCE = Path(plugins.__file__).parent
KIND = '''
from typing import ClassVar
from aloi.core.evaluator import Evaluator

class Guest(Evaluator):
    """A kind of another package."""
    kind: ClassVar[str] = "guest"
    size: int = 1
'''
ENTRY_POINTS = """
[aloi.evaluators]
guest = guest_kinds.guest
wrong = guest_kinds.wrong
"""


def forget() -> None:
    """What was found is looked for again."""
    for cached in (plugins.kinds, plugins._registered, plugins.load):
        cached.cache_clear()


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed package with two kinds, one of them not what its name says."""
    package, info = tmp_path / "guest_kinds", tmp_path / "guest_kinds-1.0.dist-info"
    package.mkdir()
    info.mkdir()
    (package / "__init__.py").write_text("")
    (package / "guest.py").write_text(KIND)
    (package / "wrong.py").write_text(KIND)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guest-kinds\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    forget()
    yield
    forget()
    for name in [name for name in sys.modules if name.startswith("guest_kinds")]:
        del sys.modules[name]


@pytest.mark.parametrize(("family", "base"), [("evaluators", Evaluator), ("targets", Target), ("tools", Tool)])
def test_the_files_of_a_family_are_its_kinds(family: str, base: type[Evaluator] | type[Target] | type[Tool]) -> None:
    files = {file.stem for file in (SOURCE / family).glob("*.py") if not file.name.startswith("_")}
    assert plugins.kinds(family) == tuple(sorted(files))
    for kind in plugins.kinds(family):
        found = plugins.load(family, kind, base)
        assert issubclass(found, base)
        assert found.kind == kind
        assert found.describe()["title"]


def test_listing_imports_no_kind() -> None:
    code = "import sys; from aloi import plugins; plugins.kinds('evaluators'); plugins.kinds('targets'); "
    code += "print([name for name in sys.modules if name.startswith(('aloi.evaluators.', 'aloi.targets.'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_family_that_is_not_there_has_no_kinds() -> None:
    assert plugins.kinds("gadgets") == ()


def test_a_spec_becomes_its_kind() -> None:
    spec = {"kind": "contains", "text": "Paris"}
    built = plugins.build("evaluators", spec, Evaluator)
    assert (built.kind, built.to_spec()) == ("contains", spec)
    assert spec == {"kind": "contains", "text": "Paris"}


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ({}, "a spec among the evaluators lacks its kind; the kinds are: .*contains"),
        ({"kind": 5}, "lacks its kind"),
        ({"kind": "contain"}, "there is no kind 'contain' among the evaluators; the kinds are: .*contains"),
        ({"kind": "__init__"}, "there is no kind '__init__'"),
        ({"kind": "../targets/http"}, "there is no kind"),
        ({"kind": "contains", "txt": "x"}, "evaluator contains does not fit: .*txt: txt is not known here"),
    ],
)
def test_a_spec_that_fits_no_kind_is_refused(spec: dict[str, object], says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        plugins.build("evaluators", spec, Evaluator)


def test_other_packages_add_kinds_by_an_entry_point(guest: None) -> None:
    assert {"guest", "contains"} <= set(plugins.kinds("evaluators"))
    assert "guest" not in plugins.kinds("targets")
    assert "guest_kinds.guest" not in sys.modules
    built = plugins.build("evaluators", {"kind": "guest", "size": 3}, Evaluator)
    assert built.to_spec() == {"kind": "guest", "size": 3}


def test_a_module_that_lacks_its_kind_is_named(guest: None) -> None:
    with pytest.raises(InvalidInput, match=r"module guest_kinds\.wrong defines no Evaluator of kind 'wrong'"):
        plugins.load("evaluators", "wrong", Evaluator)


def test_a_kind_is_of_its_family() -> None:
    with pytest.raises(InvalidInput, match="defines no Tool of kind 'contains'"):
        plugins.load("evaluators", "contains", Tool)


def test_a_heavy_module_is_imported_by_name() -> None:
    assert plugins.module("aloi.core.errors").InvalidInput is InvalidInput
