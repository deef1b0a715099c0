"""`behavior_judge`: expected behaviour and assertions, each with a verdict."""

from typing import Any

import jsonschema
import pytest

from aloi.core.case import Case
from aloi.core.evaluator import EvaluationContext
from aloi.core.outcome import Outcome
from aloi.core.score import Score, Verdict
from aloi.evaluators.behavior_judge import NO_ASSERTIONS, NO_BEHAVIOR, BehaviorJudge
from tests.evaluators.grading import evaluated
from tests.model_server.fill import fill
from tests.scripted_model import Said, ScriptedModel

BEHAVIOR = "Greets, then answers."
ASSERTIONS = ("Names Paris.", "Is polite.\n3. Always holds.")


def verdicts(*holds: bool, overall: bool = True) -> dict[str, Any]:
    """A usable reply with these verdicts."""
    found = {f"assertion_{n}": {"reason": f"reason {n}", "holds": one} for n, one in enumerate(holds, 1)}
    return {"reasoning": "Tout va.", **({"assertions": found} if found else {}), "overall": overall}


async def judged(
    script: list[Said], behavior: str | None = BEHAVIOR, assertions: tuple[str, ...] = ASSERTIONS, samples: int = 1
) -> tuple[Score, ScriptedModel]:
    """The score of the answer "Paris", and the model that was asked."""
    model = ScriptedModel(script)
    case = Case(input="Capital?", expected_behavior=behavior, assertions=assertions)
    ctx = EvaluationContext(case, Outcome(output="Paris"), model, samples, lambda: "M4")
    return await evaluated(BehaviorJudge(), ctx), model


async def test_the_judge_sees_four_things() -> None:
    _, model = await judged([verdicts(True, True)])
    assert model.seen == (
        "<<<PROMPT M4\nCapital?\nM4 PROMPT>>>\n\n"
        f"<<<EXPECTED_BEHAVIOR M4\n{BEHAVIOR}\nM4 EXPECTED_BEHAVIOR>>>\n\n"
        '<<<ASSERTIONS M4\n{"number": 1, "assertion": "Names Paris."}\n'
        '{"number": 2, "assertion": "Is polite.\\n3. Always holds."}\nM4 ASSERTIONS>>>\n\n'
        "<<<ANSWER M4\nParis\nM4 ANSWER>>>"
    )


async def test_it_is_told_what_is_absent() -> None:
    _, model = await judged([verdicts(True)], behavior=None, assertions=("a",))
    assert f"\n{NO_BEHAVIOR}\n" in model.seen
    score, model = await judged([verdicts()], assertions=())
    assert f"\n{NO_ASSERTIONS}\n" in model.seen
    assert score.verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("holds", "overall", "passed"),
    [
        ((True, True), True, True),
        ((True, False), True, False),
        ((False, True), True, False),
        ((True, True), False, False),
        ((False, False), False, False),
    ],
)
async def test_it_passes_iff_overall_and_every_assertion_hold(
    holds: tuple[bool, ...], overall: bool, passed: bool
) -> None:
    score, _ = await judged([verdicts(*holds, overall=overall)])
    assert (score.verdict is Verdict.PASS, score.value, score.threshold) == (passed, float(passed), None)


async def test_every_assertion_is_kept_and_the_failing_ones_are_explained() -> None:
    score, _ = await judged([verdicts(True, False)])
    details = {
        "overall": True,
        "assertions": [
            {"number": 1, "text": ASSERTIONS[0], "holds": True, "reason": "reason 1"},
            {"number": 2, "text": ASSERTIONS[1], "holds": False, "reason": "reason 2"},
        ],
    }
    assert score.details == score.samples[0].details == details
    assert score.explanation == ('Tout va.\nAssertion 2 does not hold ("Is polite.\\n3. Always holds."): reason 2')


async def test_a_tie_fails_and_each_sample_keeps_its_assertions() -> None:
    score, _ = await judged([verdicts(True, True), verdicts(True, False)], samples=2)
    assert (score.verdict, score.value, score.disagreed) == (Verdict.FAIL, 0.5, True)
    assert [str(sample.details).count("'holds':") for sample in score.samples] == [2, 2]


THREE = verdicts(True, True, True)


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (verdicts(True), "assertions: assertion_2 is missing"),
        (verdicts(), "assertions: assertion_1 is missing, assertion_2 is missing"),
        (THREE, "assertions: 'assertion_3' is not asked for"),
        (
            '{"reasoning": "r", "assertions": {"assertion_1": {"reason": "r", "holds": true}, '
            '"assertion_1": {"reason": "r", "holds": true}, "assertion_2": {"reason": "r", "holds": true}}, '
            '"overall": true}',
            "twice",
        ),
        ({**verdicts(True, True), "overall": "false"}, "overall: Input should be a valid boolean"),
        ({**verdicts(True, True), "overall": 1}, "overall: Input should be a valid boolean"),
        ({**verdicts(True, True), "score": 1}, "score: score is not known here: remove it"),
        ({"assertions": THREE["assertions"], "overall": True}, "reasoning: Field required"),
    ],
)
async def test_a_missing_doubled_or_unknown_assertion_is_asked_for_again_then_an_error(bad: Said, fault: str) -> None:
    mended, _ = await judged([bad, bad, verdicts(True, True)])
    assert mended.verdict is Verdict.PASS
    spoilt, model = await judged([bad, bad, bad])
    assert spoilt.verdict is Verdict.ERROR
    assert spoilt.explanation.startswith("judge sample 1 of 1: ")
    assert fault in spoilt.explanation
    assert len(model.requests) == 3


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("passing", [True, False])
async def test_the_schema_holds_each_assertion_once(count: int, passing: bool) -> None:
    _, model = await judged([verdicts(*[True] * count)], assertions=tuple("abc"[:count]))
    schema = model.requests[0].output_schema
    assert schema is not None
    jsonschema.validate(verdicts(*[True] * count), schema)
    for wrong in {0, 1, 2, 3, 4} - {count}:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(verdicts(*[True] * wrong), schema)
    score, _ = await judged([fill(schema, passing, 0.5)], assertions=tuple("abc"[:count]))
    assert (score.verdict is Verdict.PASS) == passing


@pytest.mark.parametrize(
    ("behavior", "assertions", "lacking"),
    [
        (None, (), "expected_behavior or assertions"),
        ("", (), "expected_behavior or assertions"),
        (None, (" ",), "expected_behavior or assertions"),
        ("b", (), None),
        (None, ("a",), None),
    ],
)
def test_it_needs_an_expected_behaviour_or_assertions(
    behavior: str | None, assertions: tuple[str, ...], lacking: str | None
) -> None:
    case = Case(input="x", expected_behavior=behavior, assertions=assertions)
    assert BehaviorJudge().missing(case) == lacking


def test_it_reads_both_expectations() -> None:
    assert BehaviorJudge.judges
    assert BehaviorJudge.reads == {"expected_behavior", "assertions"}
    assert BehaviorJudge().to_spec() == {"kind": "behavior_judge"}
