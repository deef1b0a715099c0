"""Templates: what they read, and what they become. What they may not do: test_sandbox.py."""

from typing import Any

import pytest
from pydantic import BaseModel, JsonValue, ValidationError

from aloi.core.errors import StageFailure
from aloi.core.flow.checks import Scope
from aloi.core.spec import JsonObject
from aloi.templates import (
    TemplateText,
    TemplateValue,
    is_template,
    lone_path,
    readings,
    render,
    render_text,
    schema_of,
)

DOCUMENT: JsonObject = {
    "input": {"q": "été", "n": 3, "none": None, "yes": True, "size": "L"},
    "steps": {"a-b": [1, {"x y": "z"}], "o": {"k": "v"}},
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("plain { text } %}", "plain { text } %}"),
        ("{{ input.n }}", 3),
        ("\n  {{input.n}}\n", 3),
        ("{{- input.none -}}", None),
        ("{{ input }}", DOCUMENT["input"]),
        ("{{ steps.a-b[1]['x y'] }}", "z"),
        ('{{ steps["a-b"][-1] }}', {"x y": "z"}),
        ("{{ steps.a-b.size }}", 2),
        ("{{ steps.a-b.first }}", 1),
        ("{{ steps.a-b.last }}", {"x y": "z"}),
        ("{{ input.size }}", "L"),
        ("{{ input.q.size }}", 3),
        ("{{ input.n }}{{ input.none }}{{ input.yes }} {{ input.q }}", "3true été"),
        ("> {{ steps.o }} {{ steps.a-b }}", '> {"k": "v"} [1, {"x y": "z"}]'),
        ("{{ input.n | plus: 1 }}", "4"),
        ("{{ steps.o | json }}", '{"k": "v"}'),
        ("{{ 'é' | json }}", '"é"'),
        ("{{ input.gone | default: 'd' }}", "d"),
        ("{% if input.gone %}a{% else %}b{% endif %}", "b"),
        ("{% for i in steps.a-b %}{{ forloop.index }}:{{ i }} {% endfor %}", '1:1 2:{"x y": "z"} '),
        ("{% for pair in steps.o %}{{ pair }}{{ pair[0] }}{% endfor %}", '["k", "v"]k'),
        ("{% assign s = input.q | upcase %}{{ s }}{{ s.size }}", "ÉTÉ3"),
        ("{% capture c %}{{ input.n }}{% endcapture %}{{ c | append: '!' }}", "3!"),
        ("{% case input.n %}{% when 3 %}three{% else %}other{% endcase %}", "three"),
        ("{% raw %}{{ input.n }}{% endraw %}", "{{ input.n }}"),
        ("{% comment %}{{ nothing }}{% endcomment %}x", "x"),
        ("{{ 'a,b,a' | split: ',' | uniq | join: '-' }}", "a-b"),
        ("{{ steps.a-b | map: 'x y' | compact | join }}", "z"),
        ("{{ 'one two three' | truncatewords: 2 }}", "one two..."),
        ("{{ '2020-02-03' | date: '%d.%m.%Y' }}", "03.02.2020"),
        ("{{ 'a' | replace: 'a', 'b' | replace_first: 'b', 'c' }}", "c"),
        ("{{ (1..3) | join: ',' }}", "1,2,3"),
    ],
)
def test_what_a_text_becomes(text: str, value: JsonValue) -> None:
    rendered = render(text, DOCUMENT)
    assert rendered == value and type(rendered) is type(value)


