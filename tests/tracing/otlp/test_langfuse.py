"""Langfuse's observations, in the names of the conventions; a whole trace of it is among the goldens."""

import json
from typing import Any

import pytest

from aloi.core.spec import JsonObject
from aloi.core.trace import INPUT_MESSAGES, INPUT_TOKENS, OPERATION, OUTPUT_MESSAGES, OUTPUT_TOKENS
from aloi.core.trajectory import message_text
from aloi.tracing.otlp.langfuse import KIND, told

ASKED = {"role": "user", "content": "Hi?"}
IN, OUT, USED = (f"langfuse.observation.{name}" for name in ("input", "output", "usage_details"))


@pytest.mark.parametrize("asked", [[ASKED], {"messages": [ASKED]}])
def test_a_generation_is_a_turn(asked: Any):
    answered = json.dumps({"role": "assistant", "content": "Yes."})
    given: JsonObject = {
        KIND: "generation",
        IN: json.dumps(asked),
        OUT: answered,
        USED: '{"input": 3, "output": 2, "total": 5}',
    }
    found = told(given)
    assert (message_text(found[INPUT_MESSAGES]), message_text(found[OUTPUT_MESSAGES])) == ("Hi?", "Yes.")
    assert (found[OPERATION], found[INPUT_TOKENS], found[OUTPUT_TOKENS]) == ("chat", 3, 2)


@pytest.mark.parametrize(
    ("kind", "operation"),
    [("tool", "execute_tool"), ("agent", "invoke_agent"), ("embedding", "embeddings"), ("chain", None), ("span", None)],
)
def test_other_observations(kind: str, operation: str | None):
    found = told({KIND: kind, IN: "Hi?", OUT: "Yes.", USED: '{"input": 3}'})
    assert (found.get(OPERATION), found["input.value"], found["output.value"]) == (operation, "Hi?", "Yes.")
    assert INPUT_TOKENS not in found


def test_what_went_into_the_trace_stands_in_and_others_are_left_alone():
    assert told({KIND: "span", "langfuse.trace.input": "Hi?"})["input.value"] == "Hi?"
    assert told({"http.method": "GET"}) == {"http.method": "GET"}
