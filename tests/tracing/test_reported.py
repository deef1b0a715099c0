"""Reported calls become evidence as they were reported."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import StageFailure
from aloi.core.trace import ToolCall
from aloi.core.trajectory import trajectory
from aloi.tracing.recorder import Recording
from aloi.tracing.reported import record_calls

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
    max_leaves=5,
)
CALL = st.builds(
    ToolCall,
    tool=st.text("abc", min_size=1, max_size=5),
    args=st.dictionaries(st.text("ab", max_size=2), JSON, max_size=3),
    output=JSON,
    error=st.none() | st.text("abc", min_size=1),
    provenance=st.sampled_from(["real", "static", "generated"]),
)


@given(st.lists(CALL, max_size=5))
def test_calls_come_back_from_the_trace(calls: list[ToolCall]) -> None:
    recorder = Recording()
    record_calls(recorder, calls)
    assert list(trajectory(recorder.trace()).tool_calls) == calls


@pytest.mark.parametrize("value", [10**5000, float("nan")], ids=["huge", "nan"])
def test_a_call_that_could_not_be_read_again_is_refused(value: float) -> None:
    for call in (ToolCall(tool="stock", args={"n": value}), ToolCall(tool="stock", output=[value])):
        with pytest.raises(StageFailure, match="the reported call of stock holds"):
            record_calls(Recording(), [call])
