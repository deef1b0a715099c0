"""An agent that runs elsewhere: how it sends, what came of its traces, and how those become cases."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from tests.e2e.browser.audit import accessibility_faults, settle
from tests.e2e.browser.making import Making
from tests.e2e.browser.site import Site, serve_site
from tests.e2e.browser.visit import Visits
from tests.e2e.command import until
from tests.otlp_requests import agent, document, new_trace, tool

SERVICE = "travel-agent"
TRACES = 25


@pytest.fixture(scope="module")
def site(web: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that makes executions of traces soon."""
    assert web.is_dir()
    with serve_site(tmp_path_factory.mktemp("site") / "home", ALOI_TRACE_IDLE_SECONDS="0.2") as site:
        yield site


@pytest.fixture(scope="module")
def target(browser: Browser, site: Site, owner: StorageState) -> Iterator[str]:
    """Traces of an agent that answers questions by their number; the id of its target."""
    context = browser.new_context(storage_state=owner)
    making = Making(context, site)
    spans = [
        one
        for number in range(TRACES)
        for trace_id in [new_trace()]
        for one in (agent(trace_id, f"Question {number}?", f"Answer {number}."), tool(trace_id, 1, "search"))
    ]
    making.post("/v1/traces", document(*spans, service=SERVICE))
    until(lambda: making.get("/api/executions")["total"] >= TRACES)
    yield making.get("/api/executions")["items"][0]["target_id"]
    context.close()


def add_chosen(page: Page) -> None:
    """Choose all on the page by the keyboard, and add them to the dataset that is chosen already."""
    box = page.get_by_role("checkbox", name="Choose all on this page")
    box.focus()
    page.keyboard.press("Space")
    bar = page.get_by_role("region", name="For the chosen executions")
    expect(bar.get_by_role("status")).to_have_text("20 chosen")
    bar.get_by_role("button", name="Add to dataset as drafts").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("combobox", name="Dataset")).to_have_value("Travel questions")
    dialog.get_by_role("button", name="Add as drafts").click()
    expect(dialog).to_have_count(0)
    expect(bar).to_have_count(0)


def test_chosen_executions_become_drafts_that_are_reviewed(
    visits: Visits, owner: StorageState, site: Site, web: Path, target: str
) -> None:
    visitor = visits.visitor(owner)
    page = visitor.page
    making = Making(visitor.context, site)
    dataset = making.dataset("Travel questions", [], target_id=target)
    making.dataset("Newer, of no target", [])
    visitor.go(f"/agents/{target}/executions")
    add_chosen(page)
    expect(page.get_by_text("20 drafts are added to “Travel questions”.")).to_be_visible()
    page.get_by_role("button", name="Review the drafts").click()
    expect(page).to_have_url(f"{site.url}/datasets/{dataset}?status=draft")
    expect(page.get_by_text("20 in all")).to_be_visible()
    assert accessibility_faults(page, web) == []
    page.get_by_role("checkbox", name="Choose all on this page").click()
    page.get_by_role("button", name="Mark ready").click()
    expect(page.get_by_text("20 cases are ready.")).to_be_visible()
    cases = making.get(f"/api/eval/datasets/{dataset}/cases?status=ready")
    assert cases["total"] == len(cases["items"]) == 20
    assert {case["source"]["kind"] for case in cases["items"]} == {"execution"}
    visitor.go(f"/agents/{target}/executions")
    add_chosen(page)
    expect(page.get_by_text("20 were there already.")).to_be_visible()
    visitor.go(f"/agents/{target}/executions?page=2")
    expect(page.get_by_role("checkbox")).to_have_count(TRACES - 20 + 1)


def test_filters_stand_in_the_address(visits: Visits, owner: StorageState, target: str) -> None:
    visitor = visits.visitor(owner)
    page = visitor.page
    visitor.go(f"/executions?target={target}&source=production&status=ok&q=Question+24")
    expect(page.get_by_role("combobox", name="Target")).to_have_value(SERVICE)
    expect(page.get_by_text("1 in all")).to_be_visible()
    page.get_by_role("combobox", name="Time").click()
    page.get_by_role("option", name="From … until …").click()
    page.get_by_label("Until").fill("2020-01-01T00:00")
    expect(page.get_by_text("Nothing matches.")).to_be_visible()
    assert "until=2019-12-31T23%3A00%3A00.000Z" in page.url
    page.reload()
    expect(page.get_by_label("Until")).to_have_value("2020-01-01T00:00")


def test_a_target_that_runs_elsewhere_says_how_it_sends(
    visits: Visits, owner: StorageState, site: Site, web: Path
) -> None:
    visitor = visits.visitor(owner)
    page = visitor.page
    visitor.go("/agents/new?kind=remote")
    page.get_by_label("Name").fill("new agent")
    page.get_by_role("button", name="Create").click()
    variables = page.get_by_role("region", name="Variables of the exporter")
    expect(variables).to_contain_text("OTEL_SERVICE_NAME='new agent'")
    expect(variables).to_contain_text(f"OTEL_EXPORTER_OTLP_ENDPOINT={site.url}")
    expect(page.get_by_text("none yet")).to_be_visible()
    views = page.get_by_role("navigation", name="Views of the target")
    expect(views.get_by_role("link")).to_have_text(["Overview", "Executions", "Evaluations"])
    page.get_by_role("button", name="New evaluation").hover()
    expect(page.get_by_role("tooltip")).to_contain_text("cannot be run from here")
    settle(page)
    assert accessibility_faults(page, web) == []
    views.get_by_role("link", name="Executions").click()
    expect(variables).to_contain_text("OTEL_SERVICE_NAME='new agent'")


def test_owners_say_how_long_executions_are_kept(visits: Visits, owner: StorageState, site: Site, web: Path) -> None:
    visitor = visits.visitor(owner)
    page = visitor.page
    visitor.go("/settings/retention")
    expect(page.get_by_text("Dropped traces")).to_be_visible()
    page.get_by_role("textbox", name="Days").fill("90")
    page.get_by_role("button", name="Save").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("cannot be brought back")
    dialog.get_by_role("button", name="Delete what is beyond").click()
    expect(page.get_by_text("How long executions are kept is changed.")).to_be_visible()
    assert Making(visitor.context, site).get("/api/workspace/retention") == {"days": 90, "megabytes": None}
    page.get_by_role("textbox", name="Days").fill("")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("How long executions are kept is changed.").nth(1)).to_be_visible()
    assert Making(visitor.context, site).get("/api/workspace/retention") == {"days": None, "megabytes": None}
    assert accessibility_faults(page, web) == []
