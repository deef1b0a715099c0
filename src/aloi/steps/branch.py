"""`branch`: which way to go."""

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, Self

from pydantic import ConfigDict, Field, JsonValue, model_validator

from aloi.core.condition import Condition
from aloi.core.errors import StageFailure
from aloi.core.flow.checks import written
from aloi.core.flow.paths import fixed, part_read, path_readings
from aloi.core.flow.schemas import NUMBER, in_words, misfit, types_of
from aloi.core.json_values import shortened
from aloi.core.spec import JsonObject, Value
from aloi.core.step import Fault, Place, Reading, Step, StepContext, Types

WayName = Annotated[str, Field(min_length=1, max_length=100)]
BOUNDS = ("above", "at_least", "below", "at_most")


class Way(Value):
    """One way of a branch, and when it is taken."""

    model_config = ConfigDict(serialize_by_alias=True)

    name: WayName = Field(description="What `when` of other steps names.")
    conditions: tuple[Condition, ...] = Field(
        alias="if", min_length=1, description="It is taken when all of these hold: {path: $.steps.x.kind, equals: y}."
    )


class Branch(Step):
    """Choose a way: the first one whose conditions all hold, else `otherwise`. The output is its name.

    Steps that say `when: {NAME: WAY}` run only when that way was taken; the others are skipped.
    """

    kind: ClassVar[str] = "branch"

    branches: tuple[Way, ...] = Field(alias="ways", min_length=1, description="The ways, in the order of trying.")
    otherwise: WayName = Field(default="otherwise", description="The way when no conditions hold.")

    model_config = ConfigDict(serialize_by_alias=True)

    @model_validator(mode="after")
    def _ways_differ(self) -> Self:
        names = self.ways()
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"there are two ways named {', '.join(twice)}; give each its own name")
        return self

    def ways(self) -> tuple[str, ...]:
        """The names of its ways, `otherwise` last."""
        return (*(way.name for way in self.branches), self.otherwise)

    def reads(self) -> Sequence[Reading]:
        """What the conditions read; what they test for may be absent."""
        return tuple(
            reading
            for at, condition in self._conditions()
            for reading in path_readings(condition.path, (*at, "path"), maybe=condition.exists is not None)
        )

    def arguments(self, document: JsonObject) -> JsonValue:
        """What the conditions look at: the document with the rest left out."""
        return part_read(document, self.reads())

    async def run(self, arguments: JsonValue, ctx: StepContext) -> JsonValue:
        """The name of the way.

        Raises:
            StageFailure: a condition's path takes too long.
        """
        try:
            for way in self.branches:
                if all(condition.holds(arguments) for condition in way.conditions):
                    return way.name
        except StageFailure as error:
            raise StageFailure("invoke", "path", error.message) from error
        return self.otherwise

    def answer_schema(self, types: Types) -> JsonObject | None:
        """One of the names of its ways."""
        return {"enum": [*self.ways()]}

    def faults(self, types: Types) -> Iterator[Fault]:
        """Conditions that compare what can never be equal: a number with a text."""
        for at, condition in self._conditions():
            read = fixed(condition.path)
            schema = types.of(read.path) if read.is_whole else None
            for test, reason in _misfits(condition, schema or {}):
                yield Fault((*at, test), f"{written(read.path)} is {in_words(schema or {})}, so {reason}")

    def _conditions(self) -> Iterator[tuple[Place, Condition]]:
        for number, way in enumerate(self.branches):
            for index, condition in enumerate(way.conditions):
                yield ("ways", number, "if", index), condition


def _misfits(condition: Condition, schema: JsonObject) -> Iterator[tuple[str, str]]:
    """The tests of a condition that no value of a schema passes, each with why."""
    if not schema:
        return
    given = condition.model_fields_set
    if "equals" in given and misfit(schema, {"const": condition.equals}):
        yield "equals", f"it is never {shortened(condition.equals, 60)}"
    if "not_equals" in given and misfit({"type": [*types_of(schema)]}, {"const": condition.not_equals}):
        yield "not_equals", f"it is never {shortened(condition.not_equals, 60)}"
    if condition.one_of is not None and all(misfit(schema, {"const": wanted}) for wanted in condition.one_of):
        yield "one_of", "it is none of these values"
    for test in BOUNDS:
        if getattr(condition, test) is not None and misfit(schema, NUMBER):
            yield test, "it cannot be compared with a number"
    if "contains" in given and not types_of(schema) & {"string", "array", "object"}:
        yield "contains", "it contains nothing"
