"""An execution is read from its spans, whatever surrounds them."""

import json
from typing import Any

import pytest

from aloi.core.trace import INPUT_MESSAGES, INPUT_TOKENS, OPERATION, OUTPUT_MESSAGES, Span
from aloi.tracing.otlp.spans import completed
from aloi.tracing.otlp.whole import NO_ANSWER, observed, target_name

TRACE = "ab" * 16


def span(number: int, parent: int | None = None, error: str | None = None, **attributes: Any) -> Span:
    """A span that began at its number; `__` in names stands for a dot."""
    return Span(
        span_id=str(number),
        parent_id=None if parent is None else str(parent),
        name="work",
        start_ns=number,
        end_ns=number + 1,
        attributes={name.replace("__", "."): value for name, value in attributes.items()},
        error=error,
    )


def said(role: str, *texts: str, call: str | None = None) -> Any:
    parts: list[Any] = [{"type": "text", "content": text} for text in texts]
    parts += [{"type": "tool_call", "id": "1", "name": call, "arguments": {"city": "Paris"}}] if call else []
    return [{"role": role, "parts": parts}]


def turn(number: int, parent: int | None, asked: str, answer: Any, **more: Any) -> Span:
    messages = {INPUT_MESSAGES: said("user", asked), OUTPUT_MESSAGES: answer}
    return span(number, parent, **{OPERATION: "chat", **messages, **more})


def test_a_web_server_around_an_agent_does_not_hide_it():
    agent = {OPERATION: "invoke_agent", INPUT_MESSAGES: said("user", "Hi?"), OUTPUT_MESSAGES: said("assistant", "Yes.")}
    found = observed(TRACE, [span(1, http__method="POST"), span(2, 1, **agent)])
    assert (found.input, found.outcome.output, found.start_ns) == ("Hi?", "Yes.", 1)


def test_an_agents_error_counts_though_the_server_answered():
    found = observed(TRACE, [span(1), span(2, 1, "it broke", **{OPERATION: "invoke_agent"})])
    assert found.outcome.failure is not None
    assert found.outcome.failure.message == "it broke"


def test_a_root_that_did_not_come_is_stood_in_for_by_the_first_below_it():
    found = observed(TRACE, [turn(3, 9, "Hi?", said("assistant", "Yes."))])
    assert (found.input, found.outcome.output) == ("Hi?", "Yes.")


def test_the_true_root_is_preferred_to_an_orphan_that_began_before():
    found = observed(
        TRACE, [turn(1, 99, "orphan", said("assistant", "no")), turn(2, None, "Hi?", said("assistant", "Yes."))]
    )
    assert (found.input, found.outcome.output) == ("Hi?", "Yes.")


def test_a_turn_that_asks_for_tools_is_no_answer():
    found = observed(
        TRACE, [span(1, input__value="Hi?"), turn(2, 1, "Hi?", said("assistant", "Let me see.", call="search"))]
    )
    assert found.outcome.failure is not None
    assert found.outcome.failure.message == NO_ANSWER


def test_what_a_first_turn_says_beside_its_calls_is_no_answer():
    turns = [
        turn(2, 1, "Hi?", said("assistant", "Let me see.", call="search")),
        turn(4, 1, "Hi?", said("assistant", "Yes.")),
    ]
    assert observed(TRACE, [span(1), *turns]).outcome.output == "Yes."
    assert observed(TRACE, turns).outcome.output == "Yes."


def test_of_agents_side_by_side_the_first_was_asked_and_the_last_answered():
    def agent(number: int, asked: str, answer: str, error: str | None = None) -> Span:
        told: Any = {INPUT_MESSAGES: said("user", asked), OUTPUT_MESSAGES: said("assistant", answer)}
        return span(number, 1, error, **{OPERATION: "invoke_agent", **told})

    embedded: Any = {OPERATION: "embeddings", "output.value": "[1]"}
    beside = [span(0, 1, gen_ai__operation__name="create_agent"), span(9, 1, **embedded)]
    found = observed(TRACE, [span(1), agent(2, "Hi?", "no", "it broke"), agent(3, "again", "Yes."), *beside])
    assert (found.input, found.outcome.output, found.outcome.failure) == ("Hi?", "Yes.", None)


