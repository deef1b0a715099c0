"""LangSmith's runs, in the names of the conventions; a whole trace of it is among the goldens."""

import json
from typing import Any

import pytest

from aloi.core.trace import INPUT_MESSAGES, OPERATION, OUTPUT_MESSAGES
from aloi.core.trajectory import message_text
from aloi.tracing.otlp.langsmith import INPUTS, KIND, OUTPUTS, told

LANGCHAIN = {"lc": 1, "id": ["schema", "AIMessage"], "kwargs": {"content": "Yes."}}


@pytest.mark.parametrize("messages", [[[["user", "Hi?"]]], [{"role": "user", "content": "Hi?"}]])
@pytest.mark.parametrize(
    "answered",
    [
        {"generations": [[{"message": LANGCHAIN}]]},
        {"choices": [{"message": {"role": "assistant", "content": "Yes."}}]},
        {"role": "assistant", "content": "Yes."},
        {"messages": [{"role": "assistant", "content": "Yes."}]},
    ],
)
def test_an_llm_run_is_a_turn(messages: Any, answered: Any):
    asked = {"messages": messages}
    found = told({KIND: "llm", OPERATION: "chat", INPUTS: json.dumps(asked), OUTPUTS: json.dumps(answered)})
    assert (message_text(found[INPUT_MESSAGES]), message_text(found[OUTPUT_MESSAGES])) == ("Hi?", "Yes.")
    assert found[OPERATION] == "chat"


@pytest.mark.parametrize(("kind", "operation"), [("tool", "execute_tool"), ("chain", None), ("prompt", None)])
def test_other_runs(kind: str, operation: str | None):
    found = told({KIND: kind, OPERATION: "chain", INPUTS: '{"input": "Hi?"}', OUTPUTS: '{"output": "Yes.", "more": 1}'})
    assert (found.get(OPERATION), found["input.value"]) == (operation, "Hi?")
    assert found["output.value"] == '{"output": "Yes.", "more": 1}'


def test_a_run_that_failed_has_no_output_and_others_are_left_alone():
    assert "output.value" not in told({KIND: "chain", OUTPUTS: "{}"})
    assert told({OUTPUTS: "Yes."}) == {OUTPUTS: "Yes."}
