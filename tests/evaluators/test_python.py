"""`python`: functions of one's own, what they may take and return, and what goes wrong with them."""

from pathlib import Path
from typing import Any

import pytest

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.score import Verdict
from tests.evaluators.grading import calls, case, evaluator, grade

SOURCE = """
from aloi.core.score import passed_if

def by_context(ctx): return len(ctx.trajectory.tool_calls) == 1
def by_output(output, case): return output == case.expected_output
def by_all(output, case, ctx): return ctx.outcome.output == output and ctx.case is case
def by_context_with_options(ctx, strict=False): return not strict
async def waiting(output, case): return 0.25
def sleeping(output, case): return waiting(output, case)
def scored(ctx): return passed_if(True, "mine")
def explained(ctx): return {"value": 0.5, "explanation": "half"}
def silent(ctx): return {"value": True}
def loud(ctx): raise KeyError("gone")
def leaving(ctx): raise SystemExit(3)
async def leaving_later(ctx): raise SystemExit(3)
def stopping(ctx): raise StopIteration("x")
def too_much(ctx): return 1.5
def nothing(ctx): return None
def no_number(ctx): return float("nan")
def four(a, b, c, d): return True
class Rules:
    @staticmethod
    def polite(output, case): return "please" in output
number = 3
"""


@pytest.fixture
def checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A module of functions under a name that only this test uses."""
    name = f"checks_{abs(hash(request.node.nodeid))}"
    (tmp_path / f"{name}.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    return name


@pytest.mark.parametrize(
    ("function", "value", "explanation"),
    [
        ("by_context", 1, "returned True"),
        ("by_output", 1, "returned True"),
        ("by_all", 1, "returned True"),
        ("by_context_with_options", 1, "returned True"),
        ("waiting", 0.25, "returned 0.25"),
        ("sleeping", 0.25, "returned 0.25"),
        ("scored", 1, "mine"),
        ("explained", 0.5, "half"),
        ("silent", 1, "returned True"),
        ("Rules.polite", 0, "returned False"),
    ],
)
async def test_value(checks: str, function: str, value: float, explanation: str) -> None:
    spec = evaluator("python", function=f"{checks}:{function}")
    score = await grade(spec, "Paris", calls("f"), of=case(expected_output="Paris"))
    assert score.value == value
    assert explanation in score.explanation


@pytest.mark.parametrize(("threshold", "verdict"), [(0.5, Verdict.PASS), (0.6, Verdict.FAIL), (None, Verdict.FAIL)])
async def test_the_threshold_decides(checks: str, threshold: float | None, verdict: Verdict) -> None:
    options: dict[str, Any] = {} if threshold is None else {"threshold": threshold}
    assert (await grade(evaluator("python", function=f"{checks}:explained", **options))).verdict is verdict


@pytest.mark.parametrize(
    ("function", "type_", "says"),
    [
        ("loud", "exception", "raised KeyError: 'gone'"),
        ("leaving", "exception", "SystemExit: 3"),
        ("leaving_later", "exception", "SystemExit: 3"),
        ("stopping", "exception", "StopIteration: x"),
        ("too_much", "bad_reply", "returned 1.5"),
        ("nothing", "bad_reply", "returned None"),
        ("no_number", "bad_reply", "returned nan"),
        ("four", "bad_function", "requires 4 arguments"),
        ("gone", "not_found", "gone"),
        ("number", "not_found", "is no function"),
    ],
)
async def test_what_goes_wrong_is_an_error(checks: str, function: str, type_: str, says: str) -> None:
    with pytest.raises(StageFailure, match=says) as failure:
        await grade(evaluator("python", function=f"{checks}:{function}"))
    assert (failure.value.stage, failure.value.type) == ("grade", type_)


async def test_a_missing_module_is_an_error() -> None:
    with pytest.raises(StageFailure, match="no_such_module"):
        await grade(evaluator("python", function="no_such_module:f"))


@pytest.mark.parametrize("raised", ["RuntimeError('no key')", "SystemExit('no key')", "KeyError('no key')"])
async def test_a_module_that_raises_when_it_is_imported_is_an_error(checks: str, tmp_path: Path, raised: str) -> None:
    (tmp_path / f"{checks}.py").write_text(f"raise {raised}")
    with pytest.raises(StageFailure, match="no key") as failure:
        await grade(evaluator("python", function=f"{checks}:f"))
    assert (failure.value.stage, failure.value.type) == ("grade", "not_found")


@pytest.mark.parametrize("function", ["", "module", "module:", ":f", "a b:c", "os;x:f", "m:f\n"])
def test_other_names_are_refused(function: str) -> None:
    with pytest.raises(InvalidInput, match="function"):
        evaluator("python", function=function)


def test_it_says_that_it_runs_code() -> None:
    assert getattr(type(evaluator("python", function="m:f")), "runs_code", False) is True
