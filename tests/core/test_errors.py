"""The tree of errors."""

import copy
import inspect
import pickle

import pytest

from aloi.core import errors
from aloi.core.errors import AloiError, StageFailure, TooMany

KINDS = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if kind.__module__ == errors.__name__]


def test_all_have_one_root() -> None:
    assert len(KINDS) > 5
    for kind in KINDS:
        assert issubclass(kind, AloiError)


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    drawn = {line.partition("── ")[2].split()[0] for line in (errors.__doc__ or "").splitlines() if "── " in line}
    assert drawn == {kind.__name__ for kind in KINDS} - {"AloiError"}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in (StageFailure, TooMany)])
def test_its_text_is_the_message(kind: type[AloiError]) -> None:
    assert str(kind("the message")) == "the message"


def test_a_stage_failure_has_its_parts() -> None:
    failure = StageFailure("grade", "bad_reply", "score 7")
    assert (failure.stage, failure.type, failure.message, str(failure)) == ("grade", "bad_reply", "score 7", "score 7")


def test_a_stage_failure_survives_another_process() -> None:
    failure = StageFailure("invoke", "timeout", "no answer")
    for again in (pickle.loads(pickle.dumps(failure)), copy.copy(failure)):
        assert type(again) is StageFailure
        assert (again.stage, again.type, str(again)) == ("invoke", "timeout", "no answer")


def test_who_asks_too_often_is_told_when_to_come_back() -> None:
    refused = TooMany("too often", 2.5)
    for again in (refused, pickle.loads(pickle.dumps(refused))):
        assert (str(again), again.retry_after) == ("too often", 2.5)
