"""What an evaluator is, what it is given, and which ones apply to a case."""

import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

from pydantic import Field, JsonValue

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.chat import ChatModel
from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.outcome import Outcome
from aloi.core.score import Score
from aloi.core.select import select
from aloi.core.spec import Spec
from aloi.core.trajectory import Trajectory, trajectory

Expectation = Literal["expected_behavior", "assertions"]


@dataclass(frozen=True)
class EvaluationContext:
    """All that an evaluator may look at: the case, the outcome with its trace, and the judge's model.

    `model` is null when the run has no judge; `samples` is how often each judge call is made (1..5); `boundary`
    gives a new random text that fences data in a judge's prompt.
    """

    case: Case
    outcome: Outcome
    model: ChatModel | None = None
    samples: int = 1
    boundary: Callable[[], str] = lambda: secrets.token_hex(16)

    @cached_property
    def trajectory(self) -> Trajectory:
        """The path that the target took.

        Raises:
            StageFailure: there is no evidence of it; that is an error, not a failed case.
        """
        trace = self.outcome.trace
        if trace is None or not trace.shows_tools:
            raise StageFailure(
                "grade",
                "missing_evidence",
                "no trace of the target's tool calls arrived, so they cannot be graded; "
                "use a target that gives a trace, or return the tool calls with the output",
            )
        return trajectory(trace)


class Evaluator(Spec):
    """Base of all evaluator kinds: typed fields plus one method. A new kind is one file with one subclass.

    `reads`: which of the case's expectations in words this kind grades. `judges`: whether it asks a model.
    """

    reads: ClassVar[frozenset[Expectation]] = frozenset()
    judges: ClassVar[bool] = False

    def missing(self, case: Case) -> str | None:
        """What the case's definition lacks for this evaluator to apply, e.g. `expected_output`; null if nothing."""
        return None

    def evaluate(self, ctx: EvaluationContext) -> Score | Awaitable[Score]:
        """Grade one outcome; `async def` is as good.

        Raises:
            StageFailure: it cannot be graded (a case's `error`, never a fail).
        """
        raise NotImplementedError


class OutputEvaluator(Evaluator):
    """Base of the kinds that look at the output, or at a part of it."""

    target_path: str | None = Field(
        default=None, description="JSONPath (RFC 9535) of the part to look at; default all of it."
    )

    def output(self, ctx: EvaluationContext) -> JsonValue:
        """The output, or the part of it that `target_path` selects.

        Raises:
            StageFailure: the path selects nothing, or more than one part.
        """
        return ctx.outcome.output if self.target_path is None else select_one(self.target_path, ctx.outcome.output)


def select_one(path: str, output: JsonValue) -> JsonValue:
    """The one node that a path selects in an output; a text output is read as JSON first."""
    nodes = select(path, output)
    if len(nodes) != 1:
        message = f"target_path {path} selects {len(nodes)} parts of the output, and must select exactly one"
        raise StageFailure("grade", "target_path", message)
    return nodes[0]


class Applied(NamedTuple):
    """One evaluator as it applies to one case."""

    name: str
    weight: float
    evaluator: Evaluator


class Applicable(NamedTuple):
    """Which evaluators apply to a case, and the names of the bound ones that do not."""

    applied: tuple[Applied, ...]
    not_applicable: tuple[str, ...]


Build = Callable[[Mapping[str, JsonValue]], Evaluator]


def applicable(case: Case, bindings: Iterable[Binding], build: Build) -> Applicable:
    """Which evaluators grade this case: the bound ones with the case's criteria, its inline ones, and what its
    expectations imply (`behavior_judge`; else `output_judge`).

    Raises:
        InvalidInput: a spec does not fit its kind, criteria name an unknown evaluator, or an inline evaluator lacks
            what it needs.
    """
    bound = list(bindings)
    _known_criteria(case, bound)
    applied: list[Applied] = []
    absent: list[str] = []
    for binding in bound:
        evaluator = build({**binding.spec, **case.criteria.get(binding.name, {})})
        if evaluator.missing(case) is None:
            applied.append(Applied(binding.name, binding.weight, evaluator))
        else:
            absent.append(binding.name)
    for binding in case.evaluators:
        evaluator = build(binding.spec)
        if lacking := evaluator.missing(case):
            raise InvalidInput(f"case {case.key!r}: its evaluator {binding.name!r} needs {lacking}, which is not set")
        applied.append(Applied(binding.name, binding.weight, evaluator))
    return Applicable((*applied, *_implied(case, applied, build)), tuple(absent))


def _known_criteria(case: Case, bound: Iterable[Binding]) -> None:
    unknown = set(case.criteria) - {binding.name for binding in bound}
    if unknown:
        names = ", ".join(sorted(unknown))
        raise InvalidInput(f"case {case.key!r}: its criteria name {names}, which is not bound to the dataset")


def _implied(case: Case, applied: Sequence[Applied], build: Build) -> tuple[Applied, ...]:
    deciding = [item.evaluator for item in applied if item.weight > 0]
    stated: set[Expectation] = set()
    if case.expected_behavior:
        stated.add("expected_behavior")
    if case.assertions:
        stated.add("assertions")
    if stated - {read for evaluator in deciding for read in evaluator.reads}:
        return (Applied("behavior_judge", 1.0, build({"kind": "behavior_judge"})),)
    if not deciding and case.expected_output is not None:
        return (Applied("output_judge", 1.0, build({"kind": "output_judge"})),)
    return ()
