"""Fixed answers: by their conditions, in turn, the last one again and again."""

from typing import Any

import pytest
from pydantic import JsonValue

from aloi.core.errors import StageFailure
from aloi.core.simulation import StaticSimulation
from aloi.simulation.static import Turns, choice

PARIS = [{"path": "$.city", "equals": "Paris"}]


def static(*answers: Any) -> StaticSimulation:
    return StaticSimulation.model_validate({"kind": "static", "answers": answers})


def answers(simulation: StaticSimulation, *calls: Any) -> list[JsonValue]:
    turns = Turns()
    return [turns.answer("lookup", simulation, arguments) for arguments in calls]


def test_one_answer_is_given_every_time() -> None:
    assert answers(static({"output": {"a": 1}}), {}, {"x": 1}, "no JSON") == [{"a": 1}] * 3


def test_null_is_an_answer() -> None:
    assert answers(static({"output": None}), {}) == [None]


def test_several_are_given_in_turn_and_the_last_repeats() -> None:
    assert answers(static({"output": 1}, {"output": 2}), {}, {}, {}, {}) == [1, 2, 2, 2]


def test_conditions_choose_before_turns_do() -> None:
    """An answer without conditions, behind, is for all other arguments and no turn of those with conditions."""
    simulation = static({"output": "sun", "when": PARIS}, {"output": "rain"})
    paris, rome = {"city": "Paris"}, {"city": "Rome"}
    assert answers(simulation, paris, paris, rome, paris) == ["sun", "sun", "rain", "sun"]


def test_answers_of_the_same_conditions_take_turns_of_their_own() -> None:
    simulation = static(
        {"output": "pending", "when": PARIS}, {"output": "x"}, {"output": "done", "when": PARIS}, {"output": "y"}
    )
    paris, rome = {"city": "Paris"}, {"city": "Rome"}
    assert answers(simulation, paris, rome, paris, rome, paris, rome) == ["pending", "x", "done", "y", "done", "y"]


def test_all_conditions_of_an_answer_must_hold() -> None:
    both = [*PARIS, {"path": "$.days", "above": 2}]
    simulation = static({"output": "both", "when": both}, {"output": "else"})
    assert answers(simulation, {"city": "Paris", "days": 3}, {"city": "Paris", "days": 1}) == ["both", "else"]


def test_components_and_trials_take_turns_apart() -> None:
    simulation, turns = static({"output": 1}, {"output": 2}), Turns()
    assert [turns.answer(name, simulation, {}) for name in ("a", "b", "a", "b")] == [1, 1, 2, 2]
    assert Turns().answer("a", simulation, {}) == 1


def test_arguments_that_no_answer_is_meant_for_fall_through_to_nothing() -> None:
    with pytest.raises(StageFailure) as caught:
        answers(static({"output": 1, "when": PARIS}), {"city": "Rome"})
    assert (caught.value.stage, caught.value.type) == ("invoke", "simulation")
    assert 'simulation of lookup is meant for the arguments {"city": "Rome"}; add one' in caught.value.message


def test_a_condition_that_never_comes_to_an_end_is_told_as_that() -> None:
    slow = [{"path": "$..*..*..*..*..*..*", "equals": "never"}]
    deep: Any = [[[[[[[[list(range(30))] * 9]] * 9] * 9]]]]
    with pytest.raises(StageFailure, match="a condition of the simulation of lookup cannot be looked at") as caught:
        answers(static({"output": 1, "when": slow}), deep)
    assert (caught.value.stage, caught.value.type) == ("invoke", "simulation")


def test_a_choice_can_be_told_from_others_and_counted_elsewhere() -> None:
    simulation = static({"output": 1, "when": PARIS}, {"output": 2}, {"output": 3})
    paris, rome = choice("lookup", simulation, {"city": "Paris"}), choice("lookup", simulation, {"city": "Rome"})
    assert paris.key != rome.key
    assert rome.key == choice("lookup", simulation, {"city": "Oslo"}).key
    assert [rome.at(turn) for turn in range(3)] == [2, 3, 3]
