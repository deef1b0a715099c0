"""The step `http`: what it sends, and every way in which a service fails it, over real connections."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from pydantic import JsonValue

from aloi.core.errors import InvalidInput
from aloi.core.spec import JsonObject
from aloi.core.step import NOTHING_KNOWN, Step
from aloi.core.trace import TRACE_SENT, TRACE_WAIT
from aloi.plugins import build
from aloi.steps.http import Http
from tests.llm.raw_server import http_answer, raw_server
from tests.model_server import ModelServer
from tests.steps.step_calls import StepCalls, assert_no_secret, step

URL = "https://example.org/answer"


@asynccontextmanager
async def endless() -> AsyncGenerator[str]:
    """The address of a service whose answer never ends."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n")
            while not writer.is_closing():
                writer.write(b"400\r\n" + b"x" * 1024 + b"\r\n")
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    finally:
        server.close()


async def test_values_are_sent_in_the_body_and_in_the_url(calls: StepCalls, model_server: ModelServer) -> None:
    calls.document = {"input": {"q": "a&b=c/ü?#"}, "steps": {"look": {"ids": [1, 2]}}}
    one = step(
        Http,
        url=f"{model_server.root}/echo?q={{{{ input.q }}}}&n={{{{ steps.look.ids | first | plus: 1 }}}}&z=1",
        body={"ids": "{{ steps.look.ids }}", "text": "<{{ input.q }}>", "n": 1},
        output="$.echo",
    )
    assert await calls.run(one) == {"ids": [1, 2], "text": "<a&b=c/ü?#>", "n": 1}
    (request,) = model_server.requests
    assert request.headers["Content-Type"] == "application/json"
    arguments = one.arguments(calls.document)
    assert isinstance(arguments, dict)
    assert arguments["url"] == f"{model_server.root}/echo?q=a%26b%3Dc%2F%C3%BC%3F%23&n=2&z=1"


async def test_the_service_is_told_of_the_trace_with_the_request_as_its_parent(
    calls: StepCalls, model_server: ModelServer
) -> None:
    url = f"{model_server.root}/echo"
    for seconds, told in ((0, {TRACE_SENT: True}), (5, {TRACE_SENT: True, TRACE_WAIT: 5})):
        await calls.run(step(Http, url=url, span_wait=seconds))
        span, request = calls.trace.spans[-1], model_server.requests[-1]
        assert request.headers["traceparent"] == f"00-{calls.trace.trace_id}-{span.span_id}-01"
        assert {name: span.attributes.get(name) for name in told} == told
    given = "00-" + "ab" * 16 + "-" + "cd" * 8 + "-01"
    await calls.run(step(Http, url=url, headers={"traceparent": given}))
    assert model_server.requests[-1].headers["traceparent"] == given
    assert TRACE_SENT not in calls.trace.spans[-1].attributes


def test_nothing_is_waited_for_unless_the_step_says_so() -> None:
    assert step(Http, url=URL).span_seconds() == 0
    assert step(Http, url=URL, span_wait=2.5).span_seconds() == 2.5
    with pytest.raises(InvalidInput, match="span_wait"):
        step(Http, url=URL, span_wait=121)


@pytest.mark.parametrize(
    "value", ["x/../../admin", "@evil.example/", "\\evil", "%2e%2e/", "?a#b", "{{ input }}", "é\n"]
)
def test_no_value_leaves_its_place(value: str) -> None:
    one = step(Http, url="https://example.org/{{ input }}/end", method="GET")
    arguments = one.arguments({"input": value, "steps": {}})
    assert isinstance(arguments, dict)
    url = str(arguments["url"])
    assert url.startswith("https://example.org/")
    assert url.endswith("/end")
    assert not set("/\\@?#{}\n") & set(url.removeprefix("https://example.org/").removesuffix("/end"))


def test_what_it_reads() -> None:
    one = step(Http, url=f"{URL}/{{{{ steps.a }}}}?q={{{{ input }}}}", body={"x": ["{{ steps.b.c }}"]})
    assert [(read.at, read.path) for read in one.reads()] == [
        (("url",), ("steps", "a")),
        (("url",), ("input",)),
        (("body", "x", 0), ("steps", "b", "c")),
    ]
    assert one.answer_schema(NOTHING_KNOWN) is None


def test_a_get_sends_and_reads_no_body() -> None:
    one = step(Http, url=URL, method="GET", body="{{ steps.a }}")
    assert one.reads() == ()
    assert one.arguments({"input": "", "steps": {}}) == {"method": "GET", "url": URL, "body": None}


@pytest.mark.parametrize(
    ("fields", "changes"),
    [
        ({}, True),
        ({"method": "GET"}, False),
        ({"method": "DELETE"}, True),
        ({"side_effect": False}, False),
        ({"method": "GET", "side_effect": True}, True),
    ],
)
def test_what_changes_the_world(fields: dict[str, Any], changes: bool) -> None:
    one = step(Http, url=URL, **fields)
    (component,) = one.components()
    assert (component.kind, component.side_effect) == ("step", changes)
    assert build("steps", one.to_spec(), Step) == one


