"""Grading one outcome: every evaluator that applies, all at once; what fails is a value in the result."""

import asyncio
import inspect
import time
from dataclasses import dataclass

from aloi.core.case import Case
from aloi.core.chat import ChatModel
from aloi.core.errors import AloiError, StageFailure
from aloi.core.evaluator import Applied, Bound, Build, EvaluationContext, applicable
from aloi.core.json_values import storable
from aloi.core.outcome import Failure, Outcome
from aloi.core.result import CaseResult, case_result
from aloi.core.score import Score, error_score
from aloi.runner.invoke import is_cancelled
from aloi.runner.task import CaseTask

SECONDS = 300.0  # most of one evaluator, all samples and retries of a judge included


@dataclass(frozen=True)
class Grader:
    """Grades outcomes with the evaluators of a revision.

    Args:
        bindings: those bound to the dataset, built.
        build: makes an evaluator of a spec (for inline ones and replaced criteria).
        judge: the judge's model; null when the run has none.
        samples: how often each judge call is made.
        seconds: the deadline of one evaluator; a judge that hangs must not hold the run up for ever.
    """

    bindings: tuple[Bound, ...]
    build: Build
    judge: ChatModel | None = None
    samples: int = 1
    seconds: float = SECONDS

    def reads_trace(self, case: Case) -> bool:
        """Whether a score of the case hangs on what a trace tells.

        Raises:
            InvalidInput: as `applicable`.
        """
        return any(item.evaluator.reads_trace for item in applicable(case, self.bindings, self.build).applied)

    async def grade(self, task: CaseTask, outcome: Outcome) -> CaseResult:
        """The result of a task. An outcome that failed is not graded: there is nothing to grade."""
        case, trial = task.case, task.place.trial
        if outcome.failure is not None:
            return case_result(case.id, case.key, trial, outcome, ())
        evaluators = applicable(case, self.bindings, self.build)
        ctx = EvaluationContext(case=case, outcome=outcome, model=self.judge, samples=self.samples)
        scores = await grade_all(evaluators.applied, ctx, self.seconds)
        return case_result(case.id, case.key, trial, outcome, scores, evaluators.not_applicable)


async def grade_all(applied: tuple[Applied, ...], ctx: EvaluationContext, seconds: float = SECONDS) -> list[Score]:
    """The scores of all evaluators, in their order; they are asked at once."""
    if len(applied) == 1:
        return [await grade_one(applied[0], ctx, seconds)]
    return list(await asyncio.gather(*(grade_one(item, ctx, seconds) for item in applied)))


async def grade_one(item: Applied, ctx: EvaluationContext, seconds: float = SECONDS) -> Score:
    """The score of one evaluator, signed with its name, weight and time; a fault is an error score."""
    began, start = time.time_ns(), time.perf_counter()
    deadline = asyncio.timeout(seconds)
    try:
        score = item.evaluator.evaluate(ctx)
        if inspect.isawaitable(score):
            async with deadline:
                score = await score
    except asyncio.CancelledError as error:
        if is_cancelled():
            raise
        score = error_score(_raised(error))
    except StageFailure as error:
        score = error_score(_failure(error.type, error.message))
    except AloiError as error:
        score = error_score(_failure("invalid_evaluator", str(error)))
    except Exception as error:  # an evaluator of the user's own may raise anything
        late = isinstance(error, TimeoutError) and deadline.expired()
        score = error_score(_late(seconds) if late else _raised(error))
    return score.model_copy(
        update={
            "evaluator": item.name,
            "kind": item.evaluator.kind,
            "weight": item.weight,
            "explanation": storable(score.explanation),
            "details": storable(score.details),
            "start_ns": began,
            "seconds": round(time.perf_counter() - start, 6),  # the rest is noise
        }
    )


def _late(seconds: float) -> Failure:
    return _failure("timeout", f"no score within {seconds:g} s; does the judge, or what else is asked, still answer?")


def _raised(error: BaseException) -> Failure:
    return _failure("exception", f"the evaluator raised {type(error).__name__}: {error}")


def _failure(type_: str, message: str) -> Failure:
    return Failure(stage="grade", type=type_, message=storable(message))
