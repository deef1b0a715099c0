"""What every value and every kind is."""

import json
from typing import Annotated, Any, ClassVar, Literal, cast

import pytest
from pydantic import Field, JsonValue, ValidationError, field_validator

from aloi.core.errors import InvalidInput
from aloi.core.spec import Spec, Value, fault_text, spec_error, valid


class Point(Value):
    """A place."""

    x: int
    inner: "Point | None" = None


class Sample(Spec):
    """Says one thing.

    And explains it.
    """

    kind: ClassVar[str] = "sample"
    text: str = Field(description="What is said.")
    times: int = 1
    at: Point | None = None

    @field_validator("text")
    @classmethod
    def _not_empty(cls, text: str) -> str:
        if not text:
            raise ValueError("the text is empty; write one")
        return text


class PartA(Value):
    kind: Literal["a"]


class PartB(Value):
    kind: Literal["b"]


class Holder(Value):
    part: Annotated[PartA | PartB, Field(discriminator="kind")]


class Numbers(Value):
    whole: int = 1
    real: float | None = Field(default=None, ge=0, le=1)
    every: tuple[int, ...] = ()
    named: dict[str, float] = {}
    either: str | int = ""
    type: int = 1
    default: float = 1.0
    flag: bool = False
    any: JsonValue = None


class Bare(Spec):
    kind: ClassVar[str] = "bare"


def refused(model: type[Value], given: Any) -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(given)
    return caught.value


def most_checks(part: Any, before: int = 0) -> int:
    """How many validators stand one right before the other, at most, in a part of a core schema."""
    if isinstance(part, list | tuple):
        return max(map(most_checks, cast(list[Any], part)), default=0)
    if not isinstance(part, dict):
        return before
    inner = cast(dict[str, Any], part)
    here = before + 1 if inner.get("type") == "function-before" else 0
    return max(here, *(most_checks(value, here) for key, value in inner.items() if key != "metadata"), 0)


class TestValue:
    def test_it_does_not_change(self) -> None:
        point, field = Point(x=1), "x"
        with pytest.raises(ValidationError, match="frozen"):
            setattr(point, field, 2)

    def test_an_unknown_field_is_refused(self) -> None:
        assert refused(Point, {"x": 1, "y": 2}).errors()[0]["loc"] == ("y",)

    def test_equal_fields_are_equal_values(self) -> None:
        assert Point(x=1) == Point(x=1) != Point(x=2)

    @pytest.mark.parametrize(
        "given",
        [
            {"whole": True},
            {"real": False},
            {"every": [1, True]},
            {"named": {"a": True}},
            {"either": True},
            {"type": True},
            {"default": True},
        ],
    )
    def test_true_and_false_are_no_numbers(self, given: dict[str, Any]) -> None:
        [name] = given
        assert {error["loc"][0] for error in refused(Numbers, given).errors()} == {name}
        with pytest.raises(ValidationError):
            Numbers.model_validate_json(json.dumps(given))

    @pytest.mark.parametrize("built_before", [False, True])
    def test_a_value_within_values_refuses_them_once(self, built_before: bool) -> None:
        class Inner(Value):
            number: int

        if built_before:
            assert Inner(number=1).number == 1

        class Middle(Value):
            inner: Inner
            inners: tuple[Inner, ...] = ()

        assert Middle.model_validate({"inner": {"number": 1}}).inner == Inner(number=1)

        class Outer(Value):
            middle: Middle

        [error] = refused(Outer, {"middle": {"inner": {"number": True}}}).errors()
        assert error["loc"] == ("middle", "inner", "number")
        assert refused(Outer, {"middle": {"inner": {"number": 1}, "inners": [{"number": False}]}})
        assert most_checks(Outer.__pydantic_core_schema__) == 1

    def test_where_a_truth_value_or_anything_is_meant_they_stand(self) -> None:
        found = Numbers.model_validate({"flag": True, "any": [True, 1], "whole": "2", "real": 1, "either": 3})
        assert (found.flag, found.any, found.whole, found.real, found.either) == (True, [True, 1], 2, 1.0, 3)
        properties = Numbers.model_json_schema()["properties"]
        assert properties["real"]["anyOf"][0] == {"type": "number", "minimum": 0, "maximum": 1}


class TestSpec:
    def test_the_stored_form_has_the_kind_and_what_was_set(self) -> None:
        assert Sample(text="a").to_spec() == {"kind": "sample", "text": "a"}
        assert Sample(text="a", times=1, at=Point(x=2)).to_spec() == {
            "kind": "sample",
            "text": "a",
            "times": 1,
            "at": {"x": 2},
        }

    def test_a_kind_describes_itself(self) -> None:
        described = Sample.describe()
        assert (described["kind"], described["title"]) == ("sample", "Says one thing.")
        assert described["doc"] == "Says one thing.\n\nAnd explains it."
        schema = described["schema"]
        assert isinstance(schema, dict)
        properties = schema["properties"]
        assert isinstance(properties, dict)
        assert properties["text"] == {"title": "Text", "type": "string", "description": "What is said."}
        assert (schema["required"], schema["additionalProperties"]) == (["text"], False)

    def test_a_kind_has_a_name(self) -> None:
        assert Bare.describe()["kind"] == "bare"
        assert Bare().to_spec() == {"kind": "bare"}


class TestFaults:
    def test_every_field_is_named_with_its_reason(self) -> None:
        error = spec_error("tool sample", refused(Sample, {"text": "", "at": {"x": "one"}, "more": 1}))
        assert isinstance(error, InvalidInput)
        said = str(error)
        assert said.startswith("tool sample does not fit: ")
        assert "text: the text is empty; write one" in said
        assert "at.x: Input should be a valid integer" in said
        assert "more: more is not known here: remove it" in said
        assert said.count("; ") == 3

    def test_a_fault_of_the_whole_is_named_too(self) -> None:
        assert str(spec_error("this", refused(Point, 5))).startswith("this does not fit: it: ")

    def test_our_own_words_come_without_a_prefix(self) -> None:
        assert fault_text({"msg": "Value error, the text is empty"}) == "the text is empty"
        assert fault_text({"msg": "Field required"}) == "Field required"

    def test_what_somebody_wrote_is_repeated_shortly(self) -> None:
        key, tag = "k" * 100_000, "t" * 100_000
        for error in (
            *refused(Point, {"x": 1, key: 1}).errors(),
            *refused(Holder, {"part": {"kind": tag}}).errors(),
        ):
            assert len(fault_text(error)) < 300

    def test_a_missing_or_strange_kind_is_told_in_our_words(self) -> None:
        errors = [refused(Holder, {"part": part}).errors()[0] for part in ({}, {"kind": "c"})]
        assert [fault_text(error) for error in errors] == [
            "lacks its 'kind'",
            "its 'kind' must be one of 'a', 'b', not 'c'",
        ]


def test_fields_that_fit_make_a_value_and_others_are_told_with_what_they_are() -> None:
    assert valid(Point, {"x": 1}, "the place") == Point(x=1)
    with pytest.raises(InvalidInput, match=r"the place does not fit: x: .*; z: "):
        valid(Point, {"x": "far", "z": 1}, "the place")


def test_what_is_nested_without_end_does_not_fit() -> None:
    class Deep(Value):
        text: str

        @field_validator("text")
        @classmethod
        def _read(cls, text: str) -> str:
            raise RecursionError

    with pytest.raises(InvalidInput, match="the thing does not fit: it is nested too deeply"):
        valid(Deep, {"text": "((("}, "the thing")
