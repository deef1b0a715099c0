"""Evaluators as they are written: flat, with a name and a weight."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from aloi.core.binding import Binding, unique_names


def test_written_flat() -> None:
    binding = Binding.model_validate({"kind": "contains", "text": "Paris", "weight": 0})
    assert (binding.name, binding.weight) == ("contains", 0)
    assert binding.spec == {"kind": "contains", "text": "Paris"}


def test_its_stored_form_reads_back() -> None:
    binding = Binding.model_validate({"kind": "contains", "name": "capital", "text": "Paris"})
    assert Binding.model_validate(binding.model_dump(mode="json")) == binding
    assert binding.weight == 1


@pytest.mark.parametrize(
    "given_",
    [
        {},
        {"text": "Paris"},
        {"kind": 5},
        {"kind": "contains", "weight": -1},
        {"kind": "contains", "weight": "nan"},
        "x",
    ],
)
def test_bad_ones_are_refused(given_: Any) -> None:
    with pytest.raises(ValidationError):
        Binding.model_validate(given_)


@given(st.lists(st.sampled_from(["a", "a-2", "b"]), max_size=6))
def test_names_become_unique_and_the_first_bearer_keeps_its_own(names: list[str]) -> None:
    named = [binding.name for binding in unique_names([Binding(name=name, spec={"kind": "x"}) for name in names])]
    assert len(set(named)) == len(named) == len(names)
    assert named[:1] == names[:1]


def test_a_saved_one_keeps_its_name() -> None:
    spec: dict[str, Any] = {"kind": "x"}
    given = [Binding(name="a", spec=spec), Binding(name="a", spec=spec, evaluator_id="e"), Binding(name="b", spec=spec)]
    assert [binding.name for binding in unique_names(given)] == ["a-2", "a", "b"]


def test_which_one_it_is_does_not_decide_how_it_grades() -> None:
    flat = {"kind": "contains", "text": "Paris", "weight": 2}
    here, saved = Binding.model_validate(flat), Binding.model_validate({**flat, "evaluator_id": "e"})
    assert saved.evaluator_id == "e"
    assert saved != here
    assert saved.content() == here.content()
    assert here.content() == {"name": "contains", "weight": 2.0, "spec": {"kind": "contains", "text": "Paris"}}


def test_only_a_saved_one_has_a_version() -> None:
    flat = {"kind": "x", "version": 4}
    here, saved = Binding.model_validate(flat), Binding.model_validate({**flat, "evaluator_id": "e"})
    assert (here.version, here.spec) == (None, flat)
    assert (saved.version, saved.spec) == (4, {"kind": "x"})
    later = saved.model_copy(update={"version": 5})
    assert later.content() == saved.content()
