"""A service over a real connection: what is sent and shown. All kinds of replies: tests/targets/test_http.py."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import JsonValue, ValidationError

from aloi.core.errors import NotPermitted, StageFailure
from aloi.core.keys import KeyPolicy
from aloi.core.target import TargetContext
from aloi.core.tool import ToolContext
from aloi.core.trace import TRACE_SENT
from aloi.llm.http_service import HOST, METHOD, STATUS, HttpService, quoted
from aloi.llm.models import Models
from aloi.tracing.recorder import Recording
from tests.llm.raw_server import http_answer, raw_server

ENVIRON = {"TOKEN": "t0p-secret"}


@pytest.fixture
async def ctx() -> AsyncIterator[TargetContext]:
    models = Models(ENVIRON)
    tools = ToolContext(workspace="", now=lambda: datetime.now(UTC))
    yield TargetContext(chat=models.chat, http=models.http, recorder=Recording(), tools=tools, environ=ENVIRON)
    await models.close()


def spans(ctx: TargetContext) -> Any:
    recorder = ctx.recorder
    assert isinstance(recorder, Recording)
    return recorder.spans()


async def test_what_is_sent_and_recorded(ctx: TargetContext) -> None:
    async with raw_server(http_answer(b'{"said": "t0p-secret"}')) as server:
        service = HttpService(url=f"{server.url}/path", headers={"X-Key": "${TOKEN}"}, output="$.said")
        assert await service.answer(f"{server.url}/path?q=1", {"a": "ü"}, ctx) == "[TOKEN]"
        assert server.requests[0].startswith(b"POST /path?q=1 HTTP/1.1\r\n")
        assert b"t0p-secret" in server.requests[0]
        assert server.requests[0].endswith(b'{"a": "\\u00fc"}')
    (span,) = spans(ctx)
    told = {METHOD: "POST", HOST: "127.0.0.1", STATUS: 200, TRACE_SENT: True}
    assert (span.name, span.attributes) == ("POST 127.0.0.1", told)


@pytest.mark.parametrize(("method", "body"), [("GET", {"a": 1}), ("POST", None)])
async def test_no_body(ctx: TargetContext, method: Any, body: JsonValue) -> None:
    async with raw_server(http_answer(b"1")) as server:
        assert await HttpService(url=server.url, method=method).answer(server.url, body, ctx) == 1
        assert server.requests[0].endswith(b"\r\n\r\n")


async def test_the_variables_are_looked_for_before_anything_is_sent(ctx: TargetContext) -> None:
    service = HttpService(url="http://127.0.0.1:1/", headers={"X-Key": "${NO_SUCH}"})
    assert [key.variable for key in service.named_keys()] == ["NO_SUCH"]
    with pytest.raises(StageFailure, match="NO_SUCH") as caught:
        await service.answer(service.url, None, ctx)
    assert (caught.value.type, spans(ctx)) == ("no_key", ())


def test_a_key_may_go_to_a_host_that_is_let_in_whatever_the_path_holds() -> None:
    policy = KeyPolicy(names=frozenset({"TOKEN"}), hosts=frozenset({"example.org"}))
    headers = {"X-Key": "${TOKEN}"}
    policy.check(HttpService(url="https://example.org/a/{{ input.x }}?q={{ y }}", headers=headers).named_keys())
    with pytest.raises(NotPermitted, match=r"other\.example"):
        policy.check(HttpService(url="https://other.example/{{ input.x }}", headers=headers).named_keys())


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"url": "https://{{ host }}/"}, "may not depend"),
        ({"url": "https://example.org{# x #}{{ input }}"}, "may not depend"),
        ({"url": "https://example.org{% if true %}.evil.example{% endif %}/"}, "may not depend"),
        ({"url": "ftp://example.org/"}, "not an address"),
        ({"url": "https://example.org/", "headers": {"Cookie": "id=1"}}, "Cookie"),
    ],
)
def test_a_definition_that_cannot_be_used(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        HttpService(**fields)


@pytest.mark.parametrize(("value", "text"), [("a/b?c&d=é", "a%2Fb%3Fc%26d%3D%C3%A9"), (3.5, "3.5"), (None, "null")])
def test_values_keep_to_their_place_in_an_address(value: JsonValue, text: str) -> None:
    assert quoted(value) == text
