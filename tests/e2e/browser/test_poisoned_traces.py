"""What production sends is data: no page that shows it runs anything of it, and no judge obeys it."""

import json
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.e2e.browser.audit import settle
from tests.e2e.browser.making import RUNS, Json, Making, judge
from tests.e2e.browser.poison import (
    ANSWER,
    ASKED,
    FORMULA,
    INJECTION,
    PLANTED,
    SCRIPT,
    SERVICE,
    TOOL,
    endless,
    many,
    nul,
    poisoned,
)
from tests.e2e.browser.site import Site, serve_site
from tests.e2e.browser.visit import Visitor, Visits
from tests.e2e.command import until
from tests.model_server import ModelServerProcess

EXECUTIONS = "/api/executions"
TRACES = "/v1/traces"


@pytest.fixture(scope="module")
def site(web: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that makes executions of traces soon."""
    assert web.is_dir()
    with serve_site(tmp_path_factory.mktemp("site") / "home", ALOI_TRACE_IDLE_SECONDS="0.2") as site:
        yield site


def received(making: Making, *requests: Json) -> list[str]:
    """Send traces; the ids of the executions that they became, in the order of sending."""
    ids: list[str] = []
    for request in requests:
        before = making.get(EXECUTIONS)["total"]
        making.post(TRACES, request)
        until(lambda before=before: making.get(EXECUTIONS)["total"] > before)
        ids.append(making.get(EXECUTIONS)["items"][0]["id"])
    return ids


def assert_harmless(page: Page, *texts: str) -> None:
    """The texts are there to be read, and nothing has come of them; what a script did fails the test at its end."""
    settle(page)
    for text in texts:
        expect(page.get_by_text(text).first).to_be_attached()
    expect(page.locator(f"#{PLANTED}")).to_have_count(0)
    expect(page.locator("a[href^='javascript:']")).to_have_count(0)
    expect(page.locator("img[src*='planted']")).to_have_count(0)


def open_all(page: Page, execution: str) -> None:
    """Open the tool calls and the spans of an execution."""
    page.get_by_text("Tool calls").first.wait_for()
    for summary in page.locator("details > summary").all():
        summary.click()
    spans = page.get_by_role("list", name="Spans of the trace")
    for button in spans.locator("button[id^='span-']").all():
        button.click()
    assert execution in page.url


def graded(making: Making, models: str, dataset: str) -> Mapping[str, str]:
    """Run the cases of a dataset on a target that answers what it is asked, before a judge; ids of what came of it."""
    agent = making.agent("Echo", models)
    run = making.run(agent, dataset, judge=judge(models))
    until(lambda: making.get(f"{RUNS}/{run}")["status"] == "completed")
    [result] = making.get(f"{RUNS}/{run}/results")["items"]
    return {"run": run, "case": result["case_id"]}


def judged(models: ModelServerProcess) -> str:
    """What the judge was asked."""
    with urllib.request.urlopen(f"{models.root}/stats", timeout=30) as reply:
        prompts = json.load(reply)["prompts"]
    [asked] = [prompt for prompt in prompts if prompt.startswith("<<<")]
    return asked


def assert_fenced(prompt: str) -> None:
    """Every datum stands between boundary lines, and no line of the data is one of them."""
    lines = prompt.splitlines()
    boundary = lines[0].rpartition(" ")[2]
    assert INJECTION.splitlines()[-1] in lines
    assert boundary not in f"{ASKED} {ANSWER}"
    opened = [
        line.split()[0].removeprefix("<<<") for line in lines if line.startswith("<<<") and line.endswith(boundary)
    ]
    closed = [line.split()[-1].removesuffix(">>>") for line in lines if line.startswith(boundary)]
    assert opened == closed
    assert len(opened) > 1
    assert "<|im_start|>" not in prompt


def test_nothing_of_a_trace_is_run(
    visits: Visits, owner: StorageState, site: Site, models: ModelServerProcess, tmp_path: Path
) -> None:
    visitor = visits.visitor(owner)
    page = visitor.page
    making = Making(visitor.context, site)
    [execution] = received(making, poisoned())
    target = making.get(f"{EXECUTIONS}/{execution}")["target_id"]
    screens: Mapping[str, tuple[str, ...]] = {
        "/executions": (ASKED[:60], SERVICE),
        f"/executions/{execution}": (SERVICE, TOOL),
        "/agents": (SERVICE,),
        f"/agents/{target}": (SERVICE,),
        f"/agents/{target}/executions": (ASKED[:60],),
    }
    for path, texts in screens.items():
        visitor.go(path)
        assert_harmless(page, *texts)
    visitor.go(f"/executions/{execution}")
    open_all(page, execution)
    assert_harmless(page, SCRIPT)
    dataset = add_by_hand(visitor, making)
    run = graded(making, models.url, dataset)
    for path in (f"/runs/{run['run']}", f"/runs/{run['run']}/results/{run['case']}"):
        visitor.go(path)
        assert_harmless(page, SERVICE)
    assert_fenced(judged(models))
    exported(visitor, making, dataset, run["run"], tmp_path)


def test_fifty_thousand_spans_are_shown_in_pages(visits: Visits, owner: StorageState, site: Site) -> None:
    visitor = visits.visitor(owner)
    page = visitor.page
    making = Making(visitor.context, site)
    before = making.get(EXECUTIONS)["total"]
    for request in many():
        making.post(TRACES, request)
    until(lambda: making.get(EXECUTIONS)["total"] > before)
    execution = making.get(EXECUTIONS)["items"][0]["id"]
    until(lambda: making.get(f"{EXECUTIONS}/{execution}")["outcome"]["trace"]["left_out"] > 0)
    visitor.go(f"/executions/{execution}")
    spans = page.get_by_role("list", name="Spans of the trace")
    expect(spans.get_by_role("listitem")).to_have_count(100)
    expect(page.get_by_text("50,000 spans")).to_be_visible()
    expect(page.get_by_text("more spans were received than are kept")).to_be_visible()
    page.get_by_role("button", name="broke deep down").click()
    expect(page.get_by_role("region", name="Error")).to_have_text("broke deep down")
    assert_harmless(page)


def add_by_hand(visitor: Visitor, making: Making) -> str:
    """Add the execution that is shown to a new dataset, after a look at the form; the dataset's id."""
    page = visitor.page
    page.get_by_role("button", name="Add to dataset").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name of the new dataset").fill(SERVICE)
    expect(dialog.get_by_label("Name of the case")).to_have_value("Trace " + page.url.rpartition("/")[2][:8])
    expect(dialog.get_by_role("textbox", name="Expected output")).to_have_value(ANSWER)
    dialog.get_by_label("Expected behaviour").fill(f"Says {SCRIPT}")
    assert_harmless(page)
    dialog.get_by_role("button", name="Save the case").click()
    expect(page.get_by_text(f"The case is saved in “{SERVICE}”.")).to_be_visible()
    assert_harmless(page)
    page.get_by_role("button", name="Open the dataset").click()
    expect(page.get_by_role("heading", level=1, name=SERVICE)).to_be_visible()
    assert_harmless(page, ASKED[:60])
    page.get_by_role("link", name="Trace").click()
    expect(page.get_by_label("Expected behaviour")).to_have_value(f"Says {SCRIPT}")
    assert_harmless(page)
    [dataset] = making.get("/api/eval/datasets")["items"]
    return dataset["id"]


def exported(visitor: Visitor, making: Making, dataset: str, run: str, folder: Path) -> None:
    """What is exported of it is data too: no formula in a spreadsheet, no script in the report."""

    def of(path: str) -> bytes:
        response = visitor.context.request.get(visitor.site.url + path)
        assert response.ok
        return response.body()

    results = of(f"{RUNS}/{run}/export?format=csv").decode()
    assert f",{FORMULA[:5]}" not in results
    assert f'"{FORMULA[:5]}' not in results
    [case] = json.loads(of(f"/api/eval/datasets/{dataset}/export?format=json"))
    assert case["expected_output"] == ANSWER
    report = folder / "report.html"
    report.write_bytes(of(f"{RUNS}/{run}/export?format=html"))
    visitor.watch.excused.append("another host: file:")
    visitor.page.goto(report.as_uri())
    assert_harmless(visitor.page, SERVICE)
    assert making.get(f"{RUNS}/{run}")["status"] == "completed"


def test_texts_without_end_leave_the_page_in_use(visits: Visits, owner: StorageState, site: Site) -> None:
    visitor = visits.visitor(owner)
    page = visitor.page
    making = Making(visitor.context, site)
    for execution in received(making, endless(), nul()):
        visitor.go("/executions")
        expect(page.get_by_role("table").get_by_role("row").nth(1)).to_be_visible()
        visitor.go(f"/executions/{execution}")
        expect(page.get_by_role("list", name="Spans of the trace")).to_be_attached()
        if page.get_by_text("Tool calls").count():
            open_all(page, execution)
        assert_harmless(page)
        page.get_by_role("button", name="Add to dataset").click()
        expect(page.get_by_role("dialog").get_by_label("Name of the case")).to_have_value(f"Trace {execution[:8]}")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        assert page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
