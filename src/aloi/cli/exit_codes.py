"""What a finished run says to a script."""

from aloi.cli.faults import BROKEN, OK, REFUSED
from aloi.core.gate import Decision, Ruling, decide
from aloi.core.run import Run, RunStatus


def ruling_on(run: Run, threshold: float | None) -> Decision | None:
    """What the gate says of a run; null without a threshold. Only a completed run decides."""
    if threshold is None:
        return None
    if run.summary is None or run.status is not RunStatus.COMPLETED:
        return decide(0, 0, 0, threshold)
    return decide(run.summary.passed, run.summary.failed, run.summary.errors, threshold)


def run_exit_code(run: Run, decision: Decision | None) -> int:
    """0, 1 or 3.

    A run that failed is 3, one that was cancelled 1. With a gate: 0 if it allows, else 1, undecided included. Without:
    3 if nothing was decided, 1 if any case failed or errored, else 0.
    """
    if run.status is RunStatus.FAILED:
        return BROKEN
    if run.status is not RunStatus.COMPLETED:
        return REFUSED
    if decision is not None:
        return OK if decision.ruling is Ruling.ALLOW else REFUSED
    if run.summary is None or not run.summary.decided:
        return BROKEN
    return REFUSED if run.summary.failed or run.summary.errors else OK
