"""Which evaluators apply to a case, the part an evaluator looks at, and the evidence it is given."""

from collections.abc import Mapping
from typing import Any, ClassVar

import pytest
from pydantic import JsonValue

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.evaluator import (
    EvaluationContext,
    Evaluator,
    Expectation,
    OutputEvaluator,
    PartMissing,
    applicable,
    bound,
    select_one,
)
from aloi.core.outcome import Outcome
from aloi.core.score import Score, Verdict, passed_if
from aloi.core.trace import Trace


class Plain(OutputEvaluator):
    """Passes on the part "yes"; needs an expected output when told to."""

    kind: ClassVar[str] = "plain"
    needs: bool = False
    text: str = ""

    def missing(self, case: Case) -> str | None:
        return "expected_output" if self.needs and case.expected_output is None else None

    def grade(self, output: JsonValue, ctx: EvaluationContext) -> Score:
        return passed_if(output == "yes", "looked")


class Behaviour(Evaluator):
    """Reads both expectations in words."""

    kind: ClassVar[str] = "behavior_judge"
    reads: ClassVar[frozenset[Expectation]] = frozenset({"expected_behavior", "assertions"})


class Path(Evaluator):
    """Reads one expectation in words, and needs it."""

    kind: ClassVar[str] = "path"
    reads: ClassVar[frozenset[Expectation]] = frozenset({"expected_behavior"})

    def missing(self, case: Case) -> str | None:
        return None if case.expected_behavior else "expected_behavior"


class Output(Evaluator):
    """Stands for the judge of outputs."""

    kind: ClassVar[str] = "output_judge"


KINDS: dict[str, type[Evaluator]] = {kind.kind: kind for kind in (Plain, Behaviour, Path, Output)}


def build(spec: Mapping[str, JsonValue]) -> Evaluator:
    fields = dict(spec)
    return KINDS[str(fields.pop("kind"))].model_validate(fields)


def applied(case: dict[str, Any], *bindings: dict[str, Any]) -> tuple[list[str], tuple[str, ...]]:
    found = applicable(
        Case.model_validate({"prompt": "x", **case}), bound(map(Binding.model_validate, bindings), build), build
    )
    return [item.name for item in found.applied], found.not_applicable


BEHAVIOUR: dict[str, Any] = {"expected_behavior": "is polite"}


@pytest.mark.parametrize(
    ("case", "bindings", "names", "absent"),
    [
        ({}, [{"kind": "plain"}], ["plain"], ()),
        ({}, [{"kind": "plain", "needs": True}], [], ("plain",)),
        ({"expected_output": 0}, [{"kind": "plain", "needs": True}], ["plain"], ()),
        ({"evaluators": [{"kind": "plain"}]}, [{"kind": "plain", "name": "p"}], ["p", "plain"], ()),
        (BEHAVIOUR, [], ["behavior_judge"], ()),
        ({"assertions": ["x"]}, [{"kind": "plain"}], ["plain", "behavior_judge"], ()),
        (BEHAVIOUR, [{"kind": "behavior_judge", "name": "b"}], ["b"], ()),
        (BEHAVIOUR, [{"kind": "behavior_judge", "name": "b", "weight": 0}], ["b", "behavior_judge"], ()),
        ({"expected_output": "x"}, [], ["output_judge"], ()),
        ({"expected_output": "x"}, [{"kind": "plain"}], ["plain"], ()),
        ({"expected_output": "x"}, [{"kind": "plain", "weight": 0}], ["plain", "output_judge"], ()),
        ({"expected_output": "x", **BEHAVIOUR}, [], ["behavior_judge"], ()),
        ({"expected_behavior": " "}, [], [], ()),
        ({"expected_behavior": " ", "expected_output": "x"}, [], ["output_judge"], ()),
        ({"expected_output": None}, [], [], ()),
        (BEHAVIOUR, [{"kind": "path"}], ["path"], ()),
        (BEHAVIOUR, [{"kind": "path", "weight": 0}], ["path", "behavior_judge"], ()),
        # What is read covers only what it names: the assertions are left for the judge.
        ({**BEHAVIOUR, "assertions": ["x"]}, [{"kind": "path"}], ["path", "behavior_judge"], ()),
        ({"assertions": ["x"]}, [{"kind": "path"}], ["behavior_judge"], ("path",)),
        ({**BEHAVIOUR, "evaluators": [{"kind": "path"}]}, [], ["path"], ()),
        ({"expected_output": "x"}, [{"kind": "path"}], ["output_judge"], ("path",)),
        ({"expected_output": "x", "evaluators": [{"kind": "plain"}]}, [], ["plain"], ()),
        ({"expected_output": "x", "evaluators": [{"kind": "plain", "weight": 0}]}, [], ["plain", "output_judge"], ()),
        ({}, [{"kind": "plain", "weight": 0}], ["plain"], ()),
        ({}, [{"kind": "plain", "name": "b"}, {"kind": "plain", "name": "a"}], ["b", "a"], ()),
        ({}, [], [], ()),
    ],
)
def test_which_apply(case: dict[str, Any], bindings: list[Any], names: list[str], absent: tuple[str, ...]) -> None:
    assert applied(case, *bindings) == (names, absent)


