"""The step `prompt`: what it asks, what it answers, and every way in which a model fails it."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from aloi.core.errors import InvalidInput
from aloi.core.step import NOTHING_KNOWN, Step
from aloi.core.trace import INPUT_MESSAGES, INPUT_TOKENS, INSTRUCTIONS, OUTPUT_MESSAGES
from aloi.core.trajectory import message_text, usage_of
from aloi.plugins import build
from aloi.steps.prompt import Prompt
from tests.model_server import ChatRequestBody, ModelServer
from tests.model_server.reply import Answer
from tests.steps.step_calls import StepCalls, step

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"kind": {"enum": ["refund", "other"]}, "amount": {"type": "number"}},
    "required": ["kind", "amount"],
    "additionalProperties": False,
}
GOOD = '{"kind": "refund", "amount": 12.5}'

Make = Callable[..., Prompt]


@pytest.fixture
def make(model_server: ModelServer) -> Make:
    def prompt(model: str, text: str = "Say {{ input }}", **fields: Any) -> Prompt:
        return step(Prompt, model=f"openai:{model}", base_url=model_server.url, prompt=text, **fields)

    return prompt


def in_turn(server: ModelServer, *answers: str | Answer) -> None:
    """The model's replies, one after the other; the last one repeats."""
    left = list(answers)

    def reply(_: ChatRequestBody) -> str | Answer:
        return left.pop(0) if len(left) > 1 else left[0]

    server.reply = reply


async def test_the_output_is_the_text(calls: StepCalls, make: Make) -> None:
    calls.document = {"input": {"name": "Ada"}, "steps": {"look": {"n": [1, 2]}}}
    one = make("echo", "{{ input.name }} has {{ steps.look.n }}")
    assert await calls.run(one) == "Ada has [1, 2]"
    assert (calls.used.calls, calls.used.tokens) == (1, 8)


async def test_what_is_asked_and_recorded(calls: StepCalls, make: Make, model_server: ModelServer) -> None:
    one = make("echo", instructions="Speak {{ input | size }} words.", settings={"temperature": 0})
    await calls.run(one)
    assert model_server.requests[0].body == {
        "model": "echo",
        "temperature": 0,
        "messages": [
            {"role": "system", "content": "Speak 8 words."},
            {"role": "user", "content": "Say Hi there"},
        ],
    }
    (span,) = calls.trace.spans
    assert span.name == "chat echo"
    assert span.attributes[INSTRUCTIONS] == [{"type": "text", "content": "Speak 8 words."}]
    assert message_text(span.attributes[INPUT_MESSAGES]) == "Say Hi there"
    assert message_text(span.attributes[OUTPUT_MESSAGES]) == "Say Hi there"
    assert span.attributes[INPUT_TOKENS] == 6


def test_what_it_reads_and_gives(make: Make) -> None:
    one = make("echo", "{{ steps.a.b }} and {{ input }}", instructions="{{ steps.c }}")
    assert [(read.at, read.path) for read in one.reads()] == [
        (("instructions",), ("steps", "c")),
        (("prompt",), ("steps", "a", "b")),
        (("prompt",), ("input",)),
    ]
    assert one.arguments({"input": 1, "steps": {"a": {"b": None}, "c": "x"}}) == {
        "prompt": " and 1",
        "instructions": "x",
    }
    assert one.answer_schema(NOTHING_KNOWN) == {"type": "string"}
    assert make("echo", output_schema=SCHEMA).answer_schema(NOTHING_KNOWN) == SCHEMA
    assert [spec.model for spec in one.models()] == ["openai:echo"]
    (component,) = make("echo", output_schema=SCHEMA).components()
    assert (component.name, component.kind, component.output_schema) == ("one", "step", SCHEMA)
    assert not component.side_effect


async def test_structured_output(calls: StepCalls, make: Make, model_server: ModelServer) -> None:
    in_turn(model_server, GOOD)
    assert await calls.run(make("m", output_schema=SCHEMA)) == {"kind": "refund", "amount": 12.5}
    wanted = model_server.requests[0].body["response_format"]
    assert wanted["json_schema"] == {"name": "answer", "schema": SCHEMA, "strict": True}


