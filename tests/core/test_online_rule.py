"""Which executions a rule grades."""

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from aloi.core.identity import uuid7
from aloi.core.online_rule import Finished, OnlineFilters, OnlineRule, OnlineRuleGiven, is_sampled, passes
from aloi.core.outcome import Failure, Outcome

AT = datetime(2026, 11, 30, tzinfo=UTC)
CONTAINS = {"kind": "contains", "text": "ok"}
FAILED = Outcome(failure=Failure(stage="invoke", type="exception", message="it broke"))


def execution(outcome: Outcome, given: Any = "How are you?") -> Finished:
    return Finished("execution", "target", "version", AT, given, outcome)


def ids(number: int) -> list[str]:
    """Ids as they are made one after the other, all of one moment: the worst case for a share by id."""
    return [uuid7(1_800_000_000_000, count.to_bytes(10, "big")) for count in range(number)]


@pytest.mark.parametrize("share", [0.01, 0.1, 0.5, 0.9])
def test_the_share_of_many_is_the_one_that_was_asked_for(share: float):
    """Within five standard deviations of a fair draw; the ids are fixed, so it is the same each time."""
    number = 20_000
    drawn = sum(is_sampled("a rule", one, share) for one in ids(number))
    assert abs(drawn - number * share) < 5 * (number * share * (1 - share)) ** 0.5


def test_a_share_of_one_takes_all():
    assert all(is_sampled("rule", one, 1.0) for one in ids(1000))


def test_a_larger_share_holds_the_smaller_one():
    small = {one for one in ids(2000) if is_sampled("rule", one, 0.1)}
    large = {one for one in ids(2000) if is_sampled("rule", one, 0.3)}
    assert small and small < large


def test_two_rules_draw_apart():
    first, second = ({one for one in ids(4000) if is_sampled(rule, one, 0.5)} for rule in ("a", "b"))
    assert 800 < len(first & second) < 1200


@pytest.mark.parametrize(
    ("filters", "outcome", "expected"),
    [
        ({}, FAILED, True),
        ({"status": "ok"}, FAILED, False),
        ({"status": "ok"}, Outcome(output=""), True),
        ({"text": "HOW"}, Outcome(output="fine"), True),
        ({"text": "straße"}, Outcome(output={"answer": ["STRASSE"]}), True),
        ({"text": "absent"}, Outcome(output="fine"), False),
        ({"text": "absent"}, FAILED, False),
        ({"min_seconds": 2.0}, Outcome(output="x", latency=2.0), True),
        ({"min_seconds": 2.0}, Outcome(output="x", latency=1.999), False),
    ],
)
def test_filters(filters: dict[str, Any], outcome: Outcome, expected: bool):
    assert passes(OnlineFilters.model_validate(filters), None, execution(outcome)) is expected


def test_a_version_is_told_by_its_id():
    wanted = OnlineFilters(version=2)
    assert passes(wanted, "version", execution(Outcome(output="x")))
    assert not passes(wanted, "another", execution(Outcome(output="x")))
    assert not passes(wanted, None, execution(Outcome(output="x"))), "there is no such version"


@pytest.mark.parametrize(
    "fields",
    [
        {"share": 0},
        {"share": 1.01},
        {"evaluators": []},
        {"evaluators": [{**CONTAINS, "weight": 0}]},
        {"judge_samples": 6},
        {"most_per_day": 0},
        {"cost_per_day": 0},
        {"filters": {"text": ""}},
        {"name": ""},
    ],
)
def test_what_a_rule_cannot_be(fields: dict[str, Any]):
    with pytest.raises(ValidationError):
        OnlineRuleGiven.model_validate({"name": "rule", "evaluators": [CONTAINS], **fields})


def test_evaluators_of_one_name_are_numbered():
    rule = OnlineRuleGiven.model_validate({"name": "rule", "evaluators": [CONTAINS, CONTAINS]})
    assert [binding.name for binding in rule.evaluators] == ["contains", "contains-2"]


def test_a_change_of_a_saved_evaluator_is_no_change_of_the_rule():
    saved = {"name": "polite", "evaluator_id": "an id", "spec": {"kind": "contains", "text": "please"}}
    fields = {"id": "r", "target_id": "t", "name": "rule", "created_at": AT, "updated_at": AT}
    before = OnlineRule.model_validate({**fields, "evaluators": [saved]})
    after = OnlineRule.model_validate({**fields, "evaluators": [{**saved, "spec": CONTAINS}], "waiting": 3})
    assert before.edited() == after.edited()
    assert before.edited() != after.model_copy(update={"share": 0.5}).edited()
