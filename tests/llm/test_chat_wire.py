"""Requests written and replies read, without any network."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.chat import ChatMessage, ChatRequest
from aloi.core.errors import InvalidInput, StageFailure
from aloi.llm.chat_wire import Mode, check_settings, decoded, encoded, error_text, refuses_format

ASK = ChatRequest(messages=(ChatMessage(role="user", content="Hi"),), settings={"temperature": 0})
SHAPE = ASK._replace(output_schema={"type": "object"}, output_name="verdict")


def body(mode: Mode, request: ChatRequest = SHAPE, **settings: float | None) -> dict[str, object]:
    return json.loads(encoded("m", request, dict(settings), mode))


def reply(**message: object) -> bytes:
    return json.dumps({"model": "m-1", "choices": [{"message": message, "finish_reason": "stop"}]}).encode()


def test_a_plain_request() -> None:
    assert body("text", ASK) == {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "temperature": 0}


def test_settings_of_the_spec_win_and_null_takes_one_out() -> None:
    assert body("text", ASK, temperature=0.5)["temperature"] == 0.5
    assert "temperature" not in body("text", ASK, temperature=None)


def test_a_schema_goes_out_as_strict_response_format() -> None:
    assert body("native")["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "verdict", "schema": {"type": "object"}, "strict": True},
    }


def test_or_as_a_tool_that_must_be_called() -> None:
    sent = body("tool")
    assert sent["tool_choice"] == {"type": "function", "function": {"name": "verdict"}}
    assert "response_format" not in sent


def test_a_lone_surrogate_can_be_sent() -> None:
    asked = ChatRequest(messages=(ChatMessage(role="user", content="half \ud800 \0"),))
    sent = encoded("m", asked, {}, "text")
    assert b"\\ud800" in sent
    assert json.loads(sent)["messages"][0]["content"] == "half \ud800 \0"


@pytest.mark.parametrize("name", ["stream", "messages", "response_format"])
def test_settings_that_are_ours_are_refused_by_name(name: str) -> None:
    with pytest.raises(InvalidInput, match=name):
        check_settings("openai:m", {name: True})


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": "Paris"}, "Paris"),
        ({"content": ""}, ""),
        ({"content": None}, None),
        ({}, None),
        ({"content": [{"type": "text", "text": "Pa"}, {"type": "image"}, {"type": "text", "text": "ris"}]}, "Paris"),
        ({"content": "half \ud800 pair"}, "half \ufffd pair"),
        ({"content": "a\0b"}, "a\0b"),
    ],
)
def test_texts(message: dict[str, object], text: str | None) -> None:
    assert decoded(reply(**message), "text", "openai:m").text == text


@pytest.mark.parametrize("arguments", ['{"score": 1}', {"score": 1}])
def test_the_arguments_of_the_tool_are_the_text(arguments: object) -> None:
    calls = [{"function": {"name": "verdict", "arguments": arguments}}]
    assert decoded(reply(content=None, tool_calls=calls), "tool", "openai:m").text == '{"score": 1}'


def test_no_choice_is_no_text() -> None:
    assert decoded(b'{"choices": []}', "text", "openai:m").text is None


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 3, "completion_tokens": 0}, (3, 0)),
        (None, (None, None)),
        ({}, (None, None)),
        ({"prompt_tokens": "3", "completion_tokens": True}, (None, None)),
        ({"prompt_tokens": -1, "completion_tokens": 2.5}, (None, None)),
    ],
)
def test_usage_is_known_or_null(usage: object, tokens: tuple[int | None, int | None]) -> None:
    found = decoded(json.dumps({"choices": [], "usage": usage}).encode(), "text", "openai:m")
    assert (found.input_tokens, found.output_tokens) == tokens


@pytest.mark.parametrize(
    "answer",
    [
        *(b"", b"null", b"[]", b"{}", b'{"choices": 1}', b'{"choices": [', b"\xff\xfe", b"<html>", b"[" * 100_000),
        *(b'{"choices": [1]}', b'{"choices": [{}]}', b'{"choices": [{"message": {"content": 1}}]}'),
        *(b'{"choices": null, "error": {"message": "no"}}', b'{"choices": [{"message": {"tool_calls": [1]}}]}'),
    ],
)
def test_what_is_no_completion_is_a_bad_reply(answer: bytes) -> None:
    with pytest.raises(StageFailure, match="openai:m") as caught:
        decoded(answer, "tool", "openai:m")
    assert caught.value.type == "bad_reply"


@given(st.binary() | st.recursive(st.none() | st.text(), lambda v: st.lists(v) | st.dictionaries(st.text(), v)))
def test_any_answer_is_a_completion_or_a_bad_reply(answer: object) -> None:
    raw = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    try:
        decoded(raw, "text", "openai:m")
    except StageFailure as failure:
        assert failure.type == "bad_reply"
        failure.message.encode()


@pytest.mark.parametrize(
    ("status", "words", "refuses"),
    [
        (400, "response_format is not supported", True),
        (422, "Invalid json_schema", True),
        (404, "model not found", False),
        (400, "context length exceeded", False),
        (500, "response_format broke us", False),
    ],
)
def test_a_refusal_of_structured_output_is_told_from_other_errors(status: int, words: str, refuses: bool) -> None:
    assert refuses_format(status, words.encode()) is refuses


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (b'{"error": {"message": "too\\n much"}}', "too much"),
        (b'{"error": "gone"}', "gone"),
        (b'{"detail": "not found"}', "not found"),
        (b"<html>Bad gateway</html>", "<html>Bad gateway</html>"),
        (b"\xff", "\ufffd"),
        (b"x" * 1000, "x" * 300 + "…"),
    ],
)
def test_the_words_of_an_error(answer: bytes, text: str) -> None:
    assert error_text(answer) == text
