"""Script in names, prompts and answers is shown as the text that it is, on the screens and in the HTML report."""

from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import Page, StorageState, expect

from tests.e2e.browser.audit import settle
from tests.e2e.browser.making import RUNS, Making
from tests.e2e.browser.site import Site
from tests.e2e.browser.visit import Visits
from tests.e2e.command import until
from tests.model_server import ModelServerProcess

# Each would open a dialog, which fails a test, or leave an element of this id.
PLANTED = "planted"
SCRIPT = f"<script id={PLANTED}>alert(1)</script>"
IMAGE = f'"><img id={PLANTED} src=x onerror=alert(2)>'
MARKDOWN = f"[a link](javascript:alert(3)) <b id={PLANTED}>bold</b> ${{alert(4)}} {{{{alert(5)}}}}"
NAME, PROMPT, EXPECTED, TAG = f"Name {SCRIPT}", f"Prompt {IMAGE} {MARKDOWN}", f"Expected {SCRIPT}", f"Tag {IMAGE}"
# What is to be read there.
SCREENS: Mapping[str, tuple[str, ...]] = {
    "/datasets": (NAME,),
    "/datasets/{dataset}": (NAME, PROMPT, EXPECTED, TAG),
    "/datasets/{dataset}/evaluators": (NAME,),
    "/evaluators": (NAME,),
    "/evaluators/{evaluator}": (NAME,),
    "/runs": (NAME,),
    "/runs/{run}": (NAME, PROMPT),
    "/runs/{run}/results/{case}": (NAME, PROMPT, EXPECTED),
    "/compare?a={run}&b={again}": (NAME,),
    "/agents": (NAME,),
    "/agents/{agent}": (NAME,),
    "/agents/{agent}/versions/1": (NAME, PROMPT),
    "/executions": (NAME, PROMPT),
    "/executions/{execution}": (NAME, PROMPT),
    "/settings/api-keys": (NAME,),
}


def make(making: Making, models: str) -> Mapping[str, str]:
    """Plant it wherever somebody may type; the model says what it is asked, so that it is in the answers too."""
    agent = making.agent(NAME, models, instructions=PROMPT)
    spec = {"kind": "contains", "text": PROMPT}
    evaluator = making.post("/api/eval/evaluators", {"name": NAME, "description": PROMPT, "spec": spec})["id"]
    case = {
        "name": NAME,
        "prompt": PROMPT,
        "expected_behavior": EXPECTED,
        "expected_output": EXPECTED,
        "tags": [TAG],
        "evaluators": [{"name": NAME, **spec}],
    }
    dataset = making.dataset(NAME, [case], description=PROMPT)
    runs = [making.run(agent, dataset, judge={"model": "openai:judge-fail", "base_url": models}) for _ in range(2)]
    for run in runs:
        until(lambda run=run: making.get(f"{RUNS}/{run}")["status"] == "completed")
    execution = making.post(f"/api/targets/{agent}/invoke", {"input": PROMPT})["id"]
    making.post("/api/auth/api-keys", {"name": NAME, "role": "viewer"})
    return {
        "agent": agent,
        "evaluator": evaluator,
        "dataset": dataset,
        "run": runs[0],
        "again": runs[1],
        "case": making.get(f"{RUNS}/{runs[0]}/results")["items"][0]["case_id"],
        "execution": execution,
    }


def assert_harmless(page: Page, texts: tuple[str, ...]) -> None:
    """The texts are there to be read, and nothing has come of them; a dialog fails the test at its end."""
    settle(page)
    for text in texts:
        expect(page.get_by_text(text).first).to_be_attached()
    expect(page.locator(f"#{PLANTED}")).to_have_count(0)
    expect(page.locator("a[href^='javascript:']")).to_have_count(0)


def test_script_is_only_text(
    visits: Visits, owner: StorageState, site: Site, models: ModelServerProcess, tmp_path: Path
) -> None:
    visitor = visits.visitor(owner)
    page = visitor.page
    ids = make(Making(visitor.context, site), models.url)
    for path, texts in SCREENS.items():
        visitor.go(path.format(**ids))
        assert_harmless(page, texts)
    # What opens on them.
    visitor.go(f"/runs/{ids['run']}")
    page.get_by_role("region", name="Results").get_by_role("button", expanded=False).first.click()
    assert_harmless(page, (PROMPT,))
    visitor.go(f"/runs/{ids['run']}/results/{ids['case']}")
    page.get_by_role("list", name="Spans of the trace").get_by_role("button", name="echo").click()
    assert_harmless(page, (PROMPT,))
    visitor.go(f"/compare?a={ids['run']}&b={ids['again']}")
    page.get_by_role("button", name="Unchanged").click()
    page.get_by_role("button", name="fail fail").click()
    assert_harmless(page, (PROMPT,))
    visitor.go(f"/datasets/{ids['dataset']}?case={ids['case']}")
    expect(page.get_by_label("Prompt")).to_have_value(PROMPT)
    assert_harmless(page, (NAME,))
    # The report is opened as who got it by mail would open it: as a file.
    report = visitor.context.request.get(f"{site.url}{RUNS}/{ids['run']}/export?format=html")
    file = tmp_path / "report.html"
    file.write_bytes(report.body())
    visitor.watch.excused.append("another host: file:")
    page.goto(file.as_uri())
    assert_harmless(page, (NAME, PROMPT))
