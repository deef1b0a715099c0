"""Rules: what they may be, and what of them may change."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from aloi.core.access import Role
from aloi.core.errors import Conflict, NotFound, NotPermitted, Stale
from aloi.core.identity import etag
from aloi.core.misfit import Misfit
from aloi.service import audit, datasets, saved_evaluators, targets
from aloi.service.context import Context
from aloi.service.online import rules
from tests.service.traffic import (
    HELLO,
    POLITE,
    TARGET,
    all_graded,
    asked,
    echoing,
    opened,
    rule_now,
    ruled,
    said,
)
from tests.store.backends import BACKENDS, fresh


@pytest.fixture(params=BACKENDS)
async def context(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Context]:
    async with fresh(request, tmp_path) as address:
        context = await opened(tmp_path, address)
        await echoing(context)
        yield context
        await context.close()


def pointers(error: pytest.ExceptionInfo[Misfit]) -> list[str]:
    return [fault.pointer for fault in error.value.faults]


async def test_a_rule_is_kept_as_it_was_written(context: Context):
    dataset = await datasets.create(context, {"name": "failures"})
    filters = {"status": "ok", "text": "order", "version": 1, "min_seconds": 2.5}
    made = await ruled(
        context, HELLO, share=0.25, filters=filters, judge_samples=3, most_per_day=7, drafts_dataset_id="failures"
    )
    found = await rule_now(context, made.id)
    assert found == await rule_now(context, "rule")
    assert found.filters.model_dump() == filters
    assert (found.share, found.judge_samples, found.most_per_day) == (0.25, 3, 7)
    assert (found.drafts_dataset_id, found.drafts_dataset_name) == (dataset.id, "failures")
    [entry] = (await audit.listing(context, action="online_rule.create")).items
    assert entry.object_name == "rule"


@pytest.mark.parametrize(
    ("evaluator", "place", "words"),
    [
        ({"kind": "exact_match"}, "/evaluators/1", "expected_output"),
        ({"kind": "tool_call_order"}, "/evaluators/1", "tools"),
        ({"spec": {"kind": "behavior_judge"}}, "/evaluators/1/spec", "expected_behavior"),
        ({"kind": "output_judge"}, "/evaluators/1", "expected_output"),
        ({"kind": "contains", "text": 5}, "/evaluators/1/text", "string"),
        ({"kind": "no_such"}, "/evaluators/1/kind", "no_such"),
        (POLITE, "/evaluators/1", "ALOI_JUDGE_MODEL"),
        ({"evaluator_id": "00000000-0000-7000-8000-00000000dead"}, "/evaluators/1/evaluator_id", "no saved"),
    ],
)
async def test_an_evaluator_that_cannot_grade_production_is_refused(
    context: Context, evaluator: dict[str, Any], place: str, words: str
):
    with pytest.raises(Misfit, match=words) as refused:
        await ruled(context, HELLO, evaluator)
    assert pointers(refused) == [place]


async def test_evaluators_that_run_code_need_the_operators_word(context: Context):
    context.settings = context.settings.model_copy(update={"allow_code": False})
    with pytest.raises(NotPermitted, match="ALOI_ALLOW_CODE"):
        await ruled(context, {"kind": "python", "function": "module:function"})


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"filters": {"version": 9}}, "/filters/version"),
        ({"drafts_dataset_id": "no such"}, "/drafts_dataset_id"),
        ({"share": 2}, "/share"),
        ({"most_per_day": "many"}, "/most_per_day"),
    ],
)
async def test_a_field_that_does_not_fit_is_told_with_its_place(context: Context, fields: dict[str, Any], place: str):
    with pytest.raises(Misfit) as refused:
        await ruled(context, **fields)
    assert pointers(refused) == [place]


async def test_a_budget_in_dollars_needs_a_known_price(context: Context):
    context.settings = context.settings.model_copy(update={"judge_model": "openai:no-such-model"})
    with pytest.raises(Misfit, match="price") as refused:
        await ruled(context, POLITE, cost_per_day=1.0)
    assert pointers(refused) == ["/cost_per_day"]
    context.settings = context.settings.model_copy(update={"judge_model": "openai:gpt-4o"})
    assert (await ruled(context, POLITE, cost_per_day=1.0)).cost_per_day == 1.0


async def test_names_are_unique_on_a_target(context: Context):
    await ruled(context)
    with pytest.raises(Conflict, match="already"):
        await ruled(context)
    other = await ruled(context, name="other")
    with pytest.raises(Conflict, match="already"):
        await rules.update(context, TARGET, other.id, {"name": "rule"})


async def test_a_change_leaves_what_is_not_named_and_null_clears(context: Context):
    await ruled(context, share=0.5, filters={"text": "order"}, cost_per_day=2.0)
    changed = await rules.update(context, TARGET, "rule", {"share": 0.75})
    assert (changed.share, changed.filters.text, changed.cost_per_day) == (0.75, "order", 2.0)
    cleared = await rules.update(context, TARGET, "rule", {"filters": None, "cost_per_day": None})
    assert (cleared.share, cleared.filters.text, cleared.cost_per_day) == (0.75, None, None)


async def test_a_stale_change_is_refused(context: Context):
    rule = await ruled(context)
    tag = etag(rule.edited())
    await asked(context, "hello")
    await all_graded(context)
    await rules.update(context, TARGET, rule.id, {"share": 0.5}, tag)
    with pytest.raises(Stale):
        await rules.update(context, TARGET, rule.id, {"share": 0.6}, tag)


async def test_a_rule_follows_its_saved_evaluator_which_cannot_be_deleted(context: Context):
    saved = await saved_evaluators.create(context, {"name": "greets", "spec": {"kind": "contains", "text": "hello"}})
    await ruled(context, {"evaluator_id": saved.id})
    await saved_evaluators.update(context, saved.id, {"name": "thanks", "spec": {"kind": "contains", "text": "thanks"}})
    [binding] = (await rule_now(context)).evaluators
    assert (binding.name, binding.spec) == ("thanks", {"kind": "contains", "text": "thanks"})
    await asked(context, "thanks")
    await all_graded(context)
    [result] = await said(context)
    assert (result.verdict, result.scores[0].evaluator) == ("pass", "thanks")
    with pytest.raises(Conflict, match="rule"):
        await saved_evaluators.delete(context, saved.id)
    await rules.delete(context, TARGET, "rule")
    await saved_evaluators.delete(context, saved.id)


async def test_a_rule_can_be_switched_off_whatever_became_of_its_evaluators(context: Context):
    context.settings = context.settings.model_copy(update={"judge_model": "openai:gpt-4o"})
    await ruled(context, POLITE)
    context.settings = context.settings.model_copy(update={"judge_model": None})
    assert not (await rules.update(context, TARGET, "rule", {"enabled": False})).enabled


async def test_a_rule_goes_with_its_target(context: Context):
    await ruled(context)
    await asked(context, "hello")
    await all_graded(context)
    await targets.delete(context, TARGET)
    with pytest.raises(NotFound):
        await rule_now(context)


async def test_a_rule_outlives_the_dataset_of_its_drafts(context: Context):
    dataset = await datasets.create(context, {"name": "failures"})
    await ruled(context, drafts_dataset_id=dataset.id)
    await datasets.delete(context, dataset.id)
    assert (await rule_now(context)).drafts_dataset_id is None


async def test_rules_are_listed_newest_first(context: Context):
    for name in ("first", "second", "third"):
        await ruled(context, name=name)
    page = await rules.page(context, TARGET, "ir", 1, 1)
    assert (page.total, [rule.name for rule in page.items]) == (2, ["third"])


async def test_who_is_narrowed_to_some_targets_names_no_dataset_of_others(context: Context):
    target = (await targets.get(context, TARGET)).id
    own = await datasets.create(context, {"name": "own", "target_id": target})
    await datasets.create(context, {"name": "shared"})
    principal = context.principal.model_copy(update={"role": Role.EDITOR, "targets": (target,)})
    narrowed = context.acting_as(principal)
    with pytest.raises(NotPermitted, match="shared"):
        await ruled(narrowed, drafts_dataset_id="shared")
    assert (await ruled(narrowed, drafts_dataset_id="own")).drafts_dataset_id == own.id
    await asked(context, "bye")
    await all_graded(context)
    assert [result.verdict for result in await said(narrowed)] == ["fail"]
    assert (await rule_now(narrowed)).recent is not None
