"""The verdict of a rule on one execution of production: graded by the path that runs use, without an expectation."""

from collections.abc import Sequence

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.errors import AloiError
from aloi.core.evaluator import Applied, EvaluationContext, Evaluator
from aloi.core.execution import Execution
from aloi.core.online_rule import OnlineRule
from aloi.core.outcome import Failure, Outcome
from aloi.core.result import CaseResult, case_result
from aloi.core.score import Score, error_score
from aloi.runner.grade import grade_all
from aloi.service.context import Context
from aloi.service.evaluators import evaluator_builder
from aloi.service.judges import judge_model

# Of one evaluator, all samples and retries of a judge included: shorter than a claim lasts.
SECONDS = 120.0
# What says that the judge, or what else is asked, could not be reached: it may be there again later.
ENDPOINT = {"rate_limited", "connection", "timeout", "http_status"}


async def verdict_on(
    context: Context, rule: OnlineRule, bindings: Sequence[Binding], execution: Execution
) -> CaseResult:
    """What a rule says of an execution. One that failed is not graded: it is an error of stage `invoke`.

    Args:
        bindings: the rule's evaluators as they are now. One that cannot grade is an error that says why.

    Raises:
        InvalidInput: the operator's judge is no name of a model.
    """
    outcome = execution.outcome
    if outcome.failure is not None:
        return case_result(execution.id, execution.id, 0, outcome, ())
    case = Case(key=execution.id, input=execution.input)
    found = [_applied(context, rule, binding, case) for binding in bindings]
    applied = tuple(one for one in found if isinstance(one, Applied))
    judge = judge_model(None, context.settings) if any(one.evaluator.judges for one in applied) else None
    model = None if judge is None else context.models.chat(judge)
    ctx = EvaluationContext(case=case, outcome=outcome, model=model, samples=rule.judge_samples)
    scores = iter(await grade_all(applied, ctx, SECONDS) if applied else [])
    return case_result(
        execution.id, execution.id, 0, outcome, [one if isinstance(one, Score) else next(scores) for one in found]
    )


def may_pass_later(result: CaseResult) -> bool:
    """Whether it is an error since an endpoint could not be reached."""
    return any(score.failure is not None and score.failure.type in ENDPOINT for score in result.scores)


def broken(execution_id: str, type_: str, message: str) -> CaseResult:
    """The result of an execution that could not be graded at all."""
    failure = Failure(stage="grade", type=type_, message=message)
    return case_result(execution_id, execution_id, 0, Outcome(), ()).model_copy(update={"failure": failure})


def unpriced_judge(context: Context) -> str | None:
    """The judge's name, where its price is not known; null where it is, and where there is no judge.

    Raises:
        InvalidInput: the operator's judge is no name of a model.
    """
    judge = judge_model(None, context.settings)
    if judge is None or context.models.prices.cost(judge.provider, judge.name, 1, 1, judge.base_url) is not None:
        return None
    return judge.model


def _applied(context: Context, rule: OnlineRule, binding: Binding, case: Case) -> Applied | Score:
    """An evaluator as it applies to the execution; the error where it cannot grade it (any more)."""
    try:
        evaluator = evaluator_builder(context.settings.allow_code)(binding.spec)
        reason = _hindrance(context, rule, evaluator, case)
        if reason is None:
            return Applied(binding.name, binding.weight, evaluator)
    except AloiError as error:
        reason = str(error)
    failed = error_score(Failure(stage="grade", type="invalid_evaluator", message=reason))
    kind = binding.spec.get("kind")
    return failed.model_copy(
        update={"evaluator": binding.name, "kind": kind if isinstance(kind, str) else "", "weight": binding.weight}
    )


def _hindrance(context: Context, rule: OnlineRule, evaluator: Evaluator, case: Case) -> str | None:
    """Why an evaluator does not grade; null when nothing keeps it from that."""
    if lacking := evaluator.missing(case):
        return f"{evaluator.kind} needs {lacking}, which an execution of production has not; change the evaluator"
    judge = unpriced_judge(context) if evaluator.judges and rule.cost_per_day is not None else None
    if judge is not None:  # the judge, or the evaluator, is another one than when the rule was written
        return (
            f"the price of {judge} is not known, so the rule's cost_per_day cannot be kept; give most_per_day instead"
        )
    return None
