"""What a trace holds of large values."""

import json

from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from aloi.core.spec import JsonObject
from aloi.core.step import StepContext
from aloi.workflow.evidence import BEGINNING, LARGEST, WHOLE, Evidence
from tests.workflow.probes import Ran, probe

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
)


@given(value=JSON)
def test_what_is_small_is_held_as_it_is(value: JsonValue) -> None:
    assert Evidence().shown(value) == value


def test_a_large_value_is_held_by_its_beginning() -> None:
    shown = Evidence().shown("x" * (LARGEST + 1))
    assert isinstance(shown, str)
    assert shown.startswith("x" * BEGINNING + "… [cut: ")
    assert f"{LARGEST + 1 - BEGINNING:,}" in shown
    items: list[JsonValue] = ["y" * 100] * LARGEST
    listed = Evidence().shown(items)
    assert isinstance(listed, str)
    assert listed.startswith('["yyy')


def test_many_values_that_are_not_small_are_cut_in_the_end() -> None:
    evidence, value = Evidence(), "z" * LARGEST
    held = sum(len(str(evidence.shown(value))) for _ in range(1000))
    assert held < WHOLE + 1000 * (BEGINNING + 100)
    assert evidence.shown("small") == "small"


async def test_the_spans_of_steps_are_cut_and_their_outputs_are_not() -> None:
    large: JsonObject = {"text": "w" * (LARGEST * 2)}

    async def work(_: StepContext) -> JsonValue:
        return large

    ran = await Ran([probe("a", work=work)]).done()
    spans = json.dumps([span.attributes for span in ran.recorder.spans()])
    assert "characters more]" in spans
    assert len(spans) < LARGEST
    assert ran.outputs["a"] == large
