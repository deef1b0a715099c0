"""`transform`: a value put together of what is there."""

from collections.abc import Sequence
from typing import ClassVar, Self

from pydantic import Field, JsonValue, model_validator

from aloi.core.errors import StageFailure
from aloi.core.flow.checks import written
from aloi.core.flow.paths import fixed, path_readings, selected
from aloi.core.paths import JsonPath
from aloi.core.spec import JsonObject
from aloi.core.step import Reading, Step, StepContext, Types
from aloi.templates import TemplateText, TemplateValue, look_up, readings, render, render_text, schema_of

WAYS = ("value", "template", "path")


class Transform(Step):
    """A value made of earlier outputs: `value` (JSON with {{ expressions }}), `template` (text) or `path` (JSONPath).

    No code runs. A path that can select several values gives the list of all that it selects.
    """

    kind: ClassVar[str] = "transform"

    value: TemplateValue = Field(
        default=None, description='JSON with expressions: {"total": "{{ steps.sum }}"}; one alone keeps its type.'
    )
    template: TemplateText | None = Field(default=None, description="A text with {{ expressions }} and {% tags %}.")
    path: JsonPath | None = Field(default=None, description="JSONPath (RFC 9535), e.g. $.steps.fetch.items[*].title")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        given = [name for name in WAYS if name in self.model_fields_set]
        if len(given) != 1:
            raise ValueError(f"give one of {', '.join(WAYS)}, not {' and '.join(given) or 'none'}")
        return self

    def reads(self) -> Sequence[Reading]:
        """What the value, the template or the path reads."""
        if self.path is not None:
            return tuple(path_readings(self.path, ("path",)))
        if self.template is not None:
            return readings(self.template, ("template",))
        return readings(self.value, ("value",))

    def arguments(self, document: JsonObject) -> JsonValue:
        """What it reads, by the paths: `{"steps.fetch.title": ...}`; what is not there is left out."""
        found: JsonObject = {}
        for reading in self.reads():
            try:
                found[written(reading.path)] = look_up(reading.path, document)
            except StageFailure:  # there may be a default for it
                continue
        return found

    async def run(self, arguments: JsonValue, ctx: StepContext) -> JsonValue:
        """The value.

        Raises:
            StageFailure: an expression is undefined or asks for too much, or the path selects nothing.
        """
        if self.path is not None:
            return selected(self.path, ctx.document, self.reads())
        if self.template is not None:
            return render_text(self.template, ctx.document)
        return render(self.value, ctx.document)

    def answer_schema(self, types: Types) -> JsonObject | None:
        """What is known of the value."""
        if self.path is not None:
            read = fixed(self.path)
            return types.of(read.path) if read.is_whole else {"type": "array"}
        return {"type": "string"} if self.template is not None else schema_of(self.value, types)
