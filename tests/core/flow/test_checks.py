"""What is refused when a workflow is saved: each fault at its place, in words that name the step."""

from typing import Any

import pytest
from pydantic import JsonValue

from aloi.core.spec import JsonObject
from aloi.core.target import Target
from aloi.plugins import build
from aloi.service.checks import spec_faults

INPUT: JsonObject = {
    "type": "object",
    "properties": {"q": {"type": "string"}, "list": {"type": "array", "items": {"type": "integer"}}},
    "required": ["q"],
    "additionalProperties": False,
}


def value(name: str, given: JsonValue = 1, **fields: Any) -> dict[str, Any]:
    return {"name": name, "kind": "transform", "value": given, **fields}


def each(name: str, *steps: Any, items: JsonValue = "{{ input.list }}", **fields: Any) -> dict[str, Any]:
    return {"name": name, "kind": "map", "items": items, "steps": [*steps], **fields}


def branch(name: str, path: str = "$.input.q", **test: Any) -> dict[str, Any]:
    return {
        "name": name,
        "kind": "branch",
        "ways": [{"name": "left", "if": [{"path": path, **(test or {"equals": "x"})}]}],
    }


def faults(*steps: Any, **fields: Any) -> dict[str, str]:
    """The faults of a workflow, by their pointers."""
    spec: JsonObject = {"kind": "workflow", "input_schema": INPUT, "steps": [*steps], **fields}
    return {fault.pointer: fault.reason for fault in spec_faults(lambda given: build("targets", given, Target), spec)}


GOOD = [value("a", "{{ input.q }}"), branch("route"), value("b", "{{ steps.a.size }}", when={"route": "left"})]


def test_a_workflow_without_faults() -> None:
    inside = [value("x", "{{ item }} {{ index }} {{ input.q }} {{ steps.a }}"), value("y", ["{{ steps.x }}"])]
    output = {"all": "{{ steps.m[0] }}", "b": "{{ steps.b }}"}
    assert faults(*GOOD, each("m", *inside, output="{{ steps.y }}"), output=output) == {}


@pytest.mark.parametrize(
    ("steps", "pointer", "said"),
    [
        ([value("a"), value("a")], "/steps/1/name", "two steps are named a"),
        ([value("a"), each("m", value("a"))], "/steps/1/steps/0/name", "two steps are named a"),
        ([value("1a")], "/steps/0/name", "step 1a: "),
        ([{"name": "a", "kind": "code"}], "/steps/0/kind", "step a: there is no kind 'code'"),
        (
            [value("alpha"), value("b", "{{ steps.alfa }}")],
            "/steps/1/value",
            "step b: there is no step 'alfa'; did you mean alpha?",
        ),
        (
            [value("a", {"x": ["{{ steps.zz }}"]})],
            "/steps/0/value/x/0",
            "step a: there is no step 'zz'; the steps are: a",
        ),
        ([value("a", "{{ steps }}")], "/steps/0/value", "step a: steps alone is nothing"),
        ([value("a", "{{ steps[input.q] }}!")], "/steps/0/value", "step a: steps alone is nothing"),
        ([value("a"), value("b", "{{ a }}")], "/steps/1/value", "expressions begin with input or steps; write steps.a"),
        ([value("a", "{{ now }}")], "/steps/0/value", "there is no 'now'"),
        ([value("a", "{{ item }}")], "/steps/0/value", "step a: item is there inside of a map alone"),
        ([value("a", "{{ steps.a }}")], "/steps/0/value", "step a: it refers to itself"),
        ([value("a", needs=["b"])], "/steps/0/needs/0", "step a: there is no step 'b'"),
        ([value("a", when={"b": "x"})], "/steps/0/when/b", "step a: there is no step 'b'"),
        ([value("a"), value("b", when={"a": "x"})], "/steps/1/when/a", "step b: the step a is no branch"),
        (
            [branch("r"), value("b", when={"r": ["left", "up"]})],
            "/steps/1/when/r",
            "no way 'up'; its ways are: left, otherwise",
        ),
        (
            [each("m", value("x")), value("b", "{{ steps.x }}")],
            "/steps/1/value",
            "step b: the step x stands inside of m; refer to steps.m",
        ),
        ([{"name": "p", "kind": "transform", "path": "$..q"}], "/steps/0/path", "begins with $.input or $.steps.NAME"),
        ([{"name": "p", "kind": "transform", "path": "$.steps.*"}], "/steps/0/path", "steps alone is nothing"),
        ([{"name": "p", "kind": "transform", "path": "$.zz"}], "/steps/0/path", "there is no 'zz'"),
        (
            [{"name": "p", "kind": "transform", "path": "$.input[?@ == $.steps.zz]"}],
            "/steps/0/path",
            "there is no step 'zz'",
        ),
        ([branch("r", "$.steps.zz", exists=True)], "/steps/0/ways/0/if/0/path", "step r: there is no step 'zz'"),
        ([value("a", "{{ 'x' | nothing }}")], "/steps/0/value", None),
    ],
)
def test_names_that_cannot_be(steps: list[Any], pointer: str, said: str | None) -> None:
    found = faults(*steps)
    assert said is None or (list(found) == [pointer] and said in found[pointer])


def test_a_circle_is_named_in_its_order() -> None:
    found = faults(
        value("d", "{{ steps.b }}"), value("a", "{{ steps.b }}"), value("b", needs=["c"]), value("c", "{{ steps.a }}")
    )
    assert found == {
        "/steps/1": "step a: the steps wait for each other: a → b → c → a; take one of these references away"
    }


def test_a_circle_through_a_map() -> None:
    found = faults(each("m", value("x", "{{ steps.b }}")), value("b", "{{ steps.m }}"))
    assert "m" in found["/steps/1"] and "b → m → b" in found["/steps/1"]


