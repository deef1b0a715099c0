"""Google's Agent Development Kit, in the names of the conventions; whole traces of it are among the goldens."""

import json
from typing import Any

import pytest

from aloi.core.trace import INPUT_MESSAGES, OPERATION, OUTPUT_MESSAGES, TOOL_NAME, TOOL_RESULT
from aloi.core.trajectory import message_text
from aloi.tracing.otlp.google_adk import EVENT, GAVE, MERGED, REQUEST, RESPONSE, told


def test_a_turn_tells_what_was_said():
    asked = {"contents": [{"role": "user", "parts": [{"text": "Hi?"}]}]}
    answered = {"content": {"role": "model", "parts": [{"text": "Yes."}]}}
    found = told({REQUEST: json.dumps(asked), RESPONSE: json.dumps(answered)})
    assert (message_text(found[INPUT_MESSAGES]), message_text(found[OUTPUT_MESSAGES])) == ("Hi?", "Yes.")
    assert found[OPERATION] == "chat"


@pytest.mark.parametrize("name", [GAVE, TOOL_RESULT])
@pytest.mark.parametrize(("gave", "result"), [({"result": "sunny"}, "sunny"), ({"result": 1, "more": 2}, None)])
def test_a_result_that_it_wraps(name: str, gave: Any, result: Any):
    given: Any = {EVENT: "1", OPERATION: "execute_tool", name: json.dumps(gave), REQUEST: "{}", RESPONSE: "{}"}
    assert told(given) == (given if result is None else {**given, TOOL_RESULT: result})


def test_calls_that_it_merges_are_none_of_their_own_and_others_are_left_alone():
    assert told({OPERATION: "execute_tool", TOOL_NAME: MERGED}) == {}
    given: Any = {OPERATION: "execute_tool", TOOL_RESULT: '{"result": 3}'}
    assert told(given) == given