def test_turns_within_a_tool_or_a_guard_are_neither_question_nor_answer():
    guard = span(2, 1, openinference__span__kind="GUARDRAIL")
    tool = span(6, 1, gen_ai__operation__name="execute_tool")
    turns = [
        turn(3, 2, "Is it safe?", said("assistant", "safe")),
        turn(5, 1, "Hi?", said("assistant", "Yes.")),
        turn(7, 6, "within", said("assistant", "inner")),
    ]
    found = observed(TRACE, [span(1, gen_ai__operation__name="invoke_agent"), guard, tool, *turns])
    assert (found.input, found.outcome.output) == ("Hi?", "Yes.")


@pytest.mark.parametrize("last", [["user", "And now?"], {"type": "human", "data": {"content": "And now?"}}])
def test_of_a_conversation_in_a_state_the_last_message_is_what_was_asked(last: Any):
    state = json.dumps({"messages": [["user", "Hi?"], ["assistant", "Yes."], last]})
    root: Any = {OPERATION: "invoke_agent", "input.value": state, INPUT_MESSAGES: said("user", "Hi?")}
    assert observed(TRACE, [span(1, **root)]).input == "And now?"


def test_what_a_framework_says_in_the_name_of_the_user_is_not_what_he_asked():
    messages: Any = [*said("user", "Hi?"), *said("assistant", "bad"), *said("user", "Try again.")]
    told: Any = {OPERATION: "invoke_agent", "pydantic_ai.all_messages": messages, "final_result": "Yes."}
    root = span(1, **told)
    assert observed(TRACE, [root]).input == "Try again."
    assert observed(TRACE, [root, turn(2, 1, "Hi?", said("assistant", "bad"))]).input == "Hi?"


def test_a_turn_that_two_instrumentations_tell_counts_once():
    outer = turn(2, 1, "Hi?", said("assistant", "Yes."), **{INPUT_TOKENS: 5})
    told: dict[str, Any] = {OPERATION: "chat", INPUT_TOKENS: 5}
    inner = span(3, 2, **told)
    found = observed(TRACE, [span(1), outer, inner])
    assert (found.outcome.usage.calls, found.outcome.usage.input_tokens, found.outcome.output) == (1, 5, "Yes.")
    assert found.outcome.trace is not None
    again = observed(TRACE, found.outcome.trace.spans)
    assert again.outcome == found.outcome


def test_the_same_tool_called_twice_has_the_arguments_of_each_call():
    def asked(call_id: str, city: str) -> Any:
        part = {"type": "tool_call", "id": call_id, "name": "search", "arguments": {"city": city}}
        return [{"role": "assistant", "parts": [part]}]

    tool = {OPERATION: "execute_tool", "gen_ai.tool.name": "search", "gen_ai.tool.call.arguments": "a text"}
    spans = [
        turn(1, None, "Hi?", [*asked("1", "Paris"), *asked("2", "Rome")]),
        span(2, 1, **tool),
        span(3, 1, **tool),
        span(4, 1, **tool),
    ]
    given = [one.attributes["gen_ai.tool.call.arguments"] for one in completed(spans)[1:]]
    assert given == [{"city": "Paris"}, {"city": "Rome"}, "a text"]


@pytest.mark.parametrize("count", [40_000])
def test_a_deep_chain_and_a_circle_come_to_an_end(count: int):
    chain = [span(number, number - 1 if number else None, "it broke") for number in range(count)]
    found = observed(TRACE, chain)
    assert found.outcome.failure is not None
    assert observed(TRACE, [span(1, 2, "a"), span(2, 1, "b")]).outcome.failure is not None


def test_whose_a_trace_is():
    root, child = span(1, service__name="front"), span(2, 1, service__name="back")
    assert target_name([root, child]) == "front"
    assert target_name([root, span(2, 1, aloi__target="shop")]) == "shop"
    assert target_name([span(1, aloi__target="a"), span(2, 1, aloi__target="b")]) == "a"
    assert target_name([span(1)]) == ""
