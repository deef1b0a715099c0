"""There is one door through which a version becomes active, and the gate stands in it."""

import ast
import re
from collections.abc import Iterator

from tests.architecture.layout import SOURCE, functions, module_name, python_files, tree

SETS_ACTIVE = re.compile(r"UPDATE\s+targets\s+SET\s.*?\bactive\s*=", re.IGNORECASE | re.DOTALL)
FIRST_VERSION = ("aloi.store.targets", "add_version")
DOOR = ("aloi.service.versions", "activate")


def texts(node: ast.AST) -> Iterator[str]:
    """Every text that stands in a part of a file."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def sets_active(module: ast.Module) -> set[str]:
    """The functions, or names of the module, whose SQL sets a target's active version."""
    found = {function.name for function in functions(module) if any(map(SETS_ACTIVE.search, texts(function)))}
    for node in module.body:
        if isinstance(node, ast.Assign) and any(map(SETS_ACTIVE.search, texts(node))):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found


def calls(module: ast.Module, owner: str, name: str) -> set[str]:
    """The functions that use `owner.name`."""
    return {
        function.name
        for function in functions(module)
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and node.attr == name
        if isinstance(node.value, ast.Name) and node.value.id == owner
    }


def trees() -> dict[str, ast.Module]:
    """The syntax tree of every module."""
    return {module_name(file): tree(file) for file in python_files(SOURCE)}


def test_only_two_statements_set_the_active_version() -> None:
    """That of a target's first version, which nothing was there before, and that of the door."""
    found = {(module, name) for module, parsed in trees().items() for name in sets_active(parsed)}
    assert found == {FIRST_VERSION, ("aloi.store.activation", "ACTIVATE")}


def test_the_first_versions_statement_replaces_no_active_version() -> None:
    source = (SOURCE / "store" / "targets.py").read_text(encoding="utf-8")
    assert len(re.findall(r"\bactive = \S+", source)) == 1
    assert "active = coalesce(active, ?)" in source


def test_one_function_uses_it() -> None:
    """Nobody imports the statement by itself, and of those who import its module one function calls it."""
    users: set[tuple[str, str]] = set()
    for module, parsed in trees().items():
        for node in ast.walk(parsed):
            if isinstance(node, ast.ImportFrom) and node.module == "aloi.store.activation":
                raise AssertionError(f"{module} takes the statement out of its module; call activation.activate")
        users |= {(module, name) for name in calls(parsed, "activation", "activate")}
    assert users == {DOOR}


def test_the_gate_stands_before_it() -> None:
    [door] = [f for f in functions(trees()[DOOR[0]]) if f.name == DOOR[1]]
    called = [
        f"{node.func.value.id}.{node.func.attr}"
        for node in ast.walk(door)
        if isinstance(node, ast.Call)
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
    ]
    assert called.count("gates.let_pass") == called.count("activation.activate") == 1
    lines = {
        name: next(node.lineno for node in ast.walk(door) if isinstance(node, ast.Attribute) and node.attr == name)
        for name in ("let_pass", "activate")
    }
    assert lines["let_pass"] < lines["activate"]


def test_every_door_leads_to_it() -> None:
    """The API and the client of this process call the service's function; nothing else does."""
    users = {(module, name) for module, parsed in trees().items() for name in calls(parsed, "versions", "activate")}
    assert users == {
        ("aloi.api.routes.versions", "activate_version"),
        ("aloi.client.local_administration", "activate"),
    }


class TestPlantedViolations:
    """The checks see what they are there to see."""

    def test_a_statement(self) -> None:
        for sql in (
            "UPDATE targets SET active = ?",
            "update targets set name = ?, active=? where id = ?",
            "UPDATE targets\\nSET updated_at = ?, active = 3",
        ):
            assert sets_active(ast.parse(f"def f(tx): tx.execute('{sql}')")) == {"f"}, sql
            assert sets_active(ast.parse(f"SQL = '{sql}'")) == {"SQL"}
        assert sets_active(ast.parse("def f(tx): tx.execute('SELECT active FROM targets')")) == set()

    def test_a_call(self) -> None:
        planted = ast.parse("async def f(tx): await activation.activate(tx)\nasync def g(tx): await other.activate(tx)")
        assert calls(planted, "activation", "activate") == {"f"}
