"""What real exporters sent gives exactly the trajectory that it should."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from aloi.core.trajectory import trajectory
from aloi.tracing.otlp import json_wire
from aloi.tracing.otlp.spans import core_span
from aloi.tracing.otlp.whole import observed

FOLDER = Path(__file__).with_name("traces")
TRACES = sorted(path for path in FOLDER.glob("*.json") if not path.name.endswith(".expected.json"))


def same(actual: JsonValue, expected: JsonValue) -> bool:
    """Numbers given as text and numbers are the same value."""
    return actual == expected or str(actual) == str(expected)


def an_error(actual: str | None, expected: str | None) -> bool:
    return actual is None if expected is None else actual is not None and expected in actual


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
@pytest.mark.parametrize("backwards", [False, True], ids=["as sent", "backwards"])
def test_a_real_trace(path: Path, backwards: bool):
    expected: dict[str, Any] = json.loads(path.with_suffix(".expected.json").read_bytes())
    raw = json_wire.read(path.read_bytes())
    spans = [core_span(span) for span in raw.spans]
    found = observed(raw.spans[0].trace_id, spans[::-1] if backwards else spans)
    assert found.outcome.trace is not None
    path_taken = trajectory(found.outcome.trace)
    assert raw.rejected == 0
    assert (found.input, found.outcome.output) == (expected["input"], expected["output"])
    assert an_error(found.outcome.failure and found.outcome.failure.message, expected["error"])
    assert [call.tool for call in path_taken.tool_calls] == [call["tool"] for call in expected["tool_calls"]]
    for call, wanted in zip(path_taken.tool_calls, expected["tool_calls"], strict=True):
        assert call.args == wanted["args"]
        assert same(call.output, wanted["output"])
        assert an_error(call.error, wanted["error"])
    assert (path_taken.input_tokens, path_taken.output_tokens) == (expected["input_tokens"], expected["output_tokens"])
    assert (found.outcome.usage.input_tokens, found.outcome.usage.output_tokens) == (
        expected["input_tokens"],
        expected["output_tokens"],
    )
