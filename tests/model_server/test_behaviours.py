"""Each good behaviour, seen by a client over the wire."""

import json
from typing import Any

import pytest

from tests.model_server.client import QUESTION, STRUCTURED, TOOL, Chat


async def test_a_stream_has_no_usage_unless_asked(chat: Chat) -> None:
    assert not any("usage" in chunk for chunk in await chat.chunks("echo"))


async def test_no_usage(chat: Chat) -> None:
    assert "usage" not in await chat.ask("no-usage")


async def test_tool_once_calls_then_answers_with_the_result(chat: Chat) -> None:
    model = 'tool-once:add:{"a": 2}'
    answer = await chat.ask(model)
    [choice] = answer["choices"]
    assert choice["finish_reason"] == "tool_calls"
    [call] = choice["message"]["tool_calls"]
    assert call["function"] == {"name": "add", "arguments": '{"a": 2}'}
    result = {"role": "tool", "tool_call_id": call["id"], "content": "4"}
    first_turn = [QUESTION, choice["message"], result]
    assert await chat.content(model, first_turn) == "The answer is 4."
    second_turn = [*first_turn, {"role": "assistant", "content": "The answer is 4."}, QUESTION]
    assert (await chat.message(model, second_turn))["tool_calls"]


async def test_tools_asks_for_n_rounds(chat: Chat) -> None:
    messages = [QUESTION]
    for round_number in range(2):
        message = await chat.message("tools:2", messages, tools=[TOOL])
        [call] = message["tool_calls"]
        assert call["function"] == {"name": "lookup", "arguments": '{"passed": true}'}
        messages += [message, {"role": "tool", "tool_call_id": call["id"], "content": f"result {round_number}"}]
    assert await chat.content("tools:2", messages, tools=[TOOL]) == "The answer is result 1."


async def test_obey_answers_by_the_rules_in_its_instructions(chat: Chat) -> None:
    rules = "Be kind.\nWhen asked about refunds: They take 30 days.\nWhen asked about été: En août."
    system = {"role": "system", "content": rules}
    for asked, answer in [
        ("How long do REFUNDS take?", "They take 30 days."),
        ("Refunds in Été?", "They take 30 days. En août."),
        ("Hello", "I do not know."),
    ]:
        assert await chat.content("obey", [system, {"role": "user", "content": asked}]) == answer


async def test_judge_unless_fails_what_holds_its_text(chat: Chat) -> None:
    for answer, passed in [("I do not know.", False), ("Thirty days.", True)]:
        given = [{"role": "user", "content": f"The answer is: {answer}"}]
        assert json.loads(await chat.content("judge-unless:not know", given, **STRUCTURED)) == {"passed": passed}


async def test_judges_answer_in_the_schema_of_the_response_format(chat: Chat) -> None:
    assert json.loads(await chat.content("judge-pass", **STRUCTURED)) == {"passed": True}
    assert json.loads(await chat.content("judge-fail", **STRUCTURED)) == {"passed": False}
    verdicts = [json.loads(await chat.content("judge-alternate", **STRUCTURED))["passed"] for _ in range(4)]
    assert verdicts == [True, False, True, False]


@pytest.mark.parametrize("choice", ["auto", "required", {"type": "function", "function": {"name": "lookup"}}])
async def test_judges_answer_by_the_tool_of_the_answer(chat: Chat, choice: Any) -> None:
    [call] = (await chat.message("judge-fail", tools=[TOOL], tool_choice=choice))["tool_calls"]
    assert call["function"] == {"name": "lookup", "arguments": '{"passed": false}'}


async def test_a_judge_without_schema_or_tool_answers_plain_json(chat: Chat) -> None:
    verdict = json.loads(await chat.content("judge-score:0.3", tools=[TOOL], tool_choice="none"))
    assert verdict == {"reasoning": "Because it fits.", "passed": False, "score": 0.3}