async def test_an_endpoint_without_structured_output_is_asked_by_a_tool(calls: StepCalls, make: Make) -> None:
    schema = {"type": "object", "properties": {"passed": {"type": "boolean"}}, "required": ["passed"]}
    assert await calls.run(make("no-structured", output_schema=schema)) == {"passed": True}


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("not JSON", "Expecting value"),
        ('{"kind": "refund"}', "$: 'amount' is a required property"),
        ('{"kind": "gift", "amount": 1}', "$.kind: 'gift' is not one of"),
        ('{"kind": "refund", "amount": NaN}', "NaN is not JSON"),
        ("[" * 3000 + "]" * 3000, "nested"),
    ],
)
async def test_a_reply_that_does_not_fit_is_asked_for_again(
    calls: StepCalls, make: Make, model_server: ModelServer, first: str, said: str
) -> None:
    in_turn(model_server, first, f"```json\n{GOOD}\n```")
    assert await calls.run(make("m", output_schema=SCHEMA)) == {"kind": "refund", "amount": 12.5}
    (asked, again) = (request.body["messages"] for request in model_server.requests)
    assert [message["role"] for message in again] == ["user", "assistant", "user"]
    assert again[0] == asked[0]
    assert said in again[2]["content"]
    assert calls.used.calls == 2
    assert usage_of(calls.trace) == calls.used


async def test_after_three_replies_that_do_not_fit_it_fails(
    calls: StepCalls, make: Make, model_server: ModelServer
) -> None:
    in_turn(model_server, '{"kind": "refund"}')
    failure = await calls.failure(make("m", output_schema=SCHEMA, instructions="Be exact."))
    assert (failure.type, model_server.stats.requests, calls.used.calls) == ("bad_reply", 3, 3)
    assert "none of 3 replies of openai:m fits the output_schema: $: 'amount' is a required property" in failure.message
    roles = [message["role"] for message in model_server.requests[2].body["messages"]]
    assert roles == ["system", "user", "assistant", "user"]


async def test_a_reply_that_was_cut_says_so(calls: StepCalls, make: Make, model_server: ModelServer) -> None:
    in_turn(model_server, Answer('{"kind": "ref', finish_reason="length"))
    failure = await calls.failure(make("m", output_schema=SCHEMA))
    assert failure.type == "bad_reply"
    assert "raise max_tokens" in failure.message


@pytest.mark.parametrize("fields", [{}, {"output_schema": SCHEMA}])
@pytest.mark.parametrize(
    ("model", "kind", "words"),
    [
        ("refusal", "no_answer", "it refused (I cannot help with that.)"),
        ("empty-choices", "no_answer", "holds no choice"),
        ("null-content", "no_answer", "no content"),
        ("malformed", "bad_reply", "not JSON"),
        ("not-utf8", "bad_reply", "not UTF-8"),
        ("status:401", "http_status", "OPENAI_API_KEY"),
        ("status:404", "http_status", "check the model's name"),
        ("status:500", "http_status", "500"),
        ("status:429", "rate_limited", "429"),
        ("close", "connection", "connection"),
    ],
)
async def test_a_model_that_fails(
    calls: StepCalls, make: Make, model: str, kind: str, words: str, fields: dict[str, Any]
) -> None:
    failure = await calls.failure(make(model, api_key_env="OPENAI_API_KEY", **fields))
    assert failure.type == kind
    assert words in failure.message
    assert (calls.trace.spans[-1].error is None) == (kind == "no_answer")  # a call that came back is no failed call


async def test_a_refusal_was_paid_for(calls: StepCalls, make: Make) -> None:
    await calls.failure(make("refusal"))
    assert calls.used.calls == 1


async def test_a_missing_key_is_named(calls: StepCalls, make: Make, model_server: ModelServer) -> None:
    failure = await calls.failure(make("echo", api_key_env="NO_SUCH_KEY"))
    assert (failure.type, model_server.stats.requests) == ("no_key", 0)
    assert "NO_SUCH_KEY" in failure.message


async def test_a_model_that_never_answers_can_be_left(calls: StepCalls, make: Make, model_server: ModelServer) -> None:
    call = asyncio.create_task(calls.run(make("hang")))
    await asyncio.wait_for(model_server.until(lambda stats: stats.in_flight == 1), 5)
    call.cancel()
    await asyncio.wait_for(model_server.until(lambda stats: stats.in_flight == 0), 5)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"model": "gpt"}, "provider:model"),
        ({"prompt": ""}, "prompt"),
        ({"prompt": "{{ input"}, "does not fit: prompt: it"),
        ({"prompt": "{% include 'x' %}"}, "does not fit: prompt: it"),
        ({"instructions": "{% if %}"}, "instructions"),
        ({"output_schema": {"type": "string"}}, "an object"),
        ({"output_schema": {"type": "object", "properties": 3}}, "not a JSON Schema"),
        ({"output_schema": {"type": "object", "$ref": "#/$defs/x"}}, "not inside it"),
        ({"temprature": 0}, "temprature"),
    ],
)
def test_a_definition_that_does_not_fit(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        build("steps", {"kind": "prompt", "name": "one", "model": "openai:m", "prompt": "Hi", **fields}, Step)


def test_a_definition_survives_its_stored_form(make: Make) -> None:
    one = make("m", output_schema=SCHEMA, instructions="Be exact.", settings={"seed": 1}, retries=2, needs=["a"])
    assert build("steps", one.to_spec(), Step) == one
