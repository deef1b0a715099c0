from aloi.cli.run_views import live_line, passed_text
from aloi.core.run import RunStatus
from tests.cli.made import RUN_ID, erring, failing, made_run, passing


def test_what_passed() -> None:
    assert passed_text(made_run()) == "–"
    assert passed_text(made_run(passing("a"), failing("b"))) == "1/2 50%"
    assert passed_text(made_run(passing("a"), erring("b"))) == "1/1 100% +1 err"
    assert passed_text(made_run(erring("b"))) == "0/0 +1 err"


def test_one_line_of_a_run() -> None:
    cancelled = made_run(passing("a"), status=RunStatus.CANCELLED, reason="cancelled")
    assert live_line(cancelled) == f"Run {RUN_ID} cancelled, 1/1 100% passed, 95% CI 21–100%"
    failed = made_run(status=RunStatus.FAILED, reason="no space left")
    assert live_line(failed) == f"Run {RUN_ID} failed (no space left)"
