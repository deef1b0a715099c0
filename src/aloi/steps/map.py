"""`map`: the same steps for every item of a list."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

from pydantic import Field, JsonValue, PrivateAttr, field_validator, model_validator

from aloi.core.chat import ModelSpec
from aloi.core.errors import StageFailure
from aloi.core.flow.graph import flow_of
from aloi.core.flow.schemas import ANY, LIST, NoSuchMember, member
from aloi.core.keys import NamedKey
from aloi.core.spec import JsonObject
from aloi.core.step import Flow, Reading, Step, StepContext, Types, Waiting
from aloi.core.target import Component, PinnedTarget, Question
from aloi.templates import TemplateValue, json_type, lone_path, readings, render, schema_of
from aloi.workflow.building import built, components, pinned, span_seconds
from aloi.workflow.parallel import Tasks

MOST_ITEMS = 10_000
MOST_AT_ONCE = 100


class Map(Step):
    """Run the same steps for every item of a list, several items at once; the output is the list of what they give.

    The steps inside see {{ item }} and {{ index }} (from 0) beside what the map itself sees. Nobody outside sees them.
    """

    kind: ClassVar[str] = "map"

    items: TemplateValue = Field(description="The list: one {{ reference }}, or a list of values with expressions.")
    concurrency: int = Field(default=4, ge=1, le=MOST_AT_ONCE, description="How many items are worked on at once.")
    steps: tuple[JsonObject, ...] = Field(min_length=1, description="The steps for each item.")
    output: TemplateValue = Field(
        default=None, description="What each item gives: a value with expressions. Default: the last step's output."
    )

    _flow: Flow = PrivateAttr()

    @field_validator("items")
    @classmethod
    def _can_be_a_list(cls, items: JsonValue) -> JsonValue:
        if not isinstance(items, list) and lone_path(items) is None:
            raise ValueError("it must be one reference, {{ steps.NAME }}, or a list; any other text never is a list")
        return items

    @model_validator(mode="after")
    def _build(self) -> Self:
        self._flow = flow_of(built(self.steps))
        return self

    def flow(self) -> Flow | None:
        """The steps for each item."""
        return self._flow

    def reads(self) -> Sequence[Reading]:
        """What the list is."""
        return readings(self.items, ("items",), LIST)

    def reads_inside(self) -> Sequence[Reading]:
        """What the output of each item reads."""
        return readings(self.output, ("output",))

    def known_inside(self, types: Types) -> JsonObject:
        """The schemas of an item and its index."""
        return {"item": self._item(types), "index": {"type": "integer"}}

    def arguments(self, document: JsonObject) -> JsonValue:
        """The list."""
        return render(self.items, document)

    async def run(self, arguments: JsonValue, ctx: StepContext) -> JsonValue | Waiting:
        """What the items give, in their order; or what people must answer first, of all items together.

        Raises:
            StageFailure: type `bad_items` (no list, or too long); or a step inside failed.
        """
        items = _items(arguments)
        outputs: list[JsonValue] = [None] * len(items)
        questions: list[Question] = []
        waiting = iter(enumerate(items))

        async def work() -> None:
            for index, item in waiting:
                more: JsonObject = {"item": item, "index": index}
                given = await ctx.inside(self._flow, more, f"{ctx.path}[{index}]", self._output)
                if isinstance(given, Waiting):
                    questions.extend(given.questions)
                else:
                    outputs[index] = given

        tasks = Tasks()
        for _ in range(min(self.concurrency, len(items))):
            tasks.start(work())
        await tasks.over()
        return Waiting(tuple(questions)) if questions else outputs

    def answer_schema(self, types: Types) -> JsonObject | None:
        """A list of what the steps inside give."""
        return {"type": "array", "items": schema_of(self._each, types) or {}}

    def components(self) -> tuple[Component, ...]:
        """What of the steps inside can be simulated."""
        return components(self._flow.steps)

    def models(self) -> tuple[ModelSpec, ...]:
        """The models of the steps inside."""
        return tuple(model for step in self._flow.steps for model in step.models())

    def named_keys(self) -> tuple[NamedKey, ...]:
        """The variables that the steps inside name."""
        return tuple(key for step in self._flow.steps for key in step.named_keys())

    def files(self) -> tuple[str, ...]:
        """The files that the steps inside read."""
        return tuple(name for step in self._flow.steps for name in step.files())

    def runs_code(self) -> bool:
        """Whether a step inside does."""
        return any(step.runs_code() for step in self._flow.steps)

    def uses_workspace(self) -> bool:
        """Whether a step inside does."""
        return any(step.uses_workspace() for step in self._flow.steps)

    def takes_attachments(self) -> bool:
        """Whether a step inside does."""
        return any(step.takes_attachments() for step in self._flow.steps)

    def span_seconds(self) -> float | None:
        """The longest of the steps inside."""
        return span_seconds(self._flow.steps)

    def references(self) -> tuple[str, ...]:
        """The targets that the steps inside name."""
        return tuple(name for step in self._flow.steps for name in step.references())

    def pins(self) -> tuple[PinnedTarget, ...]:
        """The targets that are written into the steps inside."""
        return tuple(pin for step in self._flow.steps for pin in step.pins())

    def pinned(self, definitions: Mapping[str, PinnedTarget]) -> Self:
        """The same with those targets written into the steps."""
        specs = pinned(self.steps, self._flow.steps, definitions)
        return type(self).model_validate({**self.model_dump(exclude_unset=True), "steps": specs})

    def skipped(self) -> tuple[str, ...]:
        """What a run leaves out of the steps inside."""
        return tuple(name for step in self._flow.steps for name in step.skipped())

    @property
    def _each(self) -> JsonValue:
        """What each item gives, as an expression."""
        return self.output if self.output is not None else f"{{{{ steps.{self._flow.steps[-1].name} }}}}"

    def _item(self, types: Types) -> JsonObject:
        """What is known of an item; the items of a list that stands here may differ."""
        if not isinstance(self.items, str):
            return ANY
        try:
            return member(schema_of(self.items, types) or ANY, "first")
        except NoSuchMember:
            return ANY  # told as a fault of `items`

    def _output(self, document: JsonObject) -> JsonValue:
        return render(self._each, document)


def _items(given: JsonValue) -> list[JsonValue]:
    if not isinstance(given, list):
        raise StageFailure("invoke", "bad_items", f"its items are {json_type(given)}, and a list is wanted")
    if len(given) > MOST_ITEMS:
        message = f"its list has {len(given):,} items, and {MOST_ITEMS:,} may be; split the list, or take a part of it"
        raise StageFailure("invoke", "bad_items", message)
    return given
