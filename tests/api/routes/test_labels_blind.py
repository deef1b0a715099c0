"""What a person sees who labels without being led: nothing of what any evaluator found."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aloi.core.outcome import Failure, Outcome
from aloi.core.result import CaseResult
from aloi.core.score import JudgeSample, Score, Verdict
from aloi.core.spec import JsonObject
from aloi.core.trace import Span, Trace
from aloi.core.usage import Usage
from aloi.store import results
from aloi.store.results import GradedRow, InvokedRow
from tests.api.calls import Caller, RunningServer
from tests.api.made_runs import finished_run
from tests.model_server import ModelServer
from tests.store.samples import NOW, a_run, new_id

RUNS = "/api/eval/runs"
MARK = "LEAKED"
# Some texts are made of this alphabet, so that they are valid everywhere and never in anything else.
MARKS = st.text("QXZ", min_size=8, max_size=12).map(lambda text: f"{MARK}{text}")
SHARES = st.sampled_from([0.123456789, 0.234567891, 0.987654321])
SECRETS = (MARK, "0.123456789", "0.234567891", "0.987654321")
# What an answer without any evaluator's word has no key for.
TELLING = {"scores", "score", "samples", "explanation", "disagreed", "reasoning", "not_applicable", "judge_usage"}


@pytest.fixture
async def run(server: RunningServer, editor: Caller, model_server: ModelServer) -> str:
    """A finished run of a case that fails."""
    cases = [{"key": "a/b", "name": "Slash", "prompt": "nothing here"}]
    return (await finished_run(editor, server, model_server, cases=cases))["id"]


def keys_of(value: Any) -> Iterator[str]:
    """Every key of every object in a JSON value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner)


class TestBlind:
    async def test_the_case_the_answer_and_the_trace_are_there(self, viewer: Caller, run: str) -> None:
        seen = (await viewer.get(f"{RUNS}/{run}/results/a%2Fb", blind=1)).body
        everything = (await viewer.get(f"{RUNS}/{run}/results/a%2Fb")).body
        assert set(seen) == {"case_id", "case_key", "trial", "case", "outcome", "criteria", "label"}
        assert seen["case"] == everything["case"]
        own = {name: value for name, value in seen["outcome"].items() if name != "trace"}
        assert own == {name: value for name, value in everything["result"]["outcome"].items() if name != "trace"}
        ids = {span["span_id"] for span in everything["trace"]["spans"]}
        assert {span["span_id"] for span in seen["outcome"]["trace"]["spans"]} < ids
        assert seen["outcome"]["output"] == "nothing here"
        assert seen["outcome"]["trace"]["spans"]

    async def test_a_case_that_is_not_there(self, viewer: Caller, run: str) -> None:
        assert (await viewer.get(f"{RUNS}/{run}/results/none", blind=1)).status == 404

    async def test_no_judgement_is_in_the_answer_to_a_label(self, server: RunningServer, editor: Caller) -> None:
        run = await stored(server, a_judgement())
        answer = await editor.put(f"{RUNS}/{run}/results/a/label?blind=1", {"verdict": "pass"})
        assert answer.status == 200
        assert not any(secret in json.dumps(answer.body) for secret in SECRETS)


def a_judgement() -> CaseResult:
    """A result whose judge says a word that is looked for."""
    sample = JudgeSample(value=0.123456789, passed=False, reasoning=MARK)
    score = Score(evaluator="j", kind="llm_judge", value=0.123456789, verdict=Verdict.FAIL, explanation=MARK)
    return CaseResult(
        case_id="",
        case_key="a",
        verdict=Verdict.FAIL,
        score=0.123456789,
        outcome=Outcome(output="yes"),
        scores=(score.model_copy(update={"samples": (sample, sample)}),),
    )


@st.composite
def graded(draw: st.DrawFn) -> CaseResult:
    """Any result with words and numbers planted in every field that an evaluator fills."""
    failures = st.none() | st.builds(Failure, stage=st.just("grade"), type=MARKS, message=MARKS)
    details = st.none() | MARKS | st.dictionaries(MARKS, MARKS, max_size=2)
    usages = st.builds(Usage, calls=st.just(3), cost=SHARES)
    objects = st.dictionaries(MARKS, MARKS, max_size=2)
    samples = st.builds(JudgeSample, value=SHARES, passed=st.booleans(), reasoning=MARKS, details=objects)
    scores = st.builds(
        Score,
        evaluator=MARKS,
        kind=st.just("llm_judge"),
        value=st.none() | SHARES,
        verdict=st.sampled_from(Verdict),
        explanation=MARKS,
        threshold=st.none() | SHARES,
        details=details,
        samples=st.lists(samples, max_size=3).map(tuple),
        disagreed=st.booleans(),
        failure=failures,
        usage=usages,
        seconds=SHARES,
    )
    return CaseResult(
        case_id="",
        case_key="a",
        verdict=draw(st.sampled_from(Verdict)),
        score=draw(st.none() | SHARES),
        outcome=Outcome(output="yes", trace=draw(traces())),
        scores=tuple(draw(st.lists(scores, min_size=1, max_size=3))),
        not_applicable=tuple(draw(st.lists(MARKS, max_size=2))),
        failure=draw(failures),
    )


@st.composite
def traces(draw: st.DrawFn) -> Trace | None:
    """A target's trace, in which some other program may report how it graded."""
    grading: list[JsonObject] = [
        {"gen_ai.operation.name": "evaluate", "said": draw(MARKS)},
        {"openinference.span.kind": "EVALUATOR", "output.value": draw(MARKS)},
        {"gen_ai.evaluation.explanation": draw(MARKS), "gen_ai.evaluation.score.value": draw(SHARES)},
    ]
    own = [Span(span_id="0", name="invoke_agent", start_ns=0, end_ns=9)]
    for number, attributes in enumerate(draw(st.lists(st.sampled_from(grading), max_size=3)), 1):
        own.append(
            Span(span_id=f"{number}", parent_id="0", name=draw(MARKS), start_ns=1, end_ns=2, attributes=attributes)
        )
        own.append(
            Span(span_id=f"{number}b", parent_id=f"{number}", name="chat", start_ns=1, end_ns=2, error=draw(MARKS))
        )
    return draw(st.sampled_from([None, Trace(trace_id="t", spans=tuple(own))]))


async def stored(server: RunningServer, result: CaseResult) -> str:
    """A run that has this result of its first case."""
    made = await a_run(server.context.database)
    placed = result.model_copy(update={"case_id": made.cases[0].id})
    execution = InvokedRow(0, 0, new_id(), made.version.id, NOW, placed.outcome)
    async with server.context.database.transaction() as tx:
        await results.write(tx, made.run.id, [execution], [GradedRow(0, 0, execution.execution_id, placed)])
    return made.run.id


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(result=graded())
async def test_no_word_of_any_evaluator_is_in_a_blind_answer(
    server: RunningServer, viewer: Caller, result: CaseResult
) -> None:
    run = await stored(server, result)
    whole = await viewer.get(f"{RUNS}/{run}/results/a")
    assert MARK in json.dumps(whole.body)
    for path in ("results/a?blind=1", "labelling", "labelling?unlabelled=true"):
        answer = await viewer.get(f"{RUNS}/{run}/{path}")
        assert answer.status == 200, answer.body
        text = json.dumps(answer.body)
        assert [secret for secret in SECRETS if secret in text] == []
        assert not TELLING & set(keys_of(answer.body))
        assert not any(MARK in value for value in answer.headers.values())
