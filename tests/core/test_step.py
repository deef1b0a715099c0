"""What every step is, before it does anything."""

from typing import Any, ClassVar, Literal

import pytest
from pydantic import ValidationError

from aloi.core.step import NOTHING_KNOWN, Step


class Plain(Step):
    """Does nothing."""

    kind: ClassVar[str] = "plain"


class Asking(Plain):
    """Stands for a person."""

    kind: ClassVar[str] = "asking"
    component: ClassVar[Literal["tool", "step", "human"] | None] = "human"


@pytest.mark.parametrize("name", ["", "1a", "a b", "a.b", "é", "a[0]", "_a", "a" * 101])
def test_a_name_can_stand_in_an_expression(name: str) -> None:
    with pytest.raises(ValidationError, match="name"):
        Plain(name=name)
    assert Plain(name="A-b_2").name == "A-b_2"


@pytest.mark.parametrize(
    "fields", [{"retries": -1}, {"retries": 11}, {"seconds": 0}, {"seconds": 1e9}, {"when": ["a"]}]
)
def test_what_no_step_can_say(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Plain.model_validate({"name": "a", **fields})


def test_only_some_can_be_simulated_and_people_always_are() -> None:
    assert Plain(name="a").components() == ()
    (component,) = Asking(name="ask", description="Approves").components()
    assert (component.name, component.description, component.kind) == ("ask", "Approves", "human")
    assert component.side_effect and component.output_schema is None


def test_a_step_refers_to_nothing_unless_it_says_so() -> None:
    one = Plain(name="a")
    assert (*one.reads(), *one.reads_inside(), *one.ways(), *one.models(), *one.references(), *one.files()) == ()
    assert one.flow() is None and one.arguments({}) is None and one.pinned({}) is one
    assert list(one.faults(NOTHING_KNOWN)) == [] and one.tool_name() is None
