"""Saved evaluators."""

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from aloi.core.identity import etag
from aloi.core.saved_evaluator import SavedEvaluator, same_spec
from aloi.core.spec import JsonObject

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def saved(**fields: object) -> SavedEvaluator:
    given = {"id": "e", "name": "capital", "spec": {"kind": "contains"}, "created_at": NOW, "updated_at": NOW}
    return SavedEvaluator.model_validate({**given, **fields})


def test_binding_it_is_no_change_of_it() -> None:
    assert etag(saved(datasets=3).edited()) == etag(saved().edited())
    assert etag(saved(name="city").edited()) != etag(saved().edited())


@pytest.mark.parametrize("name", ["", "n" * 201])
def test_its_name_is_bounded(name: str) -> None:
    with pytest.raises(ValidationError, match="name"):
        saved(name=name)


def test_as_a_dataset_binds_it() -> None:
    bound = saved(version=3).bound(0.5)
    assert (bound.name, bound.weight, bound.spec) == ("capital", 0.5, {"kind": "contains"})
    assert (bound.evaluator_id, bound.version) == ("e", 3)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ({"threshold": 1, "kind": "x"}, {"kind": "x", "threshold": 1.0}, True),
        ({"negate": True}, {"negate": 1}, False),
        ({"calls": [{"args": {"n": 0}}]}, {"calls": [{"args": {"n": False}}]}, False),
        ({"text": "\u00e9"}, {"text": "e\u0301"}, False),
        ({"text": "a"}, {"text": "A"}, False),
    ],
)
def test_what_is_another_spec(a: JsonObject, b: JsonObject, same: bool) -> None:
    assert same_spec(a, b) is same
