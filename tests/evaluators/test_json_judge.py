"""`json_judge`: the judge classifies keys, the arithmetic is done in code."""

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from aloi.core.case import Case
from aloi.core.evaluator import EvaluationContext
from aloi.core.outcome import Outcome
from aloi.core.score import Score, Verdict
from aloi.evaluators.json_judge import ASKED, NO_EXTRA, JsonJudge
from tests.evaluators.grading import evaluated
from tests.model_server.fill import fill
from tests.scripted_model import Said, ScriptedModel

POINTS = {"same": 1, "similar": 0.5, "wrong": 0, "missing": 0}


def classes(*keys: str, extra: tuple[bool, ...] = ()) -> dict[str, Any]:
    """A usable reply with these classes."""
    reply: dict[str, Any] = {
        "reasoning": "r",
        "keys": {f"key_{n}": {"reason": f"reason {n}", "verdict": one} for n, one in enumerate(keys, 1)},
    }
    return {**reply, "extra_keys": {f"extra_{n}": one for n, one in enumerate(extra, 1)}} if extra else reply


async def judged(script: list[Said], expected: JsonValue, output: JsonValue) -> tuple[Score, ScriptedModel]:
    """The score of an output, and the model that was asked."""
    model = ScriptedModel(script)
    case = Case(input="Q?", expected_output=expected)
    return await evaluated(JsonJudge(), EvaluationContext(case, Outcome(output=output), model, 1, lambda: "M4")), model


async def test_the_judge_sees_numbered_keys_and_the_answer() -> None:
    reply = classes("same", "similar", extra=(True,))
    score, model = await judged([reply], {"ville": "Orléans", "n": {"a": 1}}, {"n": 2, "x\n2": 0, "ville": "Orléans"})
    assert model.seen == (
        "<<<PROMPT M4\nQ?\nM4 PROMPT>>>\n\n"
        '<<<EXPECTED_KEYS M4\n{"number": 1, "key": "ville", "value": "Orléans"}\n'
        '{"number": 2, "key": "n", "value": {"a": 1}}\nM4 EXPECTED_KEYS>>>\n\n'
        '<<<FURTHER_KEYS M4\n{"number": 1, "key": "x\\n2"}\nM4 FURTHER_KEYS>>>\n\n'
        '<<<ANSWER M4\n{"n": 2, "x\\n2": 0, "ville": "Orléans"}\nM4 ANSWER>>>'
    )
    assert (score.value, score.verdict, score.threshold) == (0.7, Verdict.FAIL, 0.9)
    assert score.explanation == 'r\n"n" is similar: reason 2\nextra: ["x\\n2"]'
    assert score.details == {
        "keys": {
            "ville": {"reason": "reason 1", "verdict": "same"},
            "n": {"reason": "reason 2", "verdict": "similar"},
        },
        "extra_keys": ["x\n2"],
        "extra": 1,
    }


@pytest.mark.parametrize(
    ("keys", "extra", "value", "verdict"),
    [
        (["same"], [], 1.0, Verdict.PASS),
        (["same"], [True], 0.9, Verdict.PASS),
        (["same"], [False], 1.0, Verdict.PASS),
        (["same"] * 3, [True] * 3, 0.9, Verdict.PASS),
        (["same"] * 3, [True] * 4, 26 / 30, Verdict.FAIL),
        (["similar"] * 2 + ["same"] * 8, [], 0.9, Verdict.PASS),
        (["same", "similar", "wrong", "missing"], [], 0.375, Verdict.FAIL),
        (["wrong"], [True], 0.0, Verdict.FAIL),
        (["similar"], [True] * 9, 0.0, Verdict.FAIL),
    ],
)
async def test_the_arithmetic(keys: list[str], extra: list[bool], value: float, verdict: Verdict) -> None:
    expected: JsonValue = {f"k{n}": n for n in range(len(keys))}
    output: JsonValue = {**expected, **{f"x{n}": n for n in range(len(extra))}}
    score, _ = await judged([classes(*keys, extra=tuple(extra))], expected, output)
    assert (score.value, score.verdict) == (value, verdict)


