"""`http`: any service that answers one HTTP request per case."""

import json
import re
from typing import ClassVar
from urllib.parse import urlsplit

from pydantic import Field, JsonValue, field_validator

from aloi.core.attachment import AttachedFile
from aloi.core.errors import StageFailure
from aloi.core.json_values import text_of
from aloi.core.spec import JsonObject, Value
from aloi.core.target import Component, Invocation, Reply, Target, TargetContext
from aloi.llm.http_service import HttpService, quoted
from aloi.llm.schema_fit import AnySchema

MCP_HEADER = "Aloi-Mcp-Url"
MCP_URL = "mcp_url"
FILES = "attachments"
PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_][\w.\-]*)\s*\}\}")


class RemoteTool(Value):
    """A tool that the agent behind a service has, so that it can be simulated.

    `input_schema`: of its arguments. `output_schema`: of its answers; null when that is not said.
    """

    name: str = Field(min_length=1, max_length=128, pattern=r"^[A-Za-z0-9_.\-]+$", description="As the agent calls it.")
    description: str = Field(default="", description="What it does, as the agent's model is told.")
    input_schema: AnySchema = Field(default={"type": "object"}, description="JSON schema of its arguments.")
    output_schema: AnySchema | None = Field(
        default=None, description="JSON schema of its answers; null when that is not said."
    )
    side_effect: bool = Field(
        default=False, description="Whether it changes the world, so that a run must simulate it or be allowed not to."
    )

    @field_validator("input_schema")
    @classmethod
    def _of_an_object(cls, schema: JsonObject) -> JsonObject:
        if schema.get("type") != "object":
            raise ValueError('the arguments of a tool are an object; write {"type": "object", ...}')
        return schema


