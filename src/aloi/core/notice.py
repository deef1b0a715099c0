"""What a schedule tells people: a drop beyond chance, more errors, nothing decided, a run that failed."""

from enum import StrEnum
from typing import NamedTuple

from pydantic import AwareDatetime

from aloi.core.comparison import SIGNIFICANT, Comparison
from aloi.core.listing import PageOut
from aloi.core.run import Run, RunStatus
from aloi.core.spec import Value
from aloi.core.summary import Summary
from aloi.core.wording import count, percent

# Errors are told of when at least one result in twenty more than before is one.
RISE = 1 / 20
CANCELLED = "cancelled"
# A p-value below it would read 0.000.
SMALLEST_SHOWN = 0.0005


class NoticeKind(StrEnum):
    """What is told."""

    REGRESSION = "regression"
    ERRORS = "errors"
    NOTHING_DECIDED = "nothing_decided"
    FAILED = "failed"


class DeliveryStatus(StrEnum):
    """Where a notice stands on its way to the workspace's webhook; `none`: there was no webhook when it was made."""

    NONE = "none"
    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class Delivery(Value):
    """How far a notice got on its way to the webhook. `next_at`: when it is tried again; `reason`: the last refusal."""

    status: DeliveryStatus = DeliveryStatus.NONE
    attempts: int = 0
    next_at: AwareDatetime | None = None
    reason: str | None = None
    delivered_at: AwareDatetime | None = None


class Notice(Value):
    """What was told of one firing of a schedule; it stays when the schedule or the run is deleted.

    `run_id` is null where no run was started. `read`: whether the reader marked it as read.
    """

    id: str
    kind: NoticeKind
    text: str
    at: AwareDatetime
    schedule_id: str
    schedule_name: str
    run_id: str | None
    read: bool = False
    delivery: Delivery = Delivery()


class NoticesOut(PageOut[Notice]):
    """A part of the notices; `unread` counts all those that the reader has not marked as read."""

    unread: int


class News(NamedTuple):
    """One thing to tell."""

    kind: NoticeKind
    text: str


def news_of(run: Run, before: Summary | None, compared: Comparison | None) -> list[News]:
    """What to tell of a scheduled run that is finished.

    Args:
        before: the summary of the schedule's previous completed run; null for the first.
        compared: that run (A) against this one (B); null for the first.

    Returns:
        Of a run that failed, or was stopped by anything but a person: that alone. Of a completed one: that nothing was
        decided; or a regression, and that errors rose.
    """
    if run.status is not RunStatus.COMPLETED:
        stopped = run.status is RunStatus.CANCELLED and run.reason == CANCELLED
        ending = "failed" if run.status is RunStatus.FAILED else "was stopped"
        return [] if stopped else [News(NoticeKind.FAILED, f"The run {ending}: {run.reason or 'no reason is known'}")]
    summary = run.summary
    if summary is None or not summary.decided:
        errors = f": all its {count(summary.errors, 'result')} are errors" if summary and summary.errors else ""
        return [News(NoticeKind.NOTHING_DECIDED, f"The run decided nothing{errors}.")]
    told = [_regression(before, summary, compared), _more_errors(before, summary)]
    return [news for news in told if news is not None]


def _regression(before: Summary | None, after: Summary, compared: Comparison | None) -> News | None:
    """The pass rate dropped beyond what chance allows: McNemar's paired test over cases, mid-p below 0.05.

    With several trials more cases may get worse while more trials pass; only a drop in both is one.
    """
    if before is None or compared is None:
        return None
    figures = compared.figures
    dropped = (figures.difference or 0) < 0 and figures.cases_worse > figures.cases_better
    if not dropped or figures.test.mid_p >= SIGNIFICANT:
        return None
    rates = f"from {_rate(before)} to {_rate(after)}"
    text = (
        f"The pass rate dropped {rates}, beyond what chance explains: {count(figures.cases_worse, 'case')} got worse "
        f"and {figures.cases_better} better than in the run before ({_mid_p(figures.test.mid_p)})."
    )
    return News(NoticeKind.REGRESSION, text)


def _more_errors(before: Summary | None, after: Summary) -> News | None:
    """More errors than before, and of all results at least one in twenty more. A first run had none before it."""
    earlier = before.errors if before is not None else 0
    share = before.errors / before.total if before is not None and before.total else 0.0
    # Whole errors, so that one of twenty is one in twenty whatever its float.
    if after.errors <= earlier or after.errors - share * after.total < RISE * after.total - 1e-9:
        return None
    was = f", after {earlier} of {before.total} in the run before" if before is not None else ""
    return News(NoticeKind.ERRORS, f"{after.errors} of {count(after.total, 'result')} are errors{was}.")


def _mid_p(p: float) -> str:
    """With three decimals; one that would read 0 is below 0.001."""
    return "mid-p below 0.001" if p < SMALLEST_SHOWN else f"mid-p {p:.3f}"


def _rate(summary: Summary) -> str:
    return "nothing decided" if summary.rate is None else percent(summary.rate)
