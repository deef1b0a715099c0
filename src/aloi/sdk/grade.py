"""Scoring one output with one evaluator, for notebooks and tests."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from aloi.client import connect
from aloi.core.grading import GradeRequest
from aloi.core.score import Score
from aloi.core.spec import valid
from aloi.core.trace import ToolCall
from aloi.llm.models import Models
from aloi.sdk.blocking import finish
from aloi.sdk.given import CaseLike, EvaluatorLike, JudgeLike, as_binding, as_judge
from aloi.service.grading import grade_request
from aloi.settings import Settings, read_settings


def grade(
    spec: EvaluatorLike,
    *,
    output: JsonValue,
    case: CaseLike | None = None,
    tool_calls: Sequence[ToolCall | Mapping[str, Any]] | None = None,
    judge: JudgeLike | None = None,
    latency: float = 0.0,
) -> Score:
    """Score one output with one evaluator; nothing is stored.

    Args:
        spec: e.g. `{"kind": "contains", "text": "Paris"}`.
        output: text or a JSON value.
        case: what the evaluator may compare with (`expected_output`, `expected_behavior`, ...).
        tool_calls: `{"tool", "args", "output"}` each, in order; none given means that nothing is known of them.
        judge: the grading model of a judge.
        latency: in seconds, for `latency`.

    Raises:
        InvalidInput: the spec, the case, the tool calls or the judge cannot be used.
    """
    fields: dict[str, object] = {
        "evaluator": as_binding(spec).spec,
        "output": output,
        "case": {} if case is None else case,
        "tool_calls": tool_calls,
        "latency": latency,
        "judge": as_judge(judge, None),
    }
    return finish(_grade(valid(GradeRequest, fields, "what is to be graded")))


async def _grade(request: GradeRequest) -> Score:
    settings = read_settings(os.environ)
    if settings.server is not None:
        return await _grade_there(request, settings)
    # Without a server no database is needed, so none is opened.
    models = Models(os.environ)
    try:
        return await grade_request(request, models, settings)
    finally:
        await models.close()


async def _grade_there(request: GradeRequest, settings: Settings) -> Score:
    client = await connect(settings, os.environ)
    try:
        return await client.grade(request)
    finally:
        await client.close()
