"""Input that does not fit, and where."""

import copy

import pytest

from aloi.core.errors import InvalidInput
from aloi.core.misfit import Misfit, Misplaced, pointer


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
