"""Steps out of specs: every fault has its place, and names its step."""

from typing import Any

import pytest
from pydantic import ValidationError

from aloi.core.step import Fault
from aloi.workflow.building import built, components, refuse


def faults(*specs: Any) -> list[tuple[tuple[int | str, ...], str]]:
    with pytest.raises(ValidationError) as caught:
        built(specs)
    return [(fault["loc"], fault["msg"]) for fault in caught.value.errors()]


def test_each_fault_of_each_step_is_told_with_its_place() -> None:
    found = faults(
        {"name": "good", "kind": "transform", "value": 1},
        {"name": "a b", "kind": "transform", "value": 1, "retries": -1},
        {"name": "odd", "kind": "teleport"},
        {"kind": "transform", "template": "{{"},
        {"name": "m", "kind": "map", "items": [1], "steps": [{"name": "in", "kind": "transform", "path": "$["}]},
    )
    assert [place for place, _ in found] == [
        ("steps", 1, "name"),
        ("steps", 1, "retries"),
        ("steps", 2, "kind"),
        ("steps", 3, "name"),
        ("steps", 3, "template"),
        ("steps", 4, "steps", 0, "path"),
    ]
    words = [text for _, text in found]
    assert words[0].startswith("step a b: ") and words[2].startswith("step odd: there is no kind 'teleport'")
    assert words[3].startswith("step 4: ") and "step in: " in words[5]


def test_a_reason_may_hold_braces() -> None:
    with pytest.raises(ValidationError) as caught:
        refuse([Fault(("steps", 0), "write {{ input }} or {x}")])
    assert caught.value.errors()[0]["msg"] == "write {{ input }} or {x}"


def test_what_can_be_simulated_has_each_name_once() -> None:
    agent: Any = {"model": "openai:m", "tools": ["calculator"]}
    steps = built([{"name": name, "kind": "agent", "agent": agent} for name in ("a", "b")])
    assert sorted(component.name for component in components(steps)) == ["a", "b", "calculator"]


def test_of_one_name_what_changes_the_world_or_asks_a_person_stands_for_all() -> None:
    agent: Any = {"model": "openai:m", "tools": ["calculator", "datetime"]}
    acts: Any = {**agent, "side_effects": ["datetime"]}
    specs: list[Any] = [
        {"name": "calculator", "kind": "http", "url": "https://example.org"},
        {"name": "a", "kind": "agent", "agent": acts},
        {"name": "b", "kind": "agent", "agent": agent},
    ]
    for given in (specs, specs[::-1]):
        effects = {component.name: component.side_effect for component in components(built(given))}
        assert effects == {"calculator": True, "datetime": True, "a": False, "b": False}
    person: Any = {"name": "calculator", "kind": "human", "question": "How much?"}
    [kind] = [found.kind for found in components(built([person, *specs[1:]])) if found.name == "calculator"]
    assert kind == "human"