@pytest.mark.parametrize("inner", [value("x", "{{ steps.m }}"), value("x", needs=["m"])])
def test_what_stands_in_a_map_does_not_wait_for_it(inner: dict[str, Any]) -> None:
    said = "step x: it stands inside of m, which is over only after it; refer to item, or to steps before m"
    assert list(faults(each("m", inner), value("z")).values()) == [said]
    assert said in faults(each("m", each("n", inner, items=[1])), value("z")).values()


@pytest.mark.parametrize(
    ("steps", "pointer", "said"),
    [
        ([value("a", "{{ input.q.x }}")], "/steps/0/value", "step a: input.q.x cannot be there: it is text"),
        (
            [value("a", "{{ input.k }}")],
            "/steps/0/value",
            "input.k cannot be there: the properties that it can have are: q, list",
        ),
        ([value("a", "{{ input.list.x }}")], "/steps/0/value", "input.list.x cannot be there: it is a list"),
        ([value("a", {"x": 1}), value("b", "{{ steps.a.y }}")], "/steps/1/value", "steps.a.y cannot be there"),
        (
            [each("m", value("x"), items="{{ input.q }}")],
            "/steps/0/items",
            "step m: input.q is text, and a list is wanted",
        ),
        (
            [each("m", value("x", "{{ item.k }}"))],
            "/steps/0/steps/0/value",
            "step x: item.k cannot be there: it is a whole number",
        ),
        ([each("m", value("x", "{{ index.k }}"))], "/steps/0/steps/0/value", "index.k cannot be there"),
        (
            [each("m", value("x", {"k": 1}), output="{{ steps.x.j }}")],
            "/steps/0/output",
            "step m: steps.x.j cannot be there",
        ),
        (
            [each("m", value("x", {"k": "t"})), value("b", "{{ steps.m[0].j }}")],
            "/steps/1/value",
            "steps.m[0].j cannot be there",
        ),
        (
            [branch("r", above=3)],
            "/steps/0/ways/0/if/0/above",
            "step r: input.q is text, so it cannot be compared with a number",
        ),
        ([branch("r", equals=3)], "/steps/0/ways/0/if/0/equals", "so it is never 3"),
        ([branch("r"), branch("s", "$.steps.r", equals="up")], "/steps/1/ways/0/if/0/equals", 'so it is never "up"'),
        (
            [{"name": "t", "kind": "tool", "tool": "calculator", "arguments": {"expression": "{{ input.list }}"}}],
            "/steps/0/arguments/expression",
            "step t: input.list is a list, and text is wanted",
        ),
        (
            [{"name": "t", "kind": "tool", "tool": "calculator", "arguments": {"expression": 3}}],
            "/steps/0/arguments/expression",
            "step t: ",
        ),
    ],
)
def test_types_that_cannot_be(steps: list[Any], pointer: str, said: str) -> None:
    found = faults(*steps)
    assert list(found) == [pointer]
    assert said in found[pointer]


def test_what_may_be_absent_is_no_fault() -> None:
    assert faults(value("a", "{{ input.k | default: 1 }}"), value("b", "{% if input.k %}x{% endif %}")) == {}
    assert faults(branch("r", "$.input.k", exists=False)) == {}
    assert faults(value("a", "{{ input.k.j[0] }}"), input_schema={"type": "object"}) == {}


@pytest.mark.parametrize(
    ("fields", "pointer", "said"),
    [
        ({"output": "{{ steps.zz }}"}, "/output", "the output: there is no step 'zz'"),
        ({"output": {"x": "{{ steps.a.x }}"}}, "/output/x", "the output: steps.a.x cannot be there: it is text"),
        (
            {"output": "{{ steps.a }}", "output_schema": {"type": "number"}},
            "/output",
            "is text, and a number is wanted",
        ),
        ({"output": {"k": 1}, "output_schema": {"required": ["j"], "type": "object"}}, "/output", "no property 'j'"),
        ({"output_schema": {"type": "string"}}, "/output_schema", "is a whole number, and text is wanted"),
        ({"output_schema": {"type": 7}}, "/output_schema", "it is not a JSON Schema"),
        ({"input_schema": {"$ref": "http://a/b"}}, "/input_schema", "is not inside it"),
        ({"output": "{{"}, "/output", "without }}"),
    ],
)
def test_the_workflow_itself(fields: dict[str, Any], pointer: str, said: str) -> None:
    found = faults(*GOOD, **fields)
    assert list(found) == [pointer]
    assert said in found[pointer]


def test_every_fault_is_told_in_the_order_of_the_definition() -> None:
    steps = [
        value("a", "{{ input.q.x }}"),
        value("b", "{{ steps.zz }}", needs=["yy"]),
        each("m", value("c", "{{ item.x }}")),
    ]
    assert list(faults(*steps, output="{{ steps.xx }}")) == [
        "/steps/0/value",
        "/steps/1/needs/0",
        "/steps/1/value",
        "/steps/2/steps/0/value",
        "/output",
    ]


def test_there_may_be_so_many_steps_and_no_more() -> None:
    assert faults(*(value(f"s{number}") for number in range(500))) == {}
    inside = [value(f"t{number}") for number in range(400)]
    assert "501 steps, and 500" in faults(each("m", *inside), *(value(f"s{number}") for number in range(100)))["/steps"]


def test_maps_stand_in_maps_so_deep_and_no_deeper() -> None:
    three = each("m1", each("m2", each("m3", value("x"), items=[1]), items=[1]), items=[1])
    assert faults(three) == {}
    found = faults(each("m0", three, items=[1]))
    assert "more than 3 deep" in found["/steps/0/steps/0/steps/0/steps/0"]
