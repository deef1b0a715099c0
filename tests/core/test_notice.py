"""What a finished run tells, from its figures and those of the run before."""

import pytest

from aloi.core.comparison import Comparison, compare
from aloi.core.notice import news_of
from aloi.core.result import ResultRow
from aloi.core.run import Run, RunSpec, RunStatus
from aloi.core.summary import Summary, Tally
from tests.core.made import ERROR, FAIL, PASS, row
from tests.store.samples import NOW, new_id

LETTERS = {"p": PASS, "f": FAIL, "e": ERROR}


def rows(letters: str, trial: int = 0) -> list[ResultRow]:
    """A case for each letter: `p` passes, `f` fails, `e` is an error."""
    return [row(LETTERS[letter], str(place), trial) for place, letter in enumerate(letters)]


def summary(given: list[ResultRow], trials: int = 1) -> Summary:
    tally = Tally()
    for one in given:
        tally.add(one)
    return tally.summary(trials)


def run(given: Summary | None, status: RunStatus = RunStatus.COMPLETED, reason: str | None = None) -> Run:
    return Run(
        id=new_id(),
        spec=RunSpec(target_version_id=new_id(), revision_id=new_id()),
        target_name="bot",
        target_version=1,
        dataset_id=new_id(),
        dataset_name="data",
        status=status,
        reason=reason,
        summary=given,
        created_at=NOW,
    )


def kinds(before: str | None, after: str) -> list[str]:
    """What a run tells whose cases came out so, after one whose cases came out so."""
    found = news_of(run(summary(rows(after))), *compared(before, after))
    assert all(news.text.endswith(".") for news in found)
    return [news.kind for news in found]


def compared(before: str | None, after: str) -> tuple[Summary | None, Comparison | None]:
    if before is None:
        return None, None
    return summary(rows(before)), compare("a", "b", rows(before), rows(after))


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (None, "pppp", []),
        (None, "ffff", []),
        ("p" * 10, "p" * 6 + "f" * 4, []),
        ("p" * 10, "p" * 5 + "f" * 5, ["regression"]),
        ("p" * 5 + "f" * 5, "p" * 10, []),
        ("p" * 9 + "f", "f" * 5 + "p" * 5, []),
        ("p" * 20, "p" * 19 + "e", ["errors"]),
        ("p" * 21, "p" * 20 + "e", []),
        (None, "p" * 19 + "e", ["errors"]),
        ("p" * 19 + "e", "p" * 19 + "e", []),
        ("p" * 19 + "e", "p" * 18 + "ee", ["errors"]),
        ("e" * 10 + "p" * 10, "p" * 19 + "e", []),
        ("p" * 20, "f" * 5 + "p" * 14 + "e", ["regression", "errors"]),
        ("p" * 3, "eee", ["nothing_decided"]),
        ("eee", "eee", ["nothing_decided"]),
        ("eee", "ppp", []),
        (None, "", ["nothing_decided"]),
        ("ppp", "", ["nothing_decided"]),
    ],
)
def test_what_is_told(before: str | None, after: str, told: list[str]) -> None:
    assert kinds(before, after) == told


def test_more_errors_are_a_share_of_all_results() -> None:
    """Twice as many cases may have twice as many errors."""
    assert kinds("e" + "p" * 9, "ee" + "p" * 18) == []
    assert kinds("e" + "p" * 9, "eee" + "p" * 17) == ["errors"]


def test_with_several_trials_cases_and_trials_must_both_drop() -> None:
    """Five cases get a little better and one collapses: more trials fail, yet more cases are better."""
    before = [row(PASS if trial < 5 else FAIL, str(case), trial) for case in range(5) for trial in range(10)]
    before += [row(PASS, "5", trial) for trial in range(10)]
    after = [row(PASS if trial < 6 else FAIL, str(case), trial) for case in range(5) for trial in range(10)]
    after += [row(FAIL, "5", trial) for trial in range(10)]
    comparison = compare("a", "b", before, after)
    assert comparison.figures.difference is not None and comparison.figures.difference < 0
    assert news_of(run(summary(after, 10)), summary(before, 10), comparison) == []


def test_the_words() -> None:
    [news] = news_of(run(summary(rows("f" * 6 + "p" * 4))), *compared("p" * 10, "f" * 6 + "p" * 4))
    assert news.text == (
        "The pass rate dropped from 100% to 40%, beyond what chance explains: 6 cases got worse and 0 better than in "
        "the run before (mid-p 0.016)."
    )


def test_a_tiny_p_is_not_told_as_zero() -> None:
    [news] = news_of(run(summary(rows("f" * 12))), *compared("p" * 12, "f" * 12))
    assert "(mid-p below 0.001)" in news.text


@pytest.mark.parametrize(
    ("status", "reason", "text"),
    [
        (RunStatus.FAILED, "no disk", "The run failed: no disk"),
        (RunStatus.FAILED, None, "The run failed: no reason is known"),
        (RunStatus.CANCELLED, "the budget of $1 is used up", "The run was stopped: the budget of $1 is used up"),
        (RunStatus.CANCELLED, "cancelled", None),
    ],
)
def test_a_run_that_did_not_come_to_its_end(status: RunStatus, reason: str | None, text: str | None) -> None:
    found = news_of(run(summary(rows("fff")), status, reason), *compared("ppp", "fff"))
    assert [(news.kind.value, news.text) for news in found] == ([] if text is None else [("failed", text)])
