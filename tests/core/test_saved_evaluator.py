"""Saved evaluators."""

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from aloi.core.identity import etag
from aloi.core.saved_evaluator import SavedEvaluator

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