def test_texts_at_any_depth_and_nothing_else_of_a_value() -> None:
    value: JsonValue = {"{{ input.n }}": ["{{ input.n }}", {"t": "n={{ input.n }}", "n": 1.5, "b": None}]}
    before = str(value)
    assert render(value, DOCUMENT) == {"{{ input.n }}": [3, {"t": "n=3", "n": 1.5, "b": None}]}
    assert str(value) == before


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("{{ input.n }}", "3"),
        ("{{ input.none }}", ""),
        ("{{ steps.o }}", '{"k": "v"}'),
        ("{{ input.q }}", "été"),
        ("", ""),
    ],
)
def test_where_text_is_wanted(text: str, rendered: str) -> None:
    assert render_text(text, DOCUMENT) == rendered


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ gone }}", "{{ gone }} is undefined (there is no such name)"),
        ("{{ input.q.x }}", "{{ input.q.x }} is undefined (input.q is text without it)"),
        ("{{ input.none.x.y }}", "{{ input.none.x }} is undefined (input.none is null without it)"),
        ("{{ steps.a-b[7] }}", "{{ steps.a-b[7] }} is undefined (steps.a-b is a list without it)"),
        ("{{ input.none.size }}", "is undefined"),
        ("x {{ input.gone }}", "input.gone is undefined"),
        ("x {{ input.gone.deeper }}", "input.gone is undefined"),
        ("{% for i in input.gone %}{% endfor %}", "input.gone is undefined"),
        ("{{ input.q | divided_by: 0 }}", "can't divide by 0"),
        ("{{ steps.a-b | sort }}", "can't sort"),
        ("{{ 'ü' | base64_decode }}", "ASCII"),
        ("{{ input.n | nothing }}", "unknown filter 'nothing'"),
    ],
)
def test_what_cannot_be_rendered_says_which_and_how_to_mend_it(text: str, said: str) -> None:
    with pytest.raises(StageFailure) as caught:
        render(text, DOCUMENT)
    assert (caught.value.stage, caught.value.type) == ("invoke", "template")
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("{{ input.q }}", [((), ("input", "q"), False)]),
        ({"a": ["{{ steps.x[0].y }}"]}, [(("a", 0), ("steps", "x", 0, "y"), False)]),
        (
            "{{ a.b }} {{ c | append: d['e f'] }} {{ a.b }}",
            [((), ("a", "b"), False), ((), ("c",), False), ((), ("d", "e f"), False)],
        ),
        ("{{ a[b.c].d }}!", [((), ("a",), False), ((), ("b", "c"), False)]),
        ("{% for x in a %}{{ x.y }}{{ forloop.index }}{% endfor %}", [((), ("a",), False)]),
        ("{% assign x = a.b %}{{ x }}", [((), ("a", "b"), False)]),
        ("{% if a.b == 1 and c %}{% endif %}", [((), ("a", "b"), True), ((), ("c",), True)]),
        ("{{ a | default: b }}", [((), ("a",), True), ((), ("b",), True)]),
        ("{% for x in (1..n) limit: m %}{% endfor %}", [((), ("n",), False), ((), ("m",), False)]),
        ("plain", []),
        (3, []),
    ],
)
def test_what_it_reads(value: JsonValue, found: list[Any]) -> None:
    assert [(read.at, read.path, read.maybe) for read in readings(value, ())] == found


def test_only_a_reference_alone_must_fit_what_is_wanted() -> None:
    wanted: JsonObject = {"type": "string"}
    assert [read.wanted for read in readings("{{ a }}", ("x",), wanted)] == [wanted]
    assert [read.wanted for read in readings("{{ a }}!", ("x",), wanted)] == [None]
    assert [read.wanted for read in readings({"k": "{{ a }}"}, ("x",), wanted)] == [None]


def test_a_reference_alone() -> None:
    assert lone_path("{{ a.b[0] }}") == ("a", "b", 0)
    assert lone_path("{{ a }}{{ b }}") is None and lone_path("a") is None and lone_path(["{{ a }}"]) is None
    assert is_template("{% if a %}") and not is_template("{ a }")


def test_the_schema_of_what_a_value_becomes() -> None:
    scope = Scope({"type": "object", "properties": {"n": {"type": "integer"}}})
    assert schema_of({"a": "{{ input.n }}", "b": ["x", "{{ input.n }}!"]}, scope) == {
        "type": "object",
        "properties": {
            "a": {"type": "integer"},
            "b": {"type": "array", "prefixItems": [{"const": "x"}, {"type": "string"}], "items": False},
        },
        "required": ["a", "b"],
        "additionalProperties": False,
    }
    assert schema_of([], scope) == {"type": "array"}


class Form(BaseModel):
    """A kind with fields that hold templates."""

    text: TemplateText = ""
    value: TemplateValue = None


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"text": "{{ a"}, "without }}"),
        ({"text": "one\n{% if a %}"}, "expected tag endif"),
        ({"text": "one\n{% fi a %}"}, "unexpected tag 'fi' .line 2"),
        ({"text": "{% include 'x' %}"}, "unexpected tag 'include'"),
        ({"text": "{% render 'x' %}"}, "unexpected tag 'render'"),
        ({"text": "{% extends 'x' %}"}, "unexpected tag 'extends'"),
        ({"text": "{{ a b }}"}, "line 1"),
        ({"value": {"a": [1, "{{ a | }}"]}}, "at a.1: it is no template"),
    ],
)
def test_a_field_refuses_what_cannot_be_read(fields: Any, said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Form.model_validate(fields)