class Http(HttpService, Target):
    """A service that answers one HTTP request per case.

    `{{input}}`, `{{input.FIELD}}` (fields of an object, nested by dots), `{{case_key}}` and `{{trial}}` stand for the
    case in the body and in the url's path and query (percent-encoded there). In the body a text that is one
    placeholder and nothing else becomes the value itself: a number stays a number. `${NAME}` in a header stands for an
    environment variable, so that no secret is written down; where a reply repeats its value, `[NAME]` is stored.
    Redirects are not followed. The service is sent a `traceparent` (W3C Trace Context): spans of its own that it sends
    to Aloi join the trace, and tool calls in them are graded.

    The tools that its agent has can be simulated when they are listed here. Those that are simulated for a case are
    served to the agent by MCP, at an address that it is sent in the header `Aloi-Mcp-Url` and, where the body says so,
    as `{{mcp_url}}` (null where nothing is simulated). It must take its tools from there.

    `{{attachments}}` in the body stands for the case's files: a list of {name, media_type, data}, data in base64.
    """

    kind: ClassVar[str] = "http"

    url: str = Field(description="Address, e.g. https://example.org/answer?q={{input}}; placeholders behind the host.")
    body: JsonValue = Field(
        default="{{input}}",
        description="JSON with placeholders, sent as JSON; null for none. GET sends none.",
    )

    span_wait: float = Field(
        default=10.0,
        ge=0,
        le=120,
        description="Seconds to wait, after the answer, for spans that the service exports, where an evaluator reads "
        "the trace; 0 for none.",
    )

    tools: tuple[RemoteTool, ...] = Field(
        default=(), description="The tools that its agent has and that can be simulated, served to it by MCP."
    )
    only_served_tools: bool = Field(
        default=False,
        description="Whether the agent uses no tool but those that are served to it, whenever some are: then their "
        "calls are known to be all there were, and tool calls are graded without spans of the agent's own.",
    )

    @field_validator("tools")
    @classmethod
    def _told_apart(cls, tools: tuple[RemoteTool, ...]) -> tuple[RemoteTool, ...]:
        names = [tool.name for tool in tools]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"there are two tools named {', '.join(twice)}; each needs a name of its own")
        return tools

    @field_validator("url")
    @classmethod
    def _known_in_url(cls, url: str) -> str:
        _check(url)
        return url

    @field_validator("body")
    @classmethod
    def _known_in_body(cls, body: JsonValue) -> JsonValue:
        _check(json.dumps(body, ensure_ascii=False), FILES)
        return body

    async def invoke(self, invocation: Invocation, ctx: TargetContext) -> Reply:
        """Send the request and read the answer from the reply; one span, without the request's contents.

        Raises:
            StageFailure: type `bad_request` (the input lacks a field), or as `HttpService.answer`.
        """
        values: JsonObject = {
            "input": invocation.input,
            "case_key": invocation.case_key,
            "trial": invocation.trial,
            MCP_URL: ctx.mcp_url,
        }
        if self._sends_files:
            values[FILES] = [_sent(file) for file in await ctx.files(invocation)]
        url = PLACEHOLDER.sub(lambda found: quoted(_text(found[1], values)), self.url)
        body = None if self.method == "GET" else _filled(self.body, values)
        headers = {MCP_HEADER: ctx.mcp_url} if ctx.mcp_url else {}
        output = await self.answer(url, body, ctx, headers=headers)
        return Reply(output=output, shows_tools=self.only_served_tools and ctx.mcp_url is not None)

    def refuses_attachments(self) -> str | None:
        """It takes files where the body says where they go."""
        if self.method == "GET":
            return "this http target sends no body, for its method is GET"
        return None if self._sends_files else f"the body that this http target sends has no {{{{{FILES}}}}}"

    @property
    def _sends_files(self) -> bool:
        return self.method != "GET" and FILES in PLACEHOLDER.findall(json.dumps(self.body, ensure_ascii=False))

    def components(self) -> tuple[Component, ...]:
        """The tools that the agent has."""
        return tuple(Component.model_validate(dict(tool)) for tool in self.tools)

    def knows_components(self) -> bool:
        """What is not listed cannot be simulated, and nobody should believe that it is."""
        return True

    def elsewhere(self) -> str | None:
        """The service's host."""
        return urlsplit(self.url).hostname

    def span_seconds(self) -> float | None:
        """As long as `span_wait` says."""
        return self.span_wait


def _sent(file: AttachedFile) -> JsonValue:
    return {"name": file.name, "media_type": file.media_type, "data": file.base64}


def _check(template: str, *more: str) -> None:
    """Raises ValueError when a template names what no case has. `more`: what may stand there too."""
    for name in PLACEHOLDER.findall(template):
        if name not in ("input", "case_key", "trial", MCP_URL, *more) and not name.startswith("input."):
            known = ", ".join(("input", "input.FIELD", "case_key", "trial", MCP_URL, *more))
            raise ValueError(f"there is no {{{{{name}}}}} here; there are: {known}")


def _filled(template: JsonValue, values: JsonObject) -> JsonValue:
    """The template with its placeholders filled in, at any depth; keys are left as they are."""
    if isinstance(template, list):
        return [_filled(item, values) for item in template]
    if isinstance(template, dict):
        return {key: _filled(item, values) for key, item in template.items()}
    if not isinstance(template, str):
        return template
    whole = PLACEHOLDER.fullmatch(template)
    if whole:
        return _value(whole[1], values)
    return PLACEHOLDER.sub(lambda found: _text(found[1], values), template)


def _text(name: str, values: JsonObject) -> str:
    """What a placeholder inside of a text stands for; no address is an empty text."""
    return "" if name == MCP_URL and values[name] is None else text_of(_value(name, values))


def _value(name: str, values: JsonObject) -> JsonValue:
    value: JsonValue = values
    for step in name.split("."):
        if not isinstance(value, dict) or step not in value:
            message = f"the case's input has no {name.removeprefix('input.')}, which {{{{{name}}}}} stands for"
            raise StageFailure("invoke", "bad_request", message)
        value = value[step]
    return value
