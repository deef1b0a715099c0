"""What is refused before a run starts: people and side effects without a stand-in, and stand-ins of nothing."""

from typing import Any, ClassVar

import pytest

from aloi.core.case import Case
from aloi.core.errors import InvalidInput
from aloi.core.target import Component, Target
from aloi.service.running.simulating import SimulationCheck

FIXED = {"kind": "static", "answers": [{"output": "sent"}]}
WRITTEN = {"kind": "generated", "description": "It is sent."}


class Parts(Target):
    """A target of some components."""

    kind: ClassVar[str] = "parts"
    parts: tuple[Component, ...] = ()

    def components(self) -> tuple[Component, ...]:
        return self.parts


LOOKUP = Component(name="lookup", description="")
MAIL = Component(name="mail", description="", side_effect=True)
BOSS = Component(name="boss", description="", kind="human")
ALL = Parts(parts=(LOOKUP, MAIL, BOSS))


def case(key: str = "k", **simulations: Any) -> Case:
    return Case.model_validate({"key": key, "prompt": "x", "simulations": simulations})


def check(target: Target, *cases: Case, allow: bool = False, model: bool = True, **dataset: Any) -> SimulationCheck:
    made = SimulationCheck(target, case(**dataset).simulations, allow)
    for one in cases or (case(),):
        made.look_at(one)
    made.conclude(has_model=model)
    return made


def refusal(*given: Any, **options: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        check(*given, **options)
    return str(caught.value)


def test_what_changes_nothing_needs_no_stand_in() -> None:
    check(Parts(parts=(LOOKUP,)))
    check(Parts())


def test_a_side_effect_is_simulated_by_the_dataset_or_by_every_case() -> None:
    target = Parts(parts=(MAIL,))
    check(target, case("a"), case("b"), mail=FIXED)
    check(target, case("a", mail=FIXED), case("b", mail=WRITTEN))
    said = refusal(target, case("a", mail=FIXED), case("b"), case("c"))
    assert said == (
        "what changes the world is not simulated: mail (case b), mail (case c); simulate it on the dataset or on the "
        "case, or allow it (allow_side_effects, --allow-side-effects)"
    )


def test_a_side_effect_may_be_allowed_and_a_person_may_not() -> None:
    check(Parts(parts=(MAIL,)), allow=True)
    check(ALL, allow=True, boss=FIXED)
    assert refusal(ALL, allow=True) == (
        "a run asks no person, and these steps are not simulated: boss (case k); simulate them on the dataset or on "
        "the case"
    )


def test_a_person_who_is_no_side_effect_is_told_once() -> None:
    asked = Component(name="boss", description="", kind="human", side_effect=True)
    assert "a run asks no person" in refusal(Parts(parts=(asked,)))
    check(Parts(parts=(asked,)), boss=FIXED)


def test_no_more_than_twenty_are_named() -> None:
    said = refusal(Parts(parts=(MAIL,)), *[case(f"k{number}") for number in range(23)])
    assert "mail (case k19) and 3 others; simulate it" in said
    assert "k20" not in said


@pytest.mark.parametrize(
    ("cases", "dataset", "told"),
    [
        ((case(),), {"lokup": FIXED}, "lokup (the dataset or the run)"),
        ((case("a"), case("b", lokup=FIXED)), {}, "lokup (case b)"),
    ],
)
def test_a_stand_in_of_nothing_is_a_mistake(cases: tuple[Case, ...], dataset: dict[str, Any], told: str) -> None:
    said = refusal(Parts(parts=(LOOKUP,)), *cases, **dataset)
    assert said == f"there are simulations of what the target has not: {told}; its tools and steps are: lookup"


def test_where_the_parts_of_a_target_are_not_known_a_stand_in_may_be_of_any() -> None:
    assert not Parts().knows_components()
    check(Parts(), anything=FIXED)


def test_generated_answers_want_a_model() -> None:
    target = Parts(parts=(LOOKUP,))
    assert "none is set; set ALOI_JUDGE_MODEL" in refusal(target, model=False, lookup=WRITTEN)
    assert "none is set" in refusal(target, case(lookup=WRITTEN), model=False)
    check(target, case(lookup=FIXED), model=False, lookup=WRITTEN)  # every case has a fixed answer of its own


def test_what_is_generated_is_recorded_by_the_hash_of_its_prompt() -> None:
    target = Parts(parts=(LOOKUP,))
    assert list(check(target, lookup=WRITTEN).prompts) == ["simulation"]
    assert check(target, lookup=FIXED).prompts == {}
