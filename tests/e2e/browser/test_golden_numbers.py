"""Runs whose numbers are known: on the page, in the API, and reckoned from the rows, they are the same."""

from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import StorageState, expect

from tests.e2e.browser.making import RUNS, Making, containing, judge
from tests.e2e.browser.reckoning import every_result, reckoned
from tests.e2e.browser.site import Site
from tests.e2e.browser.visit import Visits
from tests.model_server import ModelServerProcess

Json = dict[str, Any]
RUBRIC = [{"kind": "llm_judge", "rubric": "It is kind."}]


def exact(passed: int, failed: int = 0) -> list[Json]:
    """Cases that no judge grades, for an agent that repeats what it is told."""
    texts = ["good"] * passed + ["bad"] * failed
    return [{"prompt": f"{text} {n}", "evaluators": containing("good")} for n, text in enumerate(texts)]


def judged(number: int) -> list[Json]:
    """Cases that a judge grades."""
    return [{"prompt": f"judged {n}", "evaluators": RUBRIC} for n in range(number)]


def broken(number: int) -> list[Json]:
    """Cases that end in an error: no evaluator can read the answer."""
    path = [{"kind": "json_similarity", "expected": {"a": 1}, "target_path": "$..*"}]
    return [{"prompt": f'{{"a": {n}, "b": 2}}', "evaluators": path} for n in range(number)]


@pytest.mark.parametrize(
    ("cases", "model", "samples", "words"),
    [
        (exact(3), "judge-pass", 1, "3/3 passed (95% CI 44–100%)"),
        (exact(8, 2), "judge-pass", 1, "8/10 passed (95% CI 49–94%)"),
        # Samples that agree say exactly what one sample says.
        (judged(3), "judge-pass", 5, "3/3 passed (95% CI 44–100%)"),
        (judged(3), "judge-fail", 3, "0/3 passed (95% CI 0–56%)"),
        # One of two samples passes: a tie fails, and the interval is wider than the 0-56 % of judges that agree.
        (judged(3), "judge-alternate", 2, "0/3 passed (95% CI 0–71%) incl. judge noise"),
        ([*exact(2, 1), *judged(3)], "judge-alternate", 2, "2/6 passed (95% CI 4–76%) incl. judge noise"),
        ([*exact(3), *broken(2)], "judge-pass", 1, "3/3 passed (95% CI 44–100%)"),
    ],
    ids=["exact", "mixed verdicts", "unanimous", "unanimous fails", "ties", "mixed suite", "errors"],
)
def test_known_numbers(
    visits: Visits,
    owner: StorageState,
    site: Site,
    models: ModelServerProcess,
    request: pytest.FixtureRequest,
    cases: Sequence[Json],
    model: str,
    samples: int,
    words: str,
) -> None:
    visitor = visits.visitor(owner)
    making = Making(visitor.context, site)
    name = request.node.callspec.id
    dataset = making.dataset(name, cases, judge_samples=samples)
    run = making.run(making.agent(name, models.url), dataset, judge=judge(models.url, model), concurrency=1)
    page = visitor.go(f"/runs/{run}")
    expect(page.get_by_role("button", name="Run again")).to_be_visible()
    headline = page.get_by_role("region", name="Result of the run")
    expect(headline).to_contain_text(words)
    if "noise" not in words:
        expect(headline).not_to_contain_text("judge noise")

    summary: Json = making.get(f"{RUNS}/{run}")["summary"]
    wanted = reckoned(every_result(making, run))
    assert (summary["passed"], summary["failed"], summary["errors"]) == (wanted.passed, wanted.failed, wanted.errors)
    assert summary["interval"] == pytest.approx([wanted.low, wanted.high], abs=1e-12)
    assert summary["judge_noise"] is wanted.noisy
    assert wanted.errors == len([case for case in cases if case["prompt"].startswith("{")])
