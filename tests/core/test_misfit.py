"""Input that does not fit, and where."""

import copy

import pytest

from aloi.core.errors import InvalidInput
from aloi.core.misfit import Misfit, Misplaced, place_in, pointer


def test_the_message_tells_of_every_fault() -> None:
    misfit = Misfit([Misplaced("/name", "is missing"), Misplaced("", "is no object")])
    assert isinstance(misfit, InvalidInput)
    assert str(misfit) == "/name: is missing; is no object"
    assert copy.copy(misfit).faults == misfit.faults


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ((), ""),
        (("evaluators", 0, "text"), "/evaluators/0/text"),
        (("a/b", "c~d", ""), "/a~1b/c~0d/"),
        (("lone \ud800", "é"), "/lone \\ud800/é"),
    ],
)
def test_a_pointer(path: tuple[str | int, ...], written: str) -> None:
    assert pointer(path) == written


@pytest.mark.parametrize(
    ("given", "told", "place"),
    [
        ({"a": {"kind": "static"}}, ("a", "static", "answers"), ("a", "answers")),
        ({"a": {"answers": [{"when": [1]}]}}, ("a", "static", "answers", 0, "when", 0), ("a", "answers", 0, "when", 0)),
        ({"input": 5}, ("input", "str"), ("input",)),
        ({}, ("name",), ("name",)),
        ({"a": ()}, ("a", 3), ("a",)),
        ([{"x": 1}], (0, "x"), (0, "x")),
        (None, ("body", "x"), ()),
    ],
)
def test_a_place_is_told_without_what_is_not_in_what_was_given(
    given: object, told: tuple[str | int, ...], place: tuple[str | int, ...]
) -> None:
    assert place_in(given, told) == place
