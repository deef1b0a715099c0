"""What a person says of a case's result: the truth that judges are measured against."""

from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import AwareDatetime, Field

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.outcome import Outcome
from aloi.core.result import CaseResult
from aloi.core.spec import Value
from aloi.core.trace import Span, Trace

NOTE_LENGTH = 10_000
# How spans that grade are told from those that work, in the conventions of OpenTelemetry's GenAI and of OpenInference.
EVALUATION = "gen_ai.evaluation"
EVALUATING = "evaluate"
SPAN_KIND = "openinference.span.kind"
EVALUATOR = "EVALUATOR"

LabelVerdict = Literal["pass", "fail"]


class LabelGiven(Value):
    """A person's verdict. `trial`: of which trial of the case, from 0."""

    verdict: LabelVerdict = Field(description="What the result deserves.")
    note: str | None = Field(default=None, max_length=NOTE_LENGTH, description="Why, in words.")
    trial: int = Field(default=0, ge=0, le=1_000_000, description="Counted from 0.")


class Label(Value):
    """The label of one result: the last one given stands; earlier ones are in the audit log.

    `blind`: whether it was given without the judge's word on the page.
    """

    case_key: str
    trial: int
    verdict: LabelVerdict
    note: str
    blind: bool
    by: str
    at: AwareDatetime


class LabelledResult(CaseResult):
    """A result with its label, for reports; null where nobody gave one."""

    label: Label | None = None


class LabellingEntry(Value):
    """A result in the list of those to label. It says nothing of what the evaluators found.

    `labelled`: whether anybody labelled it. `label`: the reader's own one; that of another person stays hidden, as it
    would lead the reader.
    """

    case_id: str
    case_key: str
    case_name: str
    trial: int
    labelled: bool
    label: Label | None


class BlindResult(Value):
    """A result without any judge's verdict, score or reasoning: what a person labels without being led.

    `outcome` has the answer and the target's own trace. `criteria` are the rules in words that a judge goes by, with
    the name of their evaluator (a rubric, say); they say nothing of what it found. `label`: the reader's own one.
    """

    case_id: str
    case_key: str
    trial: int
    case: Case
    outcome: Outcome
    criteria: dict[str, str]
    label: Label | None


def blind_result(
    case: Case, trial: int, outcome: Outcome, rules: Sequence[Binding], label: Label | None
) -> BlindResult:
    """What of a result may be seen by who labels it without being led.

    Args:
        case: as it was frozen.
        outcome: what the target did.
        rules: the evaluators bound to the dataset; those of the case are added.
        label: the reader's own one.
    """
    return BlindResult(
        case_id=case.id,
        case_key=case.key,
        trial=trial,
        case=case,
        outcome=_ungraded(outcome),
        criteria=dict(_rubrics(case, rules)),
        label=label,
    )


def own_label(label: Label | None, reader: str) -> Label | None:
    """The label if the reader gave it."""
    return label if label is not None and label.by == reader else None


def _rubrics(case: Case, rules: Sequence[Binding]) -> Iterator[tuple[str, str]]:
    bound = ((binding.name, {**binding.spec, **case.criteria.get(binding.name, {})}) for binding in rules)
    for name, spec in (*bound, *((binding.name, binding.spec) for binding in case.evaluators)):
        rubric = spec.get("rubric")
        if isinstance(rubric, str):
            yield name, rubric


def _ungraded(outcome: Outcome) -> Outcome:
    """The outcome without anything that grades it: some programs report that in the trace of their target."""
    trace = outcome.trace
    failure = outcome.failure
    return outcome.model_copy(
        update={
            "trace": None if trace is None else _without_grading(trace),
            "failure": None if failure is None or failure.stage == "grade" else failure,
        }
    )


def _without_grading(trace: Trace) -> Trace:
    """The trace without the spans that grade and what lies below them."""
    hidden = {span.span_id for span in trace.spans if _grades(span)}
    if not hidden:
        return trace
    children: dict[str, list[str]] = {}
    for span in trace.spans:
        if span.parent_id is not None:
            children.setdefault(span.parent_id, []).append(span.span_id)
    left = list(hidden)
    while left:
        found = [child for child in children.get(left.pop(), ()) if child not in hidden]
        hidden.update(found)
        left.extend(found)
    return trace.model_copy(update={"spans": tuple(span for span in trace.spans if span.span_id not in hidden)})


def _grades(span: Span) -> bool:
    if span.operation == EVALUATING or span.name.startswith(EVALUATION):
        return True
    return span.attributes.get(SPAN_KIND) == EVALUATOR or any(name.startswith(EVALUATION) for name in span.attributes)
