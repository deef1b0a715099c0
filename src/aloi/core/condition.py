"""Conditions on a JSON value, without code: a path, and what must hold of what it selects."""

from typing import Self

from pydantic import Field, JsonValue, model_serializer, model_validator

from aloi.core.json_values import is_finite, json_equal
from aloi.core.paths import JsonPath
from aloi.core.select import nodes
from aloi.core.spec import JsonObject, Value

# For these null is a value to test for; for the others it means that they are not given.
OF_ANY_JSON = frozenset({"equals", "not_equals", "contains"})
TESTS = ("equals", "not_equals", "one_of", "contains", "exists", "above", "at_least", "below", "at_most")


class Condition(Value):
    """Holds when what the path selects passes every test that is given. Nothing selected passes only `exists: false`.

    Several nodes selected: it is enough that one of them passes all tests. It is written, stored and answered with the
    tests that are given alone, so that `equals: null` stays a test.
    """

    path: JsonPath = Field(description="JSONPath (RFC 9535), e.g. $.city")
    equals: JsonValue = Field(default=None, description="It is this value, as JSON.")
    not_equals: JsonValue = Field(default=None, description="It is not this value.")
    one_of: tuple[JsonValue, ...] | None = Field(default=None, description="It is one of these values.")
    contains: JsonValue = Field(
        default=None, description="A text has this in it, a list this item, an object this key."
    )
    exists: bool | None = Field(default=None, description="Whether the path selects anything.")
    above: float | None = Field(default=None, allow_inf_nan=False, description="A number greater than this.")
    at_least: float | None = Field(default=None, allow_inf_nan=False, description="A number of this or more.")
    below: float | None = Field(default=None, allow_inf_nan=False, description="A number less than this.")
    at_most: float | None = Field(default=None, allow_inf_nan=False, description="A number of this or less.")

    @model_validator(mode="after")
    def _tests_something(self) -> Self:
        given = self._given()
        if not given:
            raise ValueError(f"it tests nothing; give one of {', '.join(TESTS)}")
        if self.exists is False and len(given) > 1:
            raise ValueError("exists: false goes alone, for what is not there passes no other test; leave one out")
        if not all(is_finite(value) for value in (self.equals, self.not_equals, self.contains, *(self.one_of or ()))):
            raise ValueError("it holds a number that is NaN or infinite, which JSON has not; write null or a text")
        return self

    @model_serializer
    def _as_written(self) -> JsonObject:
        return {"path": self.path, **self._given()}

    def _given(self) -> JsonObject:
        """The tests that are given, with their values."""
        values: JsonObject = {name: getattr(self, name) for name in TESTS if name in self.model_fields_set}
        if self.one_of is not None:
            values["one_of"] = list(self.one_of)
        return {name: value for name, value in values.items() if value is not None or name in OF_ANY_JSON}

    def holds(self, value: JsonValue) -> bool:
        """Whether it holds of a value.

        Raises:
            StageFailure: the path takes too long on this value, or the value is nested too deeply for it.
        """
        found = [node.value for node in nodes(self.path, value)]
        if self.exists is False:
            return not found
        given = self._given()
        return any(self._passes(item, given) for item in found)

    def _passes(self, item: JsonValue, given: JsonObject) -> bool:
        if "equals" in given and not json_equal(item, self.equals):
            return False
        if "not_equals" in given and json_equal(item, self.not_equals):
            return False
        if self.one_of is not None and not any(json_equal(item, wanted) for wanted in self.one_of):
            return False
        if "contains" in given and not _contains(item, self.contains):
            return False
        return self._in_bounds(item)

    def _in_bounds(self, item: JsonValue) -> bool:
        bounds = (self.above, self.at_least, self.below, self.at_most)
        if all(bound is None for bound in bounds):
            return True
        if isinstance(item, bool) or not isinstance(item, (int, float)):
            return False
        return (
            (self.above is None or item > self.above)
            and (self.at_least is None or item >= self.at_least)
            and (self.below is None or item < self.below)
            and (self.at_most is None or item <= self.at_most)
        )


def _contains(item: JsonValue, wanted: JsonValue) -> bool:
    if isinstance(item, str):
        return isinstance(wanted, str) and wanted in item
    if isinstance(item, list):
        return any(json_equal(inner, wanted) for inner in item)
    return isinstance(item, dict) and isinstance(wanted, str) and wanted in item
