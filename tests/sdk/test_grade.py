"""Scoring one output with one evaluator."""

from pathlib import Path
from typing import Any

import pytest

import aloi
from aloi.core.errors import InvalidInput
from aloi.core.score import Verdict
from aloi.core.trace import ToolCall
from tests.model_server import ModelServerProcess

CALLS = [{"tool": "search", "args": {"q": "Paris"}, "output": "a city"}]


def test_a_deterministic_evaluator(aloi_home: Path) -> None:
    score = aloi.grade({"kind": "contains", "text": "Paris"}, output="Paris is in France.")
    assert (score.verdict, score.value, score.evaluator) == (Verdict.PASS, 1.0, "contains")
    score = aloi.grade({"kind": "contains", "text": "Paris"}, output="Rome")
    assert score.verdict is Verdict.FAIL
    assert "Rome" in score.explanation
    assert not aloi_home.exists()  # nothing is stored


def test_what_the_case_expects() -> None:
    score = aloi.grade({"kind": "exact_match"}, output={"a": 1.0}, case={"prompt": "x", "expected_output": {"a": 1}})
    assert score.verdict is Verdict.PASS
    assert aloi.grade({"kind": "exact_match"}, output="4", case={"expected_output": "4"}).verdict is Verdict.PASS
    with pytest.raises(InvalidInput, match="needs expected_output"):
        aloi.grade({"kind": "exact_match"}, output="4")


@pytest.mark.parametrize(
    ("calls", "verdict"),
    [
        (CALLS, Verdict.PASS),
        ([ToolCall(tool="search", args={"q": "Paris", "n": 3})], Verdict.PASS),
        ([{"tool": "search"}], Verdict.FAIL),
        ([], Verdict.FAIL),
        (None, Verdict.ERROR),
    ],
)
def test_tool_calls_none_made_and_none_known(calls: Any, verdict: Verdict) -> None:
    spec: dict[str, Any] = {"kind": "tool_call_args", "calls": [{"tool": "search", "args": {"q": "Paris"}}]}
    score = aloi.grade(spec, output="", tool_calls=calls)
    assert score.verdict is verdict
    if verdict is Verdict.ERROR:
        assert score.value is None
        assert score.failure is not None and score.failure.type == "missing_evidence"


def test_that_no_tool_was_to_be_called() -> None:
    spec: dict[str, Any] = {"kind": "tool_call_order", "tools": []}
    assert aloi.grade(spec, output="", tool_calls=[]).verdict is Verdict.PASS
    assert aloi.grade(spec, output="", tool_calls=CALLS).verdict is Verdict.FAIL


def test_latency() -> None:
    assert aloi.grade({"kind": "latency", "max": 1}, output="", latency=0.5).verdict is Verdict.PASS
    assert aloi.grade({"kind": "latency", "max": 1}, output="", latency=1.5).verdict is Verdict.FAIL


@pytest.mark.parametrize(
    ("model", "verdict"),
    [
        ("judge-pass", Verdict.PASS),
        ("judge-fail", Verdict.FAIL),
        ("judge-score:0.4", Verdict.FAIL),
        ("raw:{}", Verdict.ERROR),
    ],
)
def test_a_judge(model_server_process: ModelServerProcess, model: str, verdict: Verdict) -> None:
    judge = {"model": f"openai:{model}", "base_url": model_server_process.url}
    score = aloi.grade({"kind": "llm_judge", "rubric": "It is kind."}, output="Dear friend", judge=judge)
    assert score.verdict is verdict


def test_the_judge_of_the_environment(
    model_server_process: ModelServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALOI_JUDGE_MODEL", "openai:judge-pass")
    monkeypatch.setenv("ALOI_BASE_URL", model_server_process.url)
    case = {"prompt": "Hello", "expected_behavior": "It greets."}
    assert aloi.grade({"kind": "behavior_judge"}, output="Hi", case=case).verdict is Verdict.PASS


async def test_inside_a_running_loop() -> None:
    assert aloi.grade({"kind": "contains", "text": "a"}, output="a").verdict is Verdict.PASS


async def test_a_sampled_judge_inside_a_running_loop(model_server_process: ModelServerProcess) -> None:
    judge = {"model": "openai:judge-alternate", "base_url": model_server_process.url, "samples": 3}
    score = aloi.grade({"kind": "llm_judge", "rubric": "r"}, output="a", judge=judge)
    assert score.disagreed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"spec": {"kind": "contanis"}}, "no kind 'contanis'"),
        ({"spec": {"kind": "contains", "txet": "a"}}, "txet"),
        ({"spec": {"text": "a"}}, "names its kind"),
        ({"spec": "contains"}, "the evaluator 'contains' does not fit"),
        ({"output": {1, 2}}, "output"),
        ({"output": object()}, "output"),
        ({"tool_calls": [{"name": "a"}]}, r"tool_calls\.0"),
        ({"case": {"promt": "x"}}, r"case\.promt"),
        ({"judge": "gpt"}, "the judge does not fit"),
    ],
)
def test_what_cannot_be_used_is_named(arguments: dict[str, Any], said: str) -> None:
    given: dict[str, Any] = {"spec": {"kind": "contains", "text": "a"}, "output": "a", **arguments}
    with pytest.raises(InvalidInput, match=said):
        aloi.grade(given.pop("spec"), **given)


@pytest.mark.parametrize("output", [None, "", "\0", "é😀", "x" * 10_000_000, [], {}, 0, False])
def test_odd_outputs_are_graded(output: Any) -> None:
    assert aloi.grade({"kind": "contains", "text": "Paris"}, output=output).verdict is Verdict.FAIL
