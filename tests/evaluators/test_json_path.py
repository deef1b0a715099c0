"""`json_path`: a part that equals a value, or is there at all."""

from typing import Any

import pytest

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.score import Verdict
from tests.evaluators.grading import case, evaluator, grade

ORDER = {"items": [{"name": "a", "price": 1}, {"name": "b", "price": None}], "ok": True}


@pytest.mark.parametrize(
    ("output", "options", "value"),
    [
        (ORDER, {"path": "$.items[0].price", "equals": 1.0}, 1),
        (ORDER, {"path": "$.items[*].name", "equals": "b"}, 1),
        (ORDER, {"path": "$.items[*].name", "equals": "c"}, 0),
        (ORDER, {"path": "$.items[1].price", "equals": None}, 1),
        (ORDER, {"path": "$.items[2].price", "equals": None}, 0),
        (ORDER, {"path": "$.ok", "equals": 1}, 0),
        (ORDER, {"path": "$.items[?@.price > 0].name", "equals": "a"}, 1),
        (ORDER, {"path": "$.items[1].price", "exists": True}, 1),
        (ORDER, {"path": "$.gone", "exists": True}, 0),
        (ORDER, {"path": "$.gone", "exists": False}, 1),
        (ORDER, {"path": "$.ok", "exists": False}, 0),
        (ORDER, {"path": "$[0].name", "equals": "a", "target_path": "$.items"}, 1),
        ('```json\n{"a": 1}\n```', {"path": "$.a", "equals": 1}, 1),
        ("no JSON", {"path": "$.a", "equals": 1}, 0),
        ("no JSON", {"path": "$.a", "exists": False}, 0),
        (3, {"path": "$", "equals": 3}, 1),
    ],
)
async def test_value(output: Any, options: dict[str, Any], value: float) -> None:
    score = await grade(evaluator("json_path", **options), output)
    assert (score.value, score.verdict) == (value, Verdict.PASS if value else Verdict.FAIL)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"path": "$.[", "exists": True}, "RFC 9535"),
        ({"path": "a.b", "exists": True}, "RFC 9535"),
        ({"path": "$.a", "exists": True, "equals": None}, "not both"),
        ({"path": "$.a", "exists": True, "target_path": "nope"}, "RFC 9535"),
        ({"exists": True}, "path"),
    ],
)
def test_bad_parameters_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        evaluator("json_path", **options)


async def test_without_a_test_it_does_not_apply() -> None:
    assert "equals" in (evaluator("json_path", path="$.a").missing(case()) or "")
    with pytest.raises(StageFailure, match="equals"):
        await grade(evaluator("json_path", path="$.a"), {"a": 1})


async def test_the_explanation_names_path_expected_and_actual() -> None:
    score = await grade(evaluator("json_path", path="$.items[*].name", equals="c"), ORDER)
    assert score.explanation == 'at $.items[*].name: expected "c", got "a", "b"'
    score = await grade(evaluator("json_path", path="$.x", equals="c"), {"a": 1})
    assert score.explanation == 'at $.x: expected "c", got nothing, in {"a": 1}'


@pytest.mark.parametrize(
    "spec", [{"kind": "json_path", "exists": False}, {"kind": "contains", "text": "x", "target_path": "$..*"}]
)
async def test_a_path_that_takes_too_long_is_an_error_and_no_fail(
    spec: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aloi.core.select.SECONDS", -1.0)
    fields = {"path": "$..*", **spec} if spec["kind"] == "json_path" else spec
    with pytest.raises(StageFailure, match="write a plainer one"):
        await grade(evaluator(**fields), ORDER)
