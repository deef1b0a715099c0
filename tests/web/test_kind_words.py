"""The web UI draws forms from the kinds' own schemas, which speak English; the French catalogue has words for each."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aloi.plugins import kinds, load
from aloi.service.kinds import FAMILIES

CATALOGUE = Path(__file__).parents[2] / "web" / "src" / "i18n" / "fr" / "kinds.json"
SCOPES = {"evaluators": "evaluator", "targets": "target", "tools": "tool"}
KINDS = [(family, kind) for family in FAMILIES for kind in kinds(family)]
Json = dict[str, Any]


@pytest.fixture(scope="module")
def words() -> Json:
    return json.loads(CATALOGUE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("family", "kind"), KINDS)
def test_a_kind_and_its_fields_have_french_words(words: Json, family: str, kind: str) -> None:
    schema = load(family, kind, FAMILIES[family]).model_json_schema()
    own = words[SCOPES[family]][kind]
    assert own["name"]
    assert own["title"]
    for path in field_paths(schema, schema):
        found = at(own.get("fields", {}), path) or words["any"].get(path[-1])
        assert found, f"{kind}: {'.'.join(path)} has no French words"
        assert found["label"]
        assert found["help"]


def test_no_words_are_left_of_kinds_and_fields_that_are_gone(words: Json) -> None:
    known = {(SCOPES[family], kind) for family, kind in KINDS}
    assert {(scope, kind) for scope in SCOPES.values() for kind in words[scope]} == known
    for family, kind in KINDS:
        schema = load(family, kind, FAMILIES[family]).model_json_schema()
        named = set(words[SCOPES[family]][kind].get("fields", {}))
        assert named <= set(schema.get("properties", {})), f"{kind} has words of fields that it has not"


def at(words: Json, path: tuple[str, ...]) -> Json | None:
    """The words of a field, which stand within those of the field around it."""
    found: Json | None = words
    for name in path:
        found = (found or {}).get(name)
    return found


def field_paths(schema: Json, root: Json, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The fields that a form draws: the properties of the schema and of the models it refers to, lists left out."""
    for name, field in schema.get("properties", {}).items():
        yield (*path, name)
        for model in models_in(field, root):
            yield from field_paths(model, root, (*path, name))


def models_in(field: Json, root: Json) -> Iterator[Json]:
    """The models that a field refers to: itself, as the entries of a list or a map, as one of several."""
    if "$ref" in field:
        yield root["$defs"][field["$ref"].rsplit("/", 1)[-1]]
    parts = [field.get("items"), field.get("additionalProperties"), *field.get("anyOf", ())]
    for part in parts:
        if isinstance(part, dict):
            yield from models_in(part, root)