async def test_a_secret_is_sent_and_shows_nowhere(calls: StepCalls, model_server: ModelServer) -> None:
    one = step(Http, url=f"{model_server.root}/echo", headers={"X-Key": "${TOKEN}"}, output="$.headers['X-Key']")
    assert await calls.run(one) == "[TOKEN]"
    assert model_server.requests[0].headers["X-Key"] == "t0p-secret-token"
    assert_no_secret(json.dumps([one.arguments(calls.document), one.to_spec()]), calls.trace)
    assert [key.variable for key in one.named_keys()] == ["TOKEN"]


@pytest.mark.parametrize(
    ("answer", "fields", "kind", "words"),
    [
        (http_answer(b"no: t0p-secret-token", "500 Oh"), {}, "http_status", "status 500: no: [TOKEN]"),
        (http_answer(b"", "302 Found", "Location: /there\r\n"), {}, "http_status", "redirects are not followed"),
        (http_answer(b"{"), {}, "bad_reply", "not JSON"),
        (http_answer(b'"\xff"'), {}, "bad_reply", "not UTF-8"),
        (http_answer(b"text", headers="Content-Type: text/plain\r\n"), {"output": "$.a"}, "bad_reply", "not JSON"),
        (http_answer(b'{"b": 1}'), {"output": "$.a"}, "no_answer", "$.a is not there"),
        (http_answer(b"null"), {}, "no_answer", "null"),
        (http_answer(b'"0123456789"'), {"max_bytes": 5}, "too_large", "longer than 5 bytes"),
        (b"nonsense\r\n\r\n", {"method": "POST"}, "bad_reply", "did not answer in HTTP"),
        (b"", {"method": "POST"}, "connection", "connection"),
    ],
)
async def test_a_service_that_fails(
    calls: StepCalls, answer: bytes, fields: dict[str, Any], kind: str, words: str
) -> None:
    async with raw_server(answer) as server:
        made = {"url": f"{server.url}/x", "method": "GET", "headers": {"X-Key": "${TOKEN}"}, **fields}
        failure = await calls.failure(step(Http, **made))
    assert failure.type == kind
    assert words in failure.message
    (span,) = calls.trace.spans
    assert span.error == failure.message


async def test_an_answer_without_end(calls: StepCalls) -> None:
    async with endless() as url:
        failure = await calls.failure(step(Http, url=url, method="GET", max_bytes=100_000))
    assert failure.type == "too_large"


@pytest.mark.parametrize("value", [".", ".."])
async def test_dots_do_not_climb(calls: StepCalls, model_server: ModelServer, value: str) -> None:
    calls.document = {"input": value, "steps": {}}
    failure = await calls.failure(step(Http, url=f"{model_server.root}/a/{{{{ input }}}}/echo"))
    assert (failure.type, model_server.stats.requests) == ("bad_request", 0)


async def test_nobody_is_there(calls: StepCalls) -> None:
    async with raw_server(b"") as server:
        url = server.url
    failure = await calls.failure(step(Http, url=url))
    assert failure.type == "connection"


async def test_a_variable_that_is_not_set(calls: StepCalls, model_server: ModelServer) -> None:
    failure = await calls.failure(step(Http, url=f"{model_server.root}/echo", headers={"X-Key": "${NO_SUCH}"}))
    assert (failure.type, model_server.stats.requests) == ("no_key", 0)
    assert "NO_SUCH" in failure.message


async def test_an_expression_that_cannot_be_evaluated(calls: StepCalls) -> None:
    failure = await calls.failure(step(Http, url=f"{URL}?q={{{{ input.name }}}}"))
    assert failure.type == "template"
    assert "input.name" in failure.message


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"url": "https://{{ input }}/"}, "may not depend"),
        ({"url": "https://example.org{{ input }}"}, "may not depend"),
        ({"url": "https://example.org/{% if input %}a{% endif %}"}, "not {% tags %}"),
        ({"url": "https://example.org/{{ input"}, "url"),
        ({"url": "https://u:p@example.org/"}, "user or password"),
        ({"headers": {"Authorization": "Bearer x"}}, "the value of Authorization"),
        ({"body": {"a": ["{{ input"]}}, "at a.0"),
        ({"output": "$.["}, "JSONPath"),
        ({"method": "TRACE"}, "method"),
        ({"changes_world": True}, "changes_world"),
    ],
)
def test_a_definition_that_does_not_fit(fields: dict[str, JsonValue], words: str) -> None:
    definition: JsonObject = {"kind": "http", "name": "one", "url": URL, **fields}
    with pytest.raises(InvalidInput, match=words):
        build("steps", definition, Step)
