"""Scoring one output outside of any run."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from aloi.core.errors import InvalidInput, NotPermitted
from aloi.core.grading import GradeRequest
from aloi.core.score import Score, Verdict
from aloi.llm.models import Models
from aloi.service.grading import grade_request
from aloi.settings import Settings
from tests.model_server import ModelServer

JUDGE = {"kind": "llm_judge", "rubric": "It is kind."}


@pytest.fixture
async def models() -> AsyncIterator[Models]:
    opened = Models({})
    yield opened
    await opened.close()


async def graded(models: Models, evaluator: dict[str, Any], settings: Settings | None = None, **fields: Any) -> Score:
    request = GradeRequest.model_validate({"evaluator": evaluator, "output": "Paris", **fields})
    return await grade_request(request, models, settings or Settings())


async def test_a_deterministic_evaluator(models: Models) -> None:
    score = await graded(models, {"kind": "contains", "text": "Paris"})
    assert (score.verdict, score.value, score.evaluator, score.kind) == (Verdict.PASS, 1.0, "contains", "contains")
    assert (await graded(models, {"kind": "contains", "text": "Rome"})).verdict is Verdict.FAIL


async def test_latency_and_usage_are_what_was_given(models: Models) -> None:
    assert (await graded(models, {"kind": "latency", "max": 1}, latency=2.0)).verdict is Verdict.FAIL
    usage = {"calls": 1, "input_tokens": 60, "output_tokens": 50}
    assert (await graded(models, {"kind": "token_limit", "max": 100}, usage=usage)).verdict is Verdict.FAIL


async def test_what_the_case_lacks_is_said(models: Models) -> None:
    with pytest.raises(InvalidInput, match="exact_match needs expected_output; set it on the case"):
        await graded(models, {"kind": "exact_match"})
    assert (await graded(models, {"kind": "exact_match"}, case={"input": "", "expected_output": "Paris"})).value == 1


async def test_a_judge(models: Models, model_server: ModelServer) -> None:
    judge = {"model": "openai:judge-alternate", "base_url": model_server.url, "samples": 3}
    score = await graded(models, JUDGE, judge=judge)
    assert score.disagreed
    assert len(score.samples) == 3
    assert score.usage.calls == 3


async def test_the_operators_judge(models: Models, model_server: ModelServer) -> None:
    settings = Settings(judge_model="openai:judge-fail", base_url=model_server.url)
    assert (await graded(models, JUDGE, settings)).verdict is Verdict.FAIL


async def test_a_judge_that_is_not_set_or_has_no_key_is_refused(models: Models) -> None:
    with pytest.raises(InvalidInput, match=r"llm_judge asks a judge, and none is set.*ALOI_JUDGE_MODEL"):
        await graded(models, JUDGE)
    with pytest.raises(InvalidInput, match="OPENAI_API_KEY"):
        await graded(models, JUDGE, judge={"model": "openai:gpt-x"})


async def test_a_judge_that_fails_is_an_error_and_no_fail(models: Models, model_server: ModelServer) -> None:
    judge = {"model": "openai:raw:nothing", "base_url": model_server.url}
    score = await graded(models, JUDGE, judge=judge)
    assert (score.verdict, score.value) == (Verdict.ERROR, None)


async def test_code_that_is_not_allowed_is_refused(models: Models) -> None:
    spec = {"kind": "python", "function": "tests.targets.functions:nothing"}
    with pytest.raises(NotPermitted):
        await graded(models, spec, Settings(allow_code=False))
