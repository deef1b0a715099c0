"""`http`: one HTTP request."""

import re
from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import ConfigDict, Field, JsonValue, field_validator

from aloi.core.spec import JsonObject
from aloi.core.step import Reading, Step, StepContext
from aloi.llm.http_service import HttpService, quoted
from aloi.templates import TemplateText, TemplateValue, readings, render, render_text

EXPRESSION = re.compile(r"\{\{.*?\}\}", re.DOTALL)


class Http(HttpService, Step):
    """One HTTP request; the output is what the service answers.

    Expressions stand in the body and in the url's path and query, where each value is percent-encoded and so never
    ends its place; the host is fixed. `${NAME}` in a header stands for an environment variable, so that no secret is
    written down; where a reply repeats its value, `[NAME]` is stored. Redirects are not followed. The service is sent a
    `traceparent` (W3C Trace Context): spans of its own that it sends to Aloi join the trace.
    """

    # What `side_effect` in a definition says is kept under another name: a step's method is called so.
    model_config = ConfigDict(serialize_by_alias=True)

    kind: ClassVar[str] = "http"
    component: ClassVar[Literal["tool", "step", "human"] | None] = "step"

    url: TemplateText = Field(
        description="Address, e.g. https://example.org/orders/{{ input.id }}; expressions behind the host."
    )
    body: TemplateValue = Field(
        default=None, description="JSON with {{ expressions }}, sent as JSON; null for none. GET sends none."
    )
    changes_world: bool | None = Field(
        default=None,
        alias="side_effect",
        description="Whether it changes the world, so that a run must simulate it or be allowed not to. Default: with "
        "every method but GET.",
    )
    span_wait: float = Field(
        default=0.0,
        ge=0,
        le=120,
        description="Seconds that a run waits, after the workflow's answer, for spans that the service exports, where "
        "an evaluator reads the trace: tool calls are graded by them too, and are errors where none came. 0 waits for "
        "none.",
    )

    @field_validator("url")
    @classmethod
    def _values_alone(cls, url: str) -> str:
        if "{%" in url:
            raise ValueError("only {{ expressions }} may stand in the url, not {% tags %}; choose in a step before")
        for piece in EXPRESSION.findall(url):
            readings(piece, ())  # refuses an expression that has no meaning by itself
        return url

    def reads(self) -> Sequence[Reading]:
        """What the url and the body read."""
        expressions = EXPRESSION.findall(self.url)
        in_url = (reading for text in expressions for reading in readings(text, ("url",)))
        return (*in_url, *readings(self._body, ("body",)))

    def arguments(self, document: JsonObject) -> JsonValue:
        """`{"method": ..., "url": ..., "body": ...}`; the body is null when none is sent. Headers are not in it."""
        url = EXPRESSION.sub(lambda found: quoted(render_text(found[0], document)), self.url)
        return {"method": self.method, "url": url, "body": render(self._body, document)}

    async def run(self, arguments: JsonValue, ctx: StepContext) -> JsonValue:
        """Send the request, one span, and read the answer from the reply.

        Raises:
            StageFailure: as `HttpService.answer`.
        """
        given = arguments if isinstance(arguments, dict) else {}
        return await self.answer(str(given["url"]), given["body"], ctx.target, span_wait=self.span_wait)

    def side_effect(self) -> bool:
        """What the definition says; else whether the method is one that writes."""
        return self.method != "GET" if self.changes_world is None else self.changes_world

    def span_seconds(self) -> float | None:
        """As long as `span_wait` says."""
        return self.span_wait

    @property
    def _body(self) -> JsonValue:
        return None if self.method == "GET" else self.body
