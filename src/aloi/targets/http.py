"""`http`: any service that answers one HTTP request per case."""

import json
import re
from typing import ClassVar

from pydantic import Field, JsonValue, field_validator

from aloi.core.errors import StageFailure
from aloi.core.json_values import text_of
from aloi.core.spec import JsonObject
from aloi.core.target import Invocation, Reply, Target, TargetContext
from aloi.llm.http_service import HttpService, quoted

PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_][\w.\-]*)\s*\}\}")


class Http(HttpService, Target):
    """A service that answers one HTTP request per case.

    `{{input}}`, `{{input.FIELD}}` (fields of an object, nested by dots), `{{case_key}}` and `{{trial}}` stand for the
    case in the body and in the url's path and query (percent-encoded there). In the body a text that is one
    placeholder and nothing else becomes the value itself: a number stays a number. `${NAME}` in a header stands for an
    environment variable, so that no secret is written down; where a reply repeats its value, `[NAME]` is stored.
    Redirects are not followed.
    """

    kind: ClassVar[str] = "http"

    url: str = Field(description="Address, e.g. https://example.org/answer?q={{input}}; placeholders behind the host.")
    body: JsonValue = Field(
        default="{{input}}",
        description="JSON with placeholders, sent as JSON; null for none. GET sends none.",
    )

    @field_validator("url")
    @classmethod
    def _known_in_url(cls, url: str) -> str:
        _check(url)
        return url

    @field_validator("body")
    @classmethod
    def _known_in_body(cls, body: JsonValue) -> JsonValue:
        _check(json.dumps(body, ensure_ascii=False))
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
        }
        url = PLACEHOLDER.sub(lambda found: quoted(_value(found[1], values)), self.url)
        body = None if self.method == "GET" else _filled(self.body, values)
        return Reply(output=await self.answer(url, body, ctx), shows_tools=False)


def _check(template: str) -> None:
    """Raises ValueError when a template names what no case has."""
    for name in PLACEHOLDER.findall(template):
        if name not in ("input", "case_key", "trial") and not name.startswith("input."):
            raise ValueError(f"there is no {{{{{name}}}}}; use input, input.FIELD, case_key or trial")


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
    return PLACEHOLDER.sub(lambda found: text_of(_value(found[1], values)), template)


def _value(name: str, values: JsonObject) -> JsonValue:
    value: JsonValue = values
    for step in name.split("."):
        if not isinstance(value, dict) or step not in value:
            message = f"the case's input has no {name.removeprefix('input.')}, which {{{{{name}}}}} stands for"
            raise StageFailure("invoke", "bad_request", message)
        value = value[step]
    return value