@given(st.lists(st.sampled_from([*POINTS]), min_size=1, max_size=12), st.lists(st.booleans(), max_size=12))
async def test_the_value_is_that_of_the_formula(keys: list[str], extra: list[bool]) -> None:
    expected: JsonValue = {f"k{n}": n for n in range(len(keys))}
    output: JsonValue = {f"x{n}": n for n in range(len(extra))}
    score, _ = await judged([classes(*keys, extra=tuple(extra))], expected, output)
    formula = sum(POINTS[key] for key in keys) / len(keys) - 0.1 / len(keys) * sum(extra)
    assert score.value == pytest.approx(min(1, max(0, formula)))


@pytest.mark.parametrize("output", ['{"a": 1, "x": 2}', '```json\n{"a": 1, "x": 2}\n```'])
async def test_text_that_holds_an_object_has_further_keys(output: str) -> None:
    score, _ = await judged([classes("same", extra=(True,))], {"a": 1}, output)
    assert score.value == 0.9


@pytest.mark.parametrize("output", ["a is 1", "[1]", "3", "[" * 100_000, [1], 7, True])
async def test_any_other_output_has_none(output: JsonValue) -> None:
    score, model = await judged([classes("missing")], {"a": 1}, output)
    assert f"\n{NO_EXTRA}\n" in model.seen
    assert (score.value, score.verdict) == (0.0, Verdict.FAIL)


async def test_a_flood_of_keys_is_extra_without_asking() -> None:
    output: JsonValue = {"a": 1, **{f"x{n}" + "y" * 500: n for n in range(ASKED + 3)}}
    score, model = await judged([classes("same", extra=(False,) * ASKED)], {"a": 1}, output)
    schema: Any = model.requests[0].output_schema
    assert len(schema["properties"]["extra_keys"]["properties"]) == ASKED
    assert score.value == 0.7
    assert len(score.explanation) < 1000


async def test_a_huge_key_hides_no_other_key() -> None:
    output: JsonValue = {"a": 1, "y" * 1_000_000: 1, "z": 1}
    _, model = await judged([classes("same", extra=(True, True))], {"a": 1}, output)
    assert '"key": "z"}\nM4 FURTHER_KEYS>>>\n' in model.seen


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (classes("same", extra=(True,)), "keys: key_2 is missing"),
        (classes("same", "same", "same", extra=(True,)), "keys: 'key_3' is not asked for"),
        (classes("same", "same"), "extra_keys: extra_1 is missing"),
        (classes("same", "same", extra=(True, True)), "extra_keys: 'extra_2' is not asked for"),
        (classes("same", "Same", extra=(True,)), "keys.key_2.verdict: Input should be 'same'"),
        (classes("same", "extra", extra=(True,)), "keys.key_2.verdict"),
        ({**classes("same", "same"), "extra_keys": {"extra_1": "true"}}, "extra_keys.extra_1"),
        ({**classes("same", "same", extra=(True,)), "score": 1}, "score: score is not known here"),
    ],
)
async def test_keys_must_be_classified_once_each(bad: Said, fault: str) -> None:
    expected: JsonValue = {"a": 1, "b": 2}
    output: JsonValue = {"a": 1, "b": 2, "c": 3}
    mended, _ = await judged([bad, bad, classes("same", "same", extra=(False,))], expected, output)
    assert mended.verdict is Verdict.PASS
    spoilt, _ = await judged([bad, bad, bad], expected, output)
    assert spoilt.verdict is Verdict.ERROR
    assert fault in spoilt.explanation


@pytest.mark.parametrize("extra", [0, 2])
async def test_the_schema_holds_each_key_once(extra: int) -> None:
    output: JsonValue = {f"x{n}": n for n in range(extra)}
    good = classes("same", "wrong", extra=(True,) * extra)
    _, model = await judged([good], {"a": 1, "b": 2}, output)
    schema = model.requests[0].output_schema
    assert schema is not None
    jsonschema.validate(good, schema)
    for bad in (classes("same", extra=(True,) * extra), classes("same", "wrong", extra=(True,) * (extra + 1))):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, schema)
    score, _ = await judged([fill(schema, True, 1)], {"a": 1, "b": 2}, output)
    assert score.value == 1 - extra / 20


@pytest.mark.parametrize("expected", [None, {}, [], [1], "text", '{"a": 1}', 3])
def test_it_needs_an_expected_object_with_keys(expected: JsonValue) -> None:
    lacking = JsonJudge().missing(Case(input="x", expected_output=expected))
    assert lacking == "an expected_output that is a JSON object with at least one key"


def test_it_applies_to_an_object() -> None:
    assert JsonJudge().missing(Case(input="x", expected_output={"a": None})) is None
    assert JsonJudge.judges
