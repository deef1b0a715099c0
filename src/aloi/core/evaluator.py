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
from aloi.core.evidence import no_evidence
from aloi.core.json_values import shortened
from aloi.core.outcome import Outcome
from aloi.core.paths import JsonPath
from aloi.core.score import Score, passed_if
from aloi.core.select import NotJson, select
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
            raise StageFailure("grade", "missing_evidence", no_evidence(trace))
        return trajectory(trace)


class Evaluator(Spec):
    """Base of all evaluator kinds: typed fields plus one method. A new kind is one file with one subclass.

    `reads`: which of the case's expectations in words this kind grades. `judges`: whether it asks a model. `runs_code`:
    whether it names code to run, which an operator must allow. `reads_trace`: whether its score hangs on what a trace
    tells (the path, tool calls, tokens), so that spans of a target that runs elsewhere are waited for.
    """

    reads: ClassVar[frozenset[Expectation]] = frozenset()
    judges: ClassVar[bool] = False
    runs_code: ClassVar[bool] = False
    reads_trace: ClassVar[bool] = False

    def missing(self, case: Case) -> str | None:
        """What the case's definition lacks for this evaluator to apply, e.g. `expected_output`; null if nothing."""
        return None

    def evaluate(self, ctx: EvaluationContext) -> Score | Awaitable[Score]:
        """Grade one outcome; `async def` is as good.

        Raises:
            StageFailure: it cannot be graded (a case's `error`, never a fail).
        """
        raise NotImplementedError


class PartMissing(StageFailure):
    """The answer lacks the part that `target_path` names: the target's fault, so a fail where it can be caught."""


class OutputEvaluator(Evaluator):
    """Base of the kinds that look at the output, or at a part of it. A kind defines `grade`."""

    target_path: JsonPath | None = Field(
        default=None, description="JSONPath (RFC 9535) of the part to look at; default all of it."
    )

    def evaluate(self, ctx: EvaluationContext) -> Score | Awaitable[Score]:
        """Grade the output, or its part; an answer that lacks the part fails.

        Raises:
            StageFailure: the path selects more than one part, or it cannot be graded.
        """
        try:
            part = self.output(ctx)
        except PartMissing as missing:
            return self.without_part(missing.message)
        return self.grade(part, ctx)

    def grade(self, output: JsonValue, ctx: EvaluationContext) -> Score | Awaitable[Score]:
        """Grade what `target_path` selected."""
        raise NotImplementedError

    def without_part(self, explanation: str) -> Score:
        """The score of an answer that lacks the part; a kind with a threshold shows it here too."""
        return passed_if(False, explanation)

    def output(self, ctx: EvaluationContext) -> JsonValue:
        """The output, or the part of it that `target_path` selects.

        Raises:
            PartMissing: the path selects nothing, or the output is text that is not JSON.
            StageFailure: the path selects more than one part.
        """
        return ctx.outcome.output if self.target_path is None else select_one(self.target_path, ctx.outcome.output)


def select_one(path: str, output: JsonValue) -> JsonValue:
    """The one node that a path selects in an output; a text output is read as JSON first.

    Raises:
        PartMissing, StageFailure: as `OutputEvaluator.output`.
    """
    try:
        nodes = select(path, output)
    except NotJson as failure:
        raise PartMissing(failure.stage, failure.type, failure.message) from failure
    if not nodes:
        message = f"target_path {path} selects nothing in the output {shortened(output)}"
        raise PartMissing("grade", "target_path", message)
    if len(nodes) > 1:
        message = f"target_path {path} selects {len(nodes)} parts of the output; write a path that selects one"
        raise StageFailure("grade", "target_path", message)
    return nodes[0]


class Applied(NamedTuple):
    """One evaluator as it applies to one case."""

    name: str
    weight: float
    evaluator: Evaluator


class Bound(NamedTuple):
    """A binding with its evaluator built once, for all the cases that do not replace its criteria."""

    binding: Binding
    evaluator: Evaluator


class Applicable(NamedTuple):
    """Which evaluators apply to a case, and the names of the bound ones that do not."""

    applied: tuple[Applied, ...]
    not_applicable: tuple[str, ...]


Build = Callable[[Mapping[str, JsonValue]], Evaluator]


def bound(bindings: Iterable[Binding], build: Build) -> tuple[Bound, ...]:
    """The bindings with their evaluators.

    Raises:
        InvalidInput: a spec does not fit its kind.
    """
    return tuple(Bound(binding, build(binding.spec)) for binding in bindings)


def applicable(case: Case, bindings: Sequence[Bound], build: Build) -> Applicable:
    """Which evaluators grade this case: the bound ones with the case's criteria, its inline ones, and what its
    expectations imply (`behavior_judge`; else `output_judge`).

    Raises:
        InvalidInput: a spec does not fit its kind, criteria name an unknown evaluator, or an inline evaluator lacks
            what it needs.
    """
    if case.criteria:
        _known_criteria(case, bindings)
    applied: list[Applied] = []
    absent: list[str] = []
    for binding, evaluator in bindings:
        criteria = case.criteria.get(binding.name)
        fitted = build({**binding.spec, **criteria}) if criteria else evaluator
        if fitted.missing(case) is None:
            applied.append(Applied(binding.name, binding.weight, fitted))
        else:
            absent.append(binding.name)
    applied.extend(_inline(case, build))
    return Applicable((*applied, *_implied(case, applied, build)), tuple(absent))


def _inline(case: Case, build: Build) -> Iterable[Applied]:
    for binding in case.evaluators:
        evaluator = build(binding.spec)
        if lacking := evaluator.missing(case):
            raise InvalidInput(f"case {case.key!r}: its evaluator {binding.name!r} needs {lacking}, which is not set")
        yield Applied(binding.name, binding.weight, evaluator)


def _known_criteria(case: Case, bindings: Iterable[Bound]) -> None:
    unknown = set(case.criteria) - {binding.name for binding, _ in bindings}
    if unknown:
        names = ", ".join(sorted(unknown))
        raise InvalidInput(f"case {case.key!r}: its criteria name {names}, which is not bound to the dataset")


def _implied(case: Case, applied: Sequence[Applied], build: Build) -> tuple[Applied, ...]:
    deciding = [item.evaluator for item in applied if item.weight > 0]
    stated: list[Expectation] = []
    if case.expected_behavior:
        stated.append("expected_behavior")
    if case.assertions:
        stated.append("assertions")
    for expectation in stated:
        if not any(expectation in evaluator.reads for evaluator in deciding):
            return (Applied("behavior_judge", 1.0, build({"kind": "behavior_judge"})),)
    if not deciding and case.expected_output is not None:
        return (Applied("output_judge", 1.0, build({"kind": "output_judge"})),)
    return ()