def test_criteria_replace_values_for_one_case() -> None:
    bindings = bound([Binding.model_validate({"kind": "plain", "name": "p", "text": "a"})], build)
    case = Case.model_validate({"prompt": "x", "criteria": {"p": {"text": "b"}}})
    (item,) = applicable(case, bindings, build).applied
    assert item.evaluator == Plain(text="b")
    (usual,) = applicable(Case.model_validate({"prompt": "x"}), bindings, build).applied
    assert usual.evaluator is bindings[0].evaluator


def test_criteria_can_make_an_evaluator_apply_or_not() -> None:
    needy, free = {"kind": "plain", "needs": True}, {"kind": "plain", "needs": False}
    assert applied({"criteria": {"plain": {"needs": False}}}, needy) == (["plain"], ())
    assert applied({"criteria": {"plain": {"needs": True}}}, free) == ([], ("plain",))


def test_bound_evaluators_are_built_once() -> None:
    built: list[str] = []

    def counting(spec: Mapping[str, JsonValue]) -> Evaluator:
        built.append(str(spec["kind"]))
        return build(spec)

    bindings = bound([Binding.model_validate({"kind": "plain", "weight": 0.5})], counting)
    for text in "ab":
        (item,) = applicable(Case.model_validate({"prompt": text}), bindings, counting).applied
        assert (item.name, item.weight) == ("plain", 0.5)
    assert built == ["plain"]


def test_implied_judges_decide() -> None:
    for case in (BEHAVIOUR, {"expected_output": "x"}):
        (item,) = applicable(Case.model_validate({"prompt": "x", **case}), (), build).applied
        assert item.weight == 1.0


def test_what_cannot_apply_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput, match="gone"):
        applied({"criteria": {"gone": {}}}, {"kind": "plain"})
    with pytest.raises(InvalidInput, match="'plain' needs expected_output"):
        applied({"evaluators": [{"kind": "plain", "needs": True}]})


def ctx(output: JsonValue, trace: Trace | None = None) -> EvaluationContext:
    return EvaluationContext(case=Case(input="x"), outcome=Outcome(output=output, trace=trace))


@pytest.mark.parametrize(
    ("path", "output", "verdict"),
    [
        (None, "yes", Verdict.PASS),
        ("$.a", {"a": "yes"}, Verdict.PASS),
        ("$.a", '{"a": "yes"}', Verdict.PASS),
        ("$.a", {"a": "no"}, Verdict.FAIL),
        ("$.a", {}, Verdict.FAIL),
        ("$.a", "not JSON", Verdict.FAIL),
    ],
)
def test_the_part_is_graded_and_its_absence_fails(path: str | None, output: JsonValue, verdict: Verdict) -> None:
    score = Plain(target_path=path).evaluate(ctx(output))
    assert isinstance(score, Score) and score.verdict is verdict


def test_select_one() -> None:
    assert select_one("$.a", {"a": None}) is None
    with pytest.raises(PartMissing, match="selects nothing"):
        select_one("$.b", {"a": None})
    with pytest.raises(StageFailure, match="2 parts") as failure:
        select_one("$[*]", [1, 2])
    assert not isinstance(failure.value, PartMissing)


def test_a_path_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="RFC 9535"):
        Plain(target_path="a.b")


@pytest.mark.parametrize("trace", [None, Trace(trace_id="t", shows_tools=False)])
def test_without_evidence_there_is_no_path(trace: Trace | None) -> None:
    with pytest.raises(StageFailure) as failure:
        _ = ctx("x", trace).trajectory
    assert (failure.value.stage, failure.value.type) == ("grade", "missing_evidence")
    assert ctx("x", Trace(trace_id="t")).trajectory.tool_calls == ()


def test_every_boundary_is_new() -> None:
    context = ctx("x")
    assert context.boundary() != context.boundary()
