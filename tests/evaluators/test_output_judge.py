"""`output_judge`: the same meaning as the expected output."""

import pytest
from pydantic import JsonValue

from aloi.core.case import Case
from aloi.core.evaluator import EvaluationContext
from aloi.core.outcome import Outcome
from aloi.core.score import Verdict
from aloi.evaluators.output_judge import OutputJudge
from tests.evaluators.grading import evaluated
from tests.scripted_model import ScriptedModel


def context(model: ScriptedModel, expected: JsonValue, output: JsonValue) -> EvaluationContext:
    """A case that expects this; the boundary is `M4`."""
    return EvaluationContext(Case(input="Q?", expected_output=expected), Outcome(output=output), model, 1, lambda: "M4")


async def test_the_judge_sees_prompt_expected_output_and_answer() -> None:
    model = ScriptedModel([{"reasoning": "Même ville.", "score": 0.9}])
    score = await evaluated(OutputJudge(), context(model, "Orléans", "C'est Orléans."))
    assert (score.value, score.verdict, score.explanation) == (0.9, Verdict.PASS, "Même ville.")
    assert model.seen == (
        "<<<PROMPT M4\nQ?\nM4 PROMPT>>>\n\n"
        "<<<EXPECTED_OUTPUT M4\nOrléans\nM4 EXPECTED_OUTPUT>>>\n\n"
        "<<<ANSWER M4\nC'est Orléans.\nM4 ANSWER>>>"
    )


@pytest.mark.parametrize(("value", "verdict"), [(0.69, Verdict.FAIL), (0.7, Verdict.PASS)])
async def test_its_threshold_is_0_7(value: float, verdict: Verdict) -> None:
    score = await evaluated(OutputJudge(), context(ScriptedModel([{"reasoning": "r", "score": value}]), "a", "b"))
    assert (score.verdict, score.threshold) == (verdict, 0.7)


async def test_objects_are_shown_as_json_and_a_part_may_be_chosen() -> None:
    model = ScriptedModel([{"reasoning": "r", "score": 1}])
    await evaluated(OutputJudge(target_path="$.a"), context(model, {"é": None}, {"a": [1, "ü"], "b": 2}))
    assert '\n{"é": null}\n' in model.seen
    assert '\n[1, "ü"]\n' in model.seen


async def test_a_judge_that_never_answers_in_its_shape_is_an_error() -> None:
    model = ScriptedModel(['{"verdict":"pass","score":1}'] * 3)
    score = await evaluated(OutputJudge(), context(model, "a", "a"))
    assert (score.verdict, score.value, score.usage.calls) == (Verdict.ERROR, None, 3)


@pytest.mark.parametrize(
    ("expected", "lacking"), [(None, "expected_output"), ("", None), (0, None), (False, None), ("x", None)]
)
def test_it_needs_an_expected_output(expected: JsonValue, lacking: str | None) -> None:
    assert OutputJudge().missing(Case(input="x", expected_output=expected)) == lacking


def test_it_reads_no_expectation_in_words() -> None:
    assert OutputJudge.judges
    assert OutputJudge.reads == frozenset()
