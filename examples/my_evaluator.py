"""Evaluators of your own, for the kind `python`: a suite names them `module:function` (see my_evaluator_suite.yaml)."""

from pydantic import JsonValue

from aloi.core.case import Case
from aloi.core.evaluator import EvaluationContext
from aloi.core.json_values import text_of

MOST_WORDS = 20


def is_brief(output: JsonValue, case: Case) -> dict[str, JsonValue]:
    """The share of the answer's words that fit into the limit: 1 when it is short enough."""
    words = len(text_of(output).split())
    value = min(1.0, MOST_WORDS / words) if words else 0.0
    return {"value": value, "explanation": f"{words} words, at most {MOST_WORDS} are wanted"}


def looked_before_it_answered(ctx: EvaluationContext) -> bool:
    """Whether at least one tool was called; without evidence of the tool calls this is an error, not a fail."""
    return len(ctx.trajectory.tool_calls) > 0
