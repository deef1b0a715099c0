"""A server holds so much of what exporters send, and no more."""

import pytest

from aloi.core.errors import TooMany
from aloi.service.process.intake import Intake


def test_there_is_room_up_to_the_limit_and_again_afterwards():
    intake = Intake(most=10)
    with intake.holding(6):
        with intake.holding(4), pytest.raises(TooMany), intake.holding(1):
            pass
        with intake.holding(4):
            pass
    with intake.holding(10):
        pass


def test_one_that_is_larger_than_the_limit_is_let_through_alone():
    intake = Intake(most=10)
    with intake.holding(100), pytest.raises(TooMany), intake.holding(1):
        pass


def test_what_fails_gives_its_room_back():
    intake = Intake(most=10)
    with pytest.raises(ZeroDivisionError), intake.holding(10):
        raise ZeroDivisionError
    with intake.holding(10):
        pass
