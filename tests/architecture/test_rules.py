"""The rules of the house that a linter of imports cannot see; each check is shown to catch a planted violation."""

import ast
from pathlib import Path

import pytest

from tests.architecture.layout import (
    ROOT,
    SOURCE,
    imports_inside_functions,
    imports_of,
    long_functions,
    module_name,
    module_singletons,
    python_files,
    reads_environment,
    tree,
    twins,
)

FILE_LINES = 300
FUNCTION_LINES = 50
VAGUE = {"utils", "util", "helpers", "helper", "common", "misc", "shared"}
FAMILIES = {"evaluators": "Evaluator", "steps": "Step", "targets": "Target", "tools": "Tool"}
RAY = "aloi.runner.ray"
ROUTES = "aloi.api.routes"
BEHIND_THE_SERVICE = ("aloi.store", "aloi.runner", "aloi.targets", "aloi.evaluators", "aloi.settings")
EDGES = ("aloi.cli", "aloi.sdk", "aloi.settings")
FILES = python_files(SOURCE)
EVERY_FILE = pytest.mark.parametrize("file", FILES, ids=[module_name(file) for file in FILES])


@pytest.mark.parametrize("file", python_files(SOURCE, ROOT / "tests", ROOT / "benchmarks"), ids=str)
def test_files_are_short(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= FILE_LINES


@EVERY_FILE
def test_functions_are_short(file: Path) -> None:
    assert long_functions(tree(file), FUNCTION_LINES) == []


@EVERY_FILE
def test_nothing_is_imported_inside_a_function(file: Path) -> None:
    assert imports_inside_functions(tree(file)) == []


@EVERY_FILE
def test_no_vague_names(file: Path) -> None:
    assert not VAGUE & set(module_name(file).split("."))


@EVERY_FILE
def test_no_twins(file: Path) -> None:
    assert twins(tree(file)) == []


@EVERY_FILE
def test_no_module_level_singleton(file: Path) -> None:
    assert module_singletons(tree(file)) == []


@EVERY_FILE
def test_ray_stays_in_its_executor(file: Path) -> None:
    assert module_name(file) == RAY or not imports_of(tree(file), "ray")


@EVERY_FILE
def test_routes_know_the_service_alone(file: Path) -> None:
    assert not module_name(file).startswith(ROUTES) or not imports_of(tree(file), *BEHIND_THE_SERVICE)


@EVERY_FILE
def test_settings_are_read_at_the_edges(file: Path) -> None:
    assert module_name(file).startswith(EDGES) or not reads_environment(tree(file))


@EVERY_FILE
def test_every_module_says_what_it_is(file: Path) -> None:
    assert file.name == "__init__.py" or ast.get_docstring(tree(file)), f"{file} has no docstring"


@pytest.mark.parametrize("family", FAMILIES)
def test_one_documented_kind_per_file(family: str) -> None:
    for file in python_files(SOURCE / family):
        if file.name == "__init__.py":
            continue
        kinds = [node for node in tree(file).body if isinstance(node, ast.ClassDef) and kind_of(node) is not None]
        assert [kind_of(node) for node in kinds] == [file.stem], f"{file.name} must define the kind of its name, once"
        assert ast.get_docstring(kinds[0]), f"{file.name}: the kind has no docstring"


def kind_of(node: ast.ClassDef) -> str | None:
    """The value of `kind: ClassVar[str] = "..."` in a class, if it has one."""
    for item in node.body:
        names = isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and item.target.id == "kind"
        if names and isinstance(item, ast.AnnAssign) and isinstance(item.value, ast.Constant):
            return str(item.value.value)
    return None


def test_tests_mirror_the_source() -> None:
    """Every test file of a mirrored folder belongs to a source file or package of that name."""
    orphans: list[str] = []
    for file in python_files(*(ROOT / "tests" / folder.name for folder in SOURCE.iterdir() if folder.is_dir())):
        if not file.name.startswith("test_"):
            continue
        place = SOURCE / file.relative_to(ROOT / "tests").parent
        name = file.stem.removeprefix("test_")
        known = {place.name, *(source.stem for source in place.iterdir())}
        if not any(stem.startswith(name) or name.startswith(stem) for stem in known):
            orphans.append(str(file.relative_to(ROOT)))
    assert orphans == []


class TestPlantedViolations:
    """Each check above sees what it is there to see."""

    def test_import_in_a_function(self) -> None:
        assert imports_inside_functions(ast.parse("def f():\n    import os\n")) == [2]

    def test_long_function(self) -> None:
        body = "\n".join("    x = 1" for _ in range(FUNCTION_LINES))
        assert long_functions(ast.parse(f"def f():\n{body}\n"), FUNCTION_LINES) == ["f"]

    def test_twin(self) -> None:
        assert twins(ast.parse("def run(): ...\nasync def arun(): ...\n")) == ["run"]
        assert twins(ast.parse("def run(): ...\nasync def run_async(): ...\n")) == ["run"]

    def test_singleton(self) -> None:
        assert module_singletons(ast.parse("settings = Settings()\n")) == ["Settings"]

    def test_ray(self) -> None:
        assert imports_of(ast.parse("from ray.util import queue\nimport rayon\n"), "ray") == {"ray.util"}

    def test_routes(self) -> None:
        planted = ast.parse("from aloi.store.runs import get\nimport aloi.service.runs\nimport aloi.settings\n")
        assert imports_of(planted, *BEHIND_THE_SERVICE) == {"aloi.store.runs", "aloi.settings"}

    def test_environment(self) -> None:
        assert reads_environment(ast.parse("import os\nx = os.environ['A']\n"))
        assert reads_environment(ast.parse("x = read_settings({})\n"))
        assert not reads_environment(ast.parse("def f(environ): return environ['A']\n"))

    def test_kind(self) -> None:
        plain = ast.parse('class C:\n    kind: ClassVar[str] = "c"\n').body[0]
        assert isinstance(plain, ast.ClassDef)
        assert kind_of(plain) == "c"
