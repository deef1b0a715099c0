import io

from aloi.cli.case_view import call_line, reason, render_result, score_text
from aloi.cli.terminal import console
from aloi.core.case import Case
from aloi.core.outcome import Outcome
from aloi.core.result import CaseResult, case_result
from aloi.core.score import passed_if
from aloi.core.trace import ToolCall, trace_of_calls
from tests.cli.made import erring, failing, judged, passing

ASKED = Case(key="a", input="How much?", expected_output=42, assertions=("Says a number", "Is short"))


def text_of(result: CaseResult, case: Case = ASKED) -> str:
    file = io.StringIO()
    for part in render_result(result, case):
        console(width=80, file=file).print(part)
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def test_scores() -> None:
    assert [score_text(value) for value in (None, 0.0, 0.666)] == ["–", "0.00", "0.67"]


def test_the_reason() -> None:
    assert reason(passing("a")) == ""
    assert reason(failing("a")) == "contains: it is not there"
    assert reason(erring("a")) == "timeout: no answer within 5 s"
    scores = [passed_if(False, why).model_copy(update={"evaluator": why}) for why in ("one", "two")]
    assert reason(case_result("a", "a", 0, Outcome(output="x"), scores)) == "(+1 more) one: one"


def test_a_judged_result_shows_every_sample() -> None:
    text = text_of(judged("a", True, False, False))
    assert text.startswith("a  fail  score 0.33\n\nInput\n  How much?\n")
    assert "\n\nAnswer\n  an answer\n" in text
    assert "judge disagreed" in text
    assert "sample 1: pass 1.00  it reads so: True" in text
    assert "sample 3: fail 0.00" in text


def test_an_error_shows_what_happened() -> None:
    text = text_of(erring("a"))
    assert "No answer: timeout: no answer within 5 s" in text
    assert "Latency  5.0 s" in text


def test_tool_calls_are_shown_in_order() -> None:
    calls = (
        ToolCall(tool="search", args={"q": "é"}, output=["x"]),
        ToolCall(tool="pay", args={}, error="no card", provenance="static"),
    )
    outcome = Outcome(output={"a": 1}, trace=trace_of_calls("0" * 32, calls))
    text = text_of(case_result("a", "a", 0, outcome, [passed_if(True, "yes")]))
    assert '  search({"q": "é"}) → ["x"]\n  pay({}) → error: no card [static]' in text
    assert '  {"a": 1}' in text


def test_a_call_is_one_line() -> None:
    assert call_line(ToolCall(tool="t", args="x" * 500, output="a\nb")).count("\n") == 0


def test_a_long_answer_is_cut() -> None:
    outcome = Outcome(output="x" * 10_000)
    assert "(10,000 characters)" in text_of(case_result("a", "a", 0, outcome, [passed_if(True, "yes")]))


def test_what_was_asked_and_expected_stands_first() -> None:
    text = text_of(failing("a"))
    asked = text.index("Input\n  How much?\n\nExpected output\n  42\n\nAssertions\n  Says a number\n  Is short")
    assert asked < text.index("Answer")
    assert "Expected output" not in text_of(failing("a"), Case(input="x"))
