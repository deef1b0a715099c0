"""A suite of 300 cases on a workflow of 12 steps, run for real: every number on the page is that of the rows.

What the page must show is reckoned from the results alone (`reckoning`).
"""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, StorageState, expect

from tests.e2e.browser.making import RUNS, Making
from tests.e2e.browser.reckoning import Expected, every_result, percent, reckoned, tokens
from tests.e2e.browser.site import Site
from tests.e2e.browser.visit import Visits
from tests.model_server import ModelServerProcess

Json = dict[str, Any]
CASES = 300
SAMPLES = 3
# The run takes its time on a loaded machine; the page must then show it at once.
RUN_MS = 240_000
STEPS = (
    "classify", "route", "sum", "polite", "words", "each", "joined", "summary", "signed", "checked", "facts", "final",
)  # fmt: skip


def workflow(endpoint: str) -> Json:
    """Twelve steps of seven kinds; the model is the test server's, which echoes."""
    model = {"model": "openai:echo", "base_url": endpoint}
    steps: list[Json] = [
        {"name": "classify", "kind": "prompt", **model, "prompt": "{{ input.kind }}"},
        {"name": "route", "kind": "branch", "otherwise": "other",
         "ways": [{"name": "sum", "if": [{"path": "$.steps.classify", "equals": "sum"}]}]},
        {"name": "sum", "kind": "tool", "when": {"route": "sum"}, "tool": "calculator",
         "arguments": {"expression": "{{ input.text }}"}},
        {"name": "polite", "kind": "prompt", "when": {"route": "other"}, **model, "prompt": "Dear {{ input.text }}"},
        {"name": "words", "kind": "transform", "value": ["a", "b", "{{ input.text }}"]},
        {"name": "each", "kind": "map", "items": "{{ steps.words }}", "output": "{{ steps.loud }}",
         "steps": [{"name": "loud", "kind": "transform", "template": "{{ item | upcase }}"}]},
        {"name": "joined", "kind": "transform", "template": "{{ steps.each | join: '-' }}"},
        {"name": "summary", "kind": "prompt", **model, "prompt": "Summary of {{ steps.joined }}"},
        {"name": "signed", "kind": "transform", "template": "{{ steps.summary }} by Aloi"},
        {"name": "checked", "kind": "transform", "path": "$.steps.each[2]"},
        {"name": "facts", "kind": "transform",
         "value": {"kind": "{{ steps.classify }}", "loud": "{{ steps.checked }}"}},
        {"name": "final", "kind": "transform", "value": {
            "answer": "{{ steps.sum | default: steps.polite }}", "signed": "{{ steps.signed }}",
            "facts": "{{ steps.facts }}"}},
    ]  # fmt: skip
    return {"kind": "workflow", "steps": steps}


def case(number: int) -> Json:
    """Case by case another evaluator; every tenth cannot be done, some fail, some are judged."""
    text = "1/0" if number % 10 == 9 else f"{number}+1"
    plain: Json = {
        "key": f"case-{number}",
        "input": {"kind": "sum" if number % 10 in (0, 1, 9) else "other", "text": text},
    }
    right = number % 7 != 3
    match number % 10:
        case 0 | 1 | 9:
            wanted = number + 1 if right else -1
            return {**plain, "evaluators": [{"kind": "json_path", "path": "$.answer", "equals": str(wanted)}]}
        case 2 | 3:
            return {**plain, "evaluators": [{"kind": "contains", "text": "by Aloi" if right else "by nobody"}]}
        case 4:
            part = {"target_path": "$.answer", "expected": f"Dear {text}" if right else "Dear me"}
            return {**plain, "evaluators": [{"kind": "exact_match", **part}]}
        case _:
            return {**plain, "evaluators": [{"kind": "llm_judge", "rubric": f"It is right ({number}).", "weight": 2}]}


def shown(page: Page, name: str) -> str:
    """A figure of the run's headline, by its name, with what stands below it."""
    figures = page.get_by_role("region", name="Result of the run").locator("xpath=..")
    return figures.locator(f"dt:text-is('{name}') + dd").inner_text()


