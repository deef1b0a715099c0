"""Grade one output with one spec, the way a run does: through the plug-in door, awaited where need be."""

import inspect
from collections.abc import Sequence
from typing import Any

from aloi.core.case import Case
from aloi.core.evaluator import EvaluationContext, Evaluator
from aloi.core.outcome import Outcome
from aloi.core.score import Score
from aloi.core.trace import ToolCall, trace_of_calls
from aloi.core.usage import NO_USAGE, Usage
from aloi.plugins import build


def evaluator(kind: str, **fields: Any) -> Evaluator:
    """The evaluator of a spec."""
    return build("evaluators", {"kind": kind, **fields}, Evaluator)


def case(**fields: Any) -> Case:
    """A case with a prompt and what else is given."""
    return Case.model_validate({"prompt": "hi", **fields})


def calls(*given: Any) -> tuple[ToolCall, ...]:
    """Tool calls written as names, `(tool, args)` or `(tool, args, output)`."""
    written = [(item,) if isinstance(item, str) else tuple(item) for item in given]
    return tuple(ToolCall.model_validate(dict(zip(("tool", "args", "output"), item, strict=False))) for item in written)


async def grade(
    spec: Evaluator,
    output: Any = "",
    tool_calls: Sequence[ToolCall] = (),
    of: Case | None = None,
    usage: Usage = NO_USAGE,
    latency: float = 0.0,
) -> Score:
    """The score of an outcome with a trace of these tool calls."""
    trace = trace_of_calls("t", tuple(tool_calls))
    outcome = Outcome(output=output, trace=trace, usage=usage, latency=latency)
    return await evaluated(spec, EvaluationContext(case=of or case(), outcome=outcome))


async def evaluated(spec: Evaluator, ctx: EvaluationContext) -> Score:
    """The evaluator's score, awaited where need be."""
    score = spec.evaluate(ctx)
    return await score if inspect.isawaitable(score) else score
