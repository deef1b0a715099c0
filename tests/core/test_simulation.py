"""Simulations as values: what is refused, what is stored, what a case replaces."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from aloi.core.case import Case
from aloi.core.dataset import case_hash, revision_hash
from aloi.core.simulation import (
    NO_STAND_INS,
    Simulations,
    StaticSimulation,
    simulations_content,
    simulations_of_case,
)
from aloi.store.codec import short_json

READ = TypeAdapter[Simulations](Simulations)
FIXED = {"kind": "static", "answers": [{"output": None, "when": [{"path": "$", "equals": None}]}, {"output": 2}]}
WRITTEN = {"kind": "generated", "description": "A sunny day."}


def simulations(**given: Any) -> Simulations:
    return READ.validate_python(given)


@pytest.mark.parametrize(
    ("given", "place", "said"),
    [
        ({}, (), "Unable to extract tag"),
        ({"kind": "code"}, (), "does not match any of the expected tags"),
        ({"kind": "static", "answers": []}, ("static", "answers"), "at least one answer"),
        ({"kind": "static"}, ("static", "answers"), "Field required"),
        ({"kind": "static", "answers": [{}]}, ("static", "answers", 0, "output"), "Field required"),
        ({"kind": "static", "answers": [{"output": float("nan")}]}, ("static", "answers", 0, "output"), "NaN"),
        ({"kind": "static", "answers": [{"output": 1, "call": "x"}]}, ("static", "answers", 0, "call"), "Extra"),
        ({"kind": "generated", "description": " \n"}, ("generated", "description"), "match pattern"),
        ({"kind": "generated"}, ("generated", "description"), "Field required"),
    ],
)
def test_what_is_no_simulation_is_refused_once(given: Any, place: tuple[Any, ...], said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        simulations(lookup=given)
    [fault] = caught.value.errors()
    assert fault["loc"] == ("lookup", *place)
    assert said in fault["msg"]


def test_they_come_back_from_the_store_as_they_were() -> None:
    case = Case.model_validate({"prompt": "x", "simulations": {"lookup": FIXED, "weather": WRITTEN}})
    assert Case.model_validate_json(short_json(case, "the case")) == case
    assert Case.model_validate_json(case.model_dump_json()) == case


def test_their_content_says_what_is_given_and_no_more() -> None:
    assert simulations_content(simulations(lookup=FIXED, weather=WRITTEN)) == {"lookup": FIXED, "weather": WRITTEN}
    in_full = {"kind": "static", "answers": [{"output": 1, "when": []}]}
    assert simulations_content(simulations(a=in_full)) == {"a": {"kind": "static", "answers": [{"output": 1}]}}


def test_they_are_part_of_what_is_frozen() -> None:
    plain = Case.model_validate({"key": "k", "prompt": "x"})
    simulated = plain.model_copy(update={"simulations": simulations(weather=WRITTEN)})
    other = plain.model_copy(update={"simulations": simulations(weather={**WRITTEN, "description": "A storm."})})
    assert len({case_hash(plain), case_hash(simulated), case_hash(other)}) == 3
    assert revision_hash([], []) == revision_hash([], [], {})
    assert revision_hash([], []) != revision_hash([], [], simulations(weather=WRITTEN))


def test_a_case_replaces_the_simulations_of_the_components_that_it_names() -> None:
    dataset, own = simulations(lookup=FIXED, weather=WRITTEN), simulations(weather=FIXED)
    found = simulations_of_case(dataset, own)
    assert list(found) == ["lookup", "weather"]
    assert isinstance(found["weather"], StaticSimulation)
    assert list(dataset) == ["lookup", "weather"] and not isinstance(dataset["weather"], StaticSimulation)


async def test_nothing_is_simulated_where_nothing_is_said() -> None:
    assert not NO_STAND_INS.covers("lookup")
    assert NO_STAND_INS.provenance("lookup") == "real"
    with pytest.raises(LookupError):
        await NO_STAND_INS.answer("lookup", {}, None)
