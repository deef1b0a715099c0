"""The `http` target: templates, and every kind of reply. Its secrets: test_http_secrets.py."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue, ValidationError

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.target import HttpReply, Invocation, Reply, Target, TargetContext
from aloi.core.tool import ToolContext
from aloi.llm.models import Models
from aloi.plugins import build
from aloi.targets.http import Http
from aloi.tracing.recorder import Recording
from tests.model_server import ModelServer
from tests.targets.http_calls import ENVIRON, Call, reply_of


async def test_the_input_is_the_body_and_the_reply_the_answer() -> None:
    call = Call()
    reply = await call.invoke({"question": "Why?"})
    assert (reply.output, reply.shows_tools, reply.usage.calls) == ({"answer": 42}, False, 0)
    assert call.body == {"question": "Why?"}
    [span] = call.recorder.spans()
    traceparent = f"00-{call.recorder.trace_id}-{span.span_id}-01"
    assert call.request.headers == {"Content-Type": "application/json", "traceparent": traceparent}
    assert span.attributes["aloi.trace.sent"] is True


async def test_a_traceparent_of_the_definition_stands() -> None:
    call = Call(headers={"Traceparent": "00-" + "ab" * 16 + "-" + "cd" * 8 + "-00"})
    await call.invoke()
    named = {name: value for name, value in call.request.headers.items() if name.lower() == "traceparent"}
    assert named == {"Traceparent": "00-" + "ab" * 16 + "-" + "cd" * 8 + "-00"}
    assert "aloi.trace.sent" not in call.recorder.spans()[0].attributes


def test_how_long_spans_are_waited_for() -> None:
    assert Http(url="https://example.org/").span_seconds() == 10
    assert Http(url="https://example.org/", span_wait=0).span_seconds() == 0
    for seconds in (-1, 121):
        with pytest.raises(ValidationError, match="span_wait"):
            Http(url="https://example.org/", span_wait=seconds)


async def test_placeholders_in_the_body() -> None:
    body = {
        "q": "{{input.text}}",
        "n": "{{ input.n }}",
        "note": "case {{case_key}} of {{input}}",
        "t": ["{{trial}}", 1],
    }
    call = Call(body=body)
    await call.invoke({"text": "où", "n": 3.5})
    assert call.body == {
        "q": "où",
        "n": 3.5,
        "note": 'case case-1 of {"text": "où", "n": 3.5}',
        "t": [2, 1],
    }


async def test_nested_fields_and_null() -> None:
    call = Call(body=["{{input.a.b}}", "{{input.a.c}}"])
    await call.invoke({"a": {"b": [1, True], "c": None}})
    assert call.body == [[1, True], None]


@pytest.mark.parametrize("given", ["text", {"other": 1}, {"field": "not an object"}])
async def test_a_field_that_is_not_there_is_named(given: Any) -> None:
    failure = await Call(body="{{input.field.inner}}").failure(given)
    assert failure.type == "bad_request"
    assert "field.inner" in failure.message


async def test_placeholders_in_the_url_are_encoded() -> None:
    call = Call(url="https://example.org/{{case_key}}/x?q={{input}}&n=1", method="GET")
    await call.invoke("a&b=c/ü?#\ud800", key="k/1")
    assert call.request.url == "https://example.org/k%2F1/x?q=a%26b%3Dc%2F%C3%BC%3F%23%EF%BF%BD&n=1"
    assert call.request.body is None


@given(st.text())
async def test_any_text_can_be_sent(text: str) -> None:
    call = Call(url="https://example.org/?q={{input}}", body={"q": "<{{input}}>"})
    await call.invoke(text)
    assert call.body == {"q": f"<{text}>"}
    assert call.request.url.isascii()


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("$.answer.text", "Paris"),
        ("$.answer", {"text": "Paris", "tags": ["a", "b"]}),
        ("$.answer.tags[*]", ["a", "b"]),
        ("$.empty", ""),
        ("$.no", False),
    ],
)
async def test_the_answer_by_its_path(path: str, answer: JsonValue) -> None:
    document: JsonValue = {"answer": {"text": "Paris", "tags": ["a", "b"]}, "empty": "", "no": False}
    assert (await Call(reply_of(document), output=path).invoke()).output == answer


@pytest.mark.parametrize("document", [{"answer": None}, {}, [], None])
async def test_nothing_at_the_path_is_no_answer(document: JsonValue) -> None:
    failure = await Call(reply_of(document), output="$.answer").failure()
    assert failure.type == "no_answer"
    assert "$.answer" in failure.message


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (reply_of("Paris"), "Paris"),
        (reply_of([1, None]), [1, None]),
        (reply_of({"a": 1}, media="application/problem+json; charset=utf-8"), {"a": 1}),
        (reply_of(b'{"a": 1}', media="text/plain"), '{"a": 1}'),
        (reply_of(b'{"a": 1}', media=None), {"a": 1}),
        (reply_of(b"just text", media=None), "just text"),
        (reply_of(b"", media="text/plain"), ""),
        (reply_of("a\0b"), "a\0b"),
        (reply_of({"\ud800": ["half \ud800"]}), {"\ufffd": ["half \ufffd"]}),
    ],
)
async def test_the_whole_reply_as_json_or_text(reply: HttpReply, answer: JsonValue) -> None:
    assert (await Call(reply).invoke()).output == answer


@pytest.mark.parametrize("reply", [reply_of(None), reply_of(b""), reply_of(b"", 204, None)])
async def test_an_empty_reply_is_no_answer(reply: HttpReply) -> None:
    assert (await Call(reply).failure()).type == "no_answer"


@pytest.mark.parametrize(
    ("reply", "fields"),
    [
        (reply_of(b"{"), {}),
        (reply_of(b"NaN"), {}),
        (reply_of(b"[" * 100_000), {}),
        (reply_of(b"\xff\xfe"), {}),
        (reply_of(b"\xff\xfe", media="text/plain"), {}),
        (reply_of(b"just text", media="text/plain"), {"output": "$.answer"}),
    ],
)
async def test_a_reply_that_cannot_be_read(reply: HttpReply, fields: dict[str, str]) -> None:
    assert (await Call(reply, **fields).failure()).type == "bad_reply"


@pytest.mark.parametrize("status", [301, 400, 404, 500, 503])
async def test_a_bad_status(status: int) -> None:
    call = Call(reply_of(b"it is\n so " + b"x" * 1000, status))
    failure = await call.failure()
    assert failure.type == "http_status"
    assert f"{status}" in failure.message
    assert "it is so" in failure.message
    assert len(failure.message) < 450
    assert call.recorder.trace().spans[0].attributes["http.response.status_code"] == status


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"url": "nowhere"}, "url"),
        ({"url": "https://{{input}}/x"}, "host"),
        ({"url": "https://u:p@example.org/"}, "user or password"),
        ({"url": "https://example.org/{{name}}"}, "name"),
        ({"url": "https://example.org/", "body": {"a": "{{inputs}}"}}, "inputs"),
        ({"url": "https://example.org/", "output": "$.["}, "JSONPath"),
        ({"url": "https://example.org/", "method": "TRACE"}, "method"),
    ],
)
def test_a_definition_that_does_not_fit(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        build("targets", {"kind": "http", **fields}, Target)


def test_no_unknown_fields() -> None:
    with pytest.raises(ValidationError):
        Http.model_validate({"url": "https://example.org/", "timeout": 3})


@pytest.fixture
async def models() -> AsyncIterator[Models]:
    registry = Models(ENVIRON)
    yield registry
    await registry.close()


async def invoke_for_real(models: Models, **fields: Any) -> Reply:
    tools = ToolContext(workspace="", now=lambda: datetime.now(UTC))
    ctx = TargetContext(chat=models.chat, http=models.http, recorder=Recording(), tools=tools, environ=ENVIRON)
    return await Http(**fields).invoke(Invocation(input="Hi"), ctx)


async def test_over_a_real_connection(models: Models, model_server: ModelServer) -> None:
    fields = {"headers": {"X-Token": "${TOKEN}"}, "body": {"q": "{{input}}"}, "output": "$['echo','headers']"}
    reply = await invoke_for_real(models, url=f"{model_server.root}/echo", **fields)
    assert isinstance(reply.output, list)
    echoed, headers = reply.output
    assert echoed == {"q": "Hi"}
    assert isinstance(headers, dict)
    assert headers["X-Token"] == "[TOKEN]"
    assert model_server.requests[0].headers["X-Token"] == "t0p-secret"
    assert model_server.stats.requests == 1


async def test_a_reply_that_is_too_long(models: Models, model_server: ModelServer) -> None:
    with pytest.raises(StageFailure) as caught:
        await invoke_for_real(models, url=f"{model_server.root}/echo", max_bytes=20)
    assert caught.value.type == "too_large"
