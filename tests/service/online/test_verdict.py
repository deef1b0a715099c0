"""The verdict on one execution, whatever the evaluators have become meanwhile."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from aloi.core.binding import Binding
from aloi.core.outcome import Failure
from aloi.core.result import CaseResult
from aloi.core.score import Verdict, error_score
from aloi.service.context import Context
from aloi.service.online.verdict import ENDPOINT, broken, may_pass_later, verdict_on
from tests.model_server import ModelServer
from tests.service.traffic import HELLO, POLITE, asked, echoing, opened, ruled


@pytest.fixture
async def context(tmp_path: Path, model_server: ModelServer) -> AsyncIterator[Context]:
    context = await opened(tmp_path, None, "openai:judge-score:0.75", model_server.url)
    await echoing(context)
    yield context
    await context.close()


async def verdict(context: Context, *evaluators: dict[str, Any], given: str = "hello", samples: int = 1) -> CaseResult:
    rule = await ruled(context, judge_samples=samples)
    [execution] = await asked(context, given)
    return await verdict_on(context, rule, [Binding.model_validate(one) for one in evaluators], execution)


async def test_scores_stand_in_the_order_of_the_evaluators(context: Context):
    result = await verdict(context, HELLO, {"kind": "exact_match"}, {"kind": "latency", "max": 60}, POLITE)
    assert [score.evaluator for score in result.scores] == ["contains", "exact_match", "latency", "polite"]
    assert [score.verdict for score in result.scores] == ["pass", "error", "pass", "pass"]
    assert result.verdict is Verdict.ERROR
    assert result.failure is not None and "expected_output" in result.failure.message
    assert result.score == pytest.approx((1 + 1 + 0.75) / 3)


async def test_an_evaluator_of_a_kind_that_is_gone_is_an_error(context: Context):
    result = await verdict(context, HELLO, {"kind": "no_longer_there", "weight": 2})
    assert [(score.kind, score.weight) for score in result.scores] == [("contains", 1), ("no_longer_there", 2)]
    assert result.verdict is Verdict.ERROR and not may_pass_later(result)


async def test_code_that_is_not_allowed_any_more_does_not_run(context: Context):
    rule = await ruled(context)
    [execution] = await asked(context, "hello")
    context.settings = context.settings.model_copy(update={"allow_code": False})
    coded = Binding.model_validate({"kind": "python", "function": "os:getcwd"})
    result = await verdict_on(context, rule, [coded], execution)
    assert result.failure is not None and "ALOI_ALLOW_CODE" in result.failure.message


async def test_tool_calls_without_a_trace_are_an_error(context: Context):
    result = await verdict(context, {"kind": "tool_call_count", "counts": {"delete": 0}})
    assert result.failure is not None and result.failure.type == "missing_evidence"


async def test_a_judge_without_a_model_is_an_error(context: Context):
    context.settings = context.settings.model_copy(update={"judge_model": None})
    result = await verdict(context, POLITE)
    assert result.failure is not None and result.failure.type == "no_judge"
    assert not may_pass_later(result), "asking again is of no use"


async def test_a_budget_in_dollars_asks_no_judge_whose_price_is_not_known(context: Context, model_server: ModelServer):
    rule = await ruled(context, cost_per_day=1.0)  # no judge then; its saved evaluator may have become one since
    [execution] = await asked(context, "hello")
    bindings = [Binding.model_validate(one) for one in (HELLO, POLITE)]
    result = await verdict_on(context, rule, bindings, execution)
    assert model_server.requests == []
    assert [score.verdict for score in result.scores] == ["pass", "error"]
    assert result.failure is not None and "price" in result.failure.message
    assert not may_pass_later(result)
    unlimited = rule.model_copy(update={"cost_per_day": None})
    assert (await verdict_on(context, unlimited, bindings, execution)).verdict is Verdict.PASS


async def test_nobody_is_asked_about_an_execution_that_failed(context: Context, model_server: ModelServer):
    result = await verdict(context, POLITE, given="fail")
    assert result.failure is not None and result.failure.stage == "invoke"
    assert model_server.requests == []


async def test_each_judge_is_asked_as_often_as_the_rule_says(context: Context, model_server: ModelServer):
    result = await verdict(context, POLITE, samples=5)
    assert len(result.scores[0].samples) == len(model_server.requests) == 5


@pytest.mark.parametrize("kind", [*sorted(ENDPOINT), "unusable_verdict", "no_key"])
def test_what_an_endpoint_was_to_blame_for_may_pass_later(kind: str):
    failed = error_score(Failure(stage="grade", type=kind, message="it failed"))
    result = broken("an execution", "x", "y").model_copy(update={"scores": (failed,)})
    assert may_pass_later(result) is (kind in ENDPOINT)
