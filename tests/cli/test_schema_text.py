import pytest

from aloi.cli.schema_text import Parameter, parameters, takes_text_only, type_text
from aloi.core.spec import JsonObject

ROOT: JsonObject = {"$defs": {"Mode": {"enum": ["subset", "exact"]}, "Call": {"type": "object"}}}


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ({"type": "string"}, "text"),
        ({"type": "boolean"}, "true or false"),
        ({"type": "integer", "minimum": 1}, "whole number from 1"),
        ({"type": "number", "exclusiveMinimum": 0, "maximum": 1}, "number above 0 to 1"),
        ({"type": "array", "items": {"$ref": "#/$defs/Call"}}, "list of object"),
        ({"type": "array"}, "list"),
        ({"$ref": "#/$defs/Mode"}, "subset or exact"),
        ({"const": "x"}, "x"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "text"),
        ({"anyOf": [{"type": "null"}]}, "null"),
        ({"anyOf": [{"type": "string"}, {"type": "number"}]}, "text or number"),
        ({}, "any JSON"),
        ({"$ref": "#/$defs/Nowhere"}, "any JSON"),
    ],
)
def test_types_in_words(field: JsonObject, text: str) -> None:
    assert type_text(field, ROOT) == text


def test_parameters() -> None:
    schema: JsonObject = {
        "properties": {
            "text": {"type": "string", "description": "What is looked for."},
            "negate": {"type": "boolean", "default": False},
            "path": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        },
        "required": ["text"],
    }
    assert list(parameters(schema)) == [
        Parameter("text", "text", "required", "What is looked for."),
        Parameter("negate", "true or false", "false", ""),
        Parameter("path", "text", "–", ""),
    ]


def test_what_is_always_text() -> None:
    assert takes_text_only({"anyOf": [{"type": "string"}, {"type": "null"}]}, ROOT)
    assert takes_text_only({"$ref": "#/$defs/Mode"}, ROOT)
    assert not takes_text_only({}, ROOT)
    assert not takes_text_only({"anyOf": [{"type": "string"}, {"type": "number"}]}, ROOT)
