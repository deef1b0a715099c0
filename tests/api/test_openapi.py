"""The API's description: committed, whole, and true to what is answered."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from aloi.api.openapi import document, main
from tests.api.role_table import ROLES

ROOT = Path(__file__).parents[2]


class Description(NamedTuple):
    """The description as text, whole, and its operations by `METHOD path`."""

    text: str
    document: dict[str, Any]
    operations: dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def described() -> Description:
    """What the application says of itself."""
    text = document()
    whole = json.loads(text)
    operations = {
        f"{method.upper()} {path}": operation
        for path, methods in whole["paths"].items()
        for method, operation in methods.items()
    }
    return Description(text, whole, operations)


def test_the_committed_file_is_up_to_date(described: Description) -> None:
    committed = (ROOT / "openapi.json").read_text(encoding="utf-8")
    assert committed == described.text, "run: python -m aloi.api.openapi"


def test_the_command_writes_and_checks(
    described: Description, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "openapi.json"
    assert main([str(file), "--check"]) == 1
    assert main([str(file)]) == 0
    assert file.read_text(encoding="utf-8") == described.text
    assert main([str(file), "--check"]) == 0
    file.write_text(described.text + " ", encoding="utf-8")
    assert main([str(file), "--check"]) == 1
    assert "run: python -m aloi.api.openapi" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == described.text + " "


def test_it_names_no_machine(described: Description) -> None:
    assert described.text.endswith("}\n") and described.document["openapi"].startswith("3.1")
    assert (
        str(Path.home()) not in described.text
        and str(ROOT) not in described.text
        and "servers" not in described.document
    )


def test_operation_ids_are_words_and_no_two_are_equal(described: Description) -> None:
    ids = [operation["operationId"] for operation in described.operations.values()]
    assert len(set(ids)) == len(ids)
    assert all(name.isidentifier() and name.islower() for name in ids)


def test_each_operation_is_described(described: Description) -> None:
    for route, operation in described.operations.items():
        assert operation["summary"] and operation.get("description"), f"give the function of {route} a docstring"
        assert operation.get("tags"), f"give the router of {route} a tag"


def test_credentials_are_declared_where_they_are_needed(described: Description) -> None:
    schemes = described.document["components"]["securitySchemes"]
    assert (schemes["bearer"]["scheme"], schemes["cookie"]["in"]) == ("bearer", "cookie")
    either = [{"bearer": []}, {"cookie": []}]
    # A parameter's converter, as in `{case_id:path}`, is no part of the address.
    roles = {route.replace(":path}", "}"): role for route, role in ROLES.items()}
    for route, operation in described.operations.items():
        assert operation.get("security") == (None if roles[route] is None else either), route


def test_problems_are_problems(described: Description) -> None:
    for route, operation in described.operations.items():
        if "/api/" not in route:  # what other programs send is answered by their protocol
            continue
        for status in ("4XX", "5XX"):
            content = operation["responses"][status]["content"]
            assert content == {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}, route
        assert "422" not in operation["responses"], route


def references(schema: Any) -> Iterator[str]:
    """The names of the components that a schema mentions."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref":
                yield str(value).rpartition("/")[2]
            else:
                yield from references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from references(value)


def test_what_is_answered_always_has_every_key(described: Description) -> None:
    schemas = described.document["components"]["schemas"]
    waiting = {name for operation in described.operations.values() for name in references(operation["responses"])}
    answered = set[str]()
    while waiting:
        name = waiting.pop()
        answered.add(name)
        waiting |= set(references(schemas[name])) - answered
    lacking = {
        name: optional
        for name in sorted(answered)
        if (optional := set(schemas[name].get("properties", {})) - set(schemas[name].get("required", ())))
    }
    assert not lacking