def finished(visits: Visits, owner: StorageState, site: Site, models: ModelServerProcess) -> tuple[Making, Page, str]:
    """The run when it is over, on its page."""
    visitor = visits.visitor(owner)
    making = Making(visitor.context, site)
    made = making.post("/api/workflows", {"name": "Support flow", "definition": workflow(models.url)})
    cases = [case(number) for number in range(CASES)]
    off = {"key": "off", "prompt": "never runs", "enabled": False, "evaluators": [{"kind": "contains", "text": "x"}]}
    dataset = making.post("/api/eval/datasets", {"name": "Suite", "target_id": made["id"], "judge_samples": SAMPLES})[
        "id"
    ]
    text = json.dumps([*cases, off]).encode()
    file: FilePayload = {"name": "cases.json", "mimeType": "application/json", "buffer": text}
    making.upload(f"/api/eval/datasets/{dataset}/import", file)
    judge = {"model": "openai:judge-alternate", "base_url": models.url}
    run = making.run(made["id"], dataset, judge=judge, concurrency=30)
    page = visitor.go(f"/runs/{run}")
    expect(page.get_by_role("button", name="Run again")).to_be_visible(timeout=RUN_MS)
    return making, page, run


def test_every_number_on_the_page_is_that_of_the_rows_and_every_step_is_seen(
    visits: Visits, owner: StorageState, site: Site, models: ModelServerProcess
) -> None:
    making, page, run = finished(visits, owner, site, models)
    results = every_result(making, run)
    check_headline(page, results)
    wanted = reckoned(results)
    summary: Json = making.get(f"{RUNS}/{run}")["summary"]
    assert summary["interval"] == pytest.approx([wanted.low, wanted.high], abs=1e-12)
    check_usage(making, wanted)
    check_steps(page, results)


def check_headline(page: Page, results: list[Json]) -> None:
    """What the page says of the run as a whole."""
    assert len(results) == CASES  # the case that is switched off has no part
    wanted = reckoned(results)
    assert (wanted.errors, wanted.judged) == (CASES // 10, CASES * 4 // 10)
    assert wanted.passed + wanted.failed + wanted.errors == CASES
    assert wanted.disagreed > 0

    headline = page.get_by_role("region", name="Result of the run")
    decided = wanted.passed + wanted.failed
    rate = f"{wanted.passed}/{decided} passed (95% CI {percent(wanted.low)}–{percent(wanted.high)}%)"
    expect(headline).to_contain_text(f"{rate} incl. judge noise" if wanted.noisy else rate)
    expect(headline).to_contain_text(f"{percent(wanted.passed / decided)}%")
    assert shown(page, "Errors").startswith(f"{wanted.errors}\n{wanted.errors} × ")
    assert shown(page, "Judge disagreed").startswith(f"{wanted.disagreed}\nof {wanted.judged} judged results")
    assert float(shown(page, "Mean score").split()[0]) == pytest.approx(wanted.mean_score, abs=0.006)
    assert f"{wanted.target_tokens:,} tokens in {wanted.target_calls:,} calls" in shown(page, "Cost of the target")
    assert f"{wanted.judge_tokens:,} tokens in {wanted.judge_calls:,} calls" in shown(page, "Cost of the judge")
    latency = re.match(r"([\d.]+) (ms|sec|s)\b", shown(page, "Mean latency"))
    assert latency is not None
    seconds = float(latency[1]) / (1000 if latency[2] == "ms" else 1)
    assert seconds == pytest.approx(wanted.latency, abs=0.06)
    assert wanted.judge_calls == wanted.judged * SAMPLES


def check_usage(making: Making, wanted: Expected) -> None:
    """What the judge used is counted apart from what the target used."""
    used: Json = making.get("/api/eval/usage")
    assert (used["target"]["calls"], used["judge"]["calls"]) == (wanted.target_calls, wanted.judge_calls)
    assert (tokens(used["target"]), tokens(used["judge"])) == (wanted.target_tokens, wanted.judge_tokens)


def check_steps(page: Page, results: list[Json]) -> None:
    """From a case one opens what each step produced."""
    one = next(result for result in results if result["case_key"] == "case-0")
    page.goto(f"{page.url}/results/{one['case_id']}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    for name in STEPS:
        expect(page.get_by_text(name, exact=True).first).to_be_attached()
    spans = {span["attributes"].get("aloi.step.name"): span for span in one["outcome"]["trace"]["spans"]}
    assert set(STEPS) <= spans.keys()
    assert spans["sum"]["attributes"]["aloi.step.output"] is not None
    assert spans["polite"]["attributes"]["aloi.step.skipped"] is True
