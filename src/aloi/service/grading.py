"""Scoring one output outside of any run: nothing is stored but what a judge used."""

from aloi.core.errors import InvalidInput
from aloi.core.evaluator import Applied, EvaluationContext
from aloi.core.grading import GradeRequest
from aloi.core.score import Score
from aloi.llm.models import Models
from aloi.runner.grade import grade_one
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.evaluators import evaluator_builder
from aloi.service.judges import judge_model
from aloi.settings import Settings
from aloi.store import usage
from aloi.store.usage import Source


async def grade(context: Context, request: GradeRequest) -> Score:
    """As `grade_request`; what the judge used counts for the workspace."""
    score = await grade_request(request, context.models, context.settings)
    judge = judge_model(request.judge, context.settings) if score.usage.calls else None
    if judge is not None:
        async with context.database.transaction() as tx:
            await usage.put(tx, Source(new_id(), None), "judge", now().date(), judge.model, score.usage)
    return score


async def grade_request(request: GradeRequest, models: Models, settings: Settings) -> Score:
    """The score of one output by one evaluator.

    Raises:
        InvalidInput: the spec does not fit, the case lacks what it needs, or a judge is needed and none can be asked.
    """
    evaluator = evaluator_builder(settings.allow_code)(request.evaluator)
    if lacking := evaluator.missing(request.case):
        raise InvalidInput(f"{evaluator.kind} needs {lacking}; set it on the case or on the evaluator")
    judge = judge_model(request.judge, settings) if evaluator.judges else None
    if judge is not None:
        models.check(judge)
    elif evaluator.judges:
        raise InvalidInput(f"{evaluator.kind} asks a judge, and none is set; name a model, or set ALOI_JUDGE_MODEL")
    ctx = EvaluationContext(
        case=request.case,
        outcome=request.outcome(),
        model=models.chat(judge) if judge else None,
        samples=request.judge.samples if request.judge else 1,
    )
    return await grade_one(Applied(evaluator.kind, 1.0, evaluator), ctx)
