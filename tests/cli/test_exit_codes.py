import pytest

from aloi.cli.exit_codes import ruling_on, run_exit_code
from aloi.core.gate import Ruling
from aloi.core.result import CaseResult
from aloi.core.run import Run, RunStatus
from tests.cli.made import erring, failing, made_run, passing


def code(run: Run, threshold: float | None = None) -> int:
    return run_exit_code(run, ruling_on(run, threshold))


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ((passing("a"),), 0),
        ((passing("a"), failing("b")), 1),
        ((passing("a"), erring("b")), 1),
        ((erring("a"), erring("b")), 3),
        ((), 3),
    ],
)
def test_without_a_gate(results: tuple[CaseResult, ...], expected: int) -> None:
    assert code(made_run(*results)) == expected


@pytest.mark.parametrize(
    ("results", "threshold", "expected"),
    [
        ((passing("a"), failing("b")), 0.5, 0),
        ((passing("a"), failing("b")), 0.51, 1),
        ((passing("a"), erring("b")), 0.5, 0),
        ((passing("a"), erring("b")), 0.6, 1),
        ((erring("a"),), 0.1, 1),
        ((), 0.1, 1),
    ],
)
def test_with_a_gate(results: tuple[CaseResult, ...], threshold: float, expected: int) -> None:
    assert code(made_run(*results), threshold) == expected


def test_a_run_that_did_not_complete() -> None:
    cancelled = made_run(passing("a"), status=RunStatus.CANCELLED)
    assert code(cancelled) == 1
    assert code(cancelled, 0.1) == 1
    decision = ruling_on(cancelled, 0.1)
    assert decision is not None
    assert decision.ruling is Ruling.UNDECIDED
    assert code(made_run(passing("a"), status=RunStatus.FAILED), 0.1) == 3
