"""The evaluators that a target begins with, and names that are free."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.access import NAME_LENGTH
from aloi.core.default_evaluators import DEFAULT_EVALUATORS, free_name


def test_the_set() -> None:
    kinds = ["output_judge", "trajectory_judge", "exact_match", "json_similarity", "tool_call_order"]
    assert [default.kind for default in DEFAULT_EVALUATORS] == kinds
    assert all(default.description for default in DEFAULT_EVALUATORS)


@pytest.mark.parametrize(
    ("taken", "name"),
    [
        ((), "output_judge · bot"),
        (("output_judge · bot",), "output_judge · bot 2"),
        (("output_judge · bot", "output_judge · bot 2"), "output_judge · bot 3"),
    ],
)
def test_a_taken_name_is_numbered(taken: tuple[str, ...], name: str) -> None:
    assert free_name("output_judge · ", "bot", "", taken) == name


@given(st.text(min_size=1, max_size=NAME_LENGTH), st.integers(min_value=0, max_value=12))
def test_a_long_one_is_cut(target: str, others: int) -> None:
    taken: list[str] = []
    for _ in range(others + 1):
        taken.append(free_name("", target, " cases", taken))
    assert len(set(taken)) == len(taken)
    assert all(len(name) <= NAME_LENGTH and " cases" in name for name in taken)
