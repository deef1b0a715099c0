"""A run that goes on, as it is seen: cancelled, followed without the event stream, and by who may only read."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, StorageState, expect

from tests.e2e.browser.making import RUNS, Making, containing, judge
from tests.e2e.browser.site import Site
from tests.e2e.browser.visit import Visits
from tests.model_server import ModelServerProcess

QUICK = 3
STUCK = 5
# A cancel takes a second; a loaded machine may make more of it, but what it stops would last for ever.
CANCEL_MS = 10_000


def start_stuck_run(making: Making, models: ModelServerProcess, name: str) -> str:
    """A run of which some cases end at once and the others never, for their judge does not answer; its id."""
    agent = making.agent(name, models.url)
    quick = [{"prompt": f"case {n}", "evaluators": containing("case")} for n in range(QUICK)]
    stuck = [{"prompt": f"stuck {n}", "expected_behavior": "It answers."} for n in range(STUCK)]
    dataset = making.dataset(name, [*quick, *stuck])
    return making.run(agent, dataset, judge=judge(models.url, "hang"), concurrency=QUICK + STUCK)


def progress(page: Page, done: int) -> None:
    """Wait until so many results are counted."""
    bar = page.get_by_role("progressbar", name="Progress of the run")
    expect(bar).to_have_attribute("aria-valuenow", str(done))


def test_cancel_stops_a_run_and_keeps_what_is_done(
    visits: Visits, owner: StorageState, site: Site, models: ModelServerProcess
) -> None:
    visitor = visits.visitor(owner)
    making = Making(visitor.context, site)
    run = start_stuck_run(making, models, "Cancelled")
    page = visitor.go(f"/runs/{run}")
    progress(page, QUICK)
    page.get_by_role("button", name="Cancel the run").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_text("The run was stopped")).to_be_visible(timeout=CANCEL_MS)
    expect(page.get_by_role("button", name="Cancel the run")).to_be_hidden()
    progress(page, QUICK)
    results = page.get_by_role("region", name="Results").get_by_role("button", name=re.compile(r"case \d"))
    expect(results).to_have_count(QUICK)
    assert making.get(f"{RUNS}/{run}")["status"] == "cancelled"


def test_without_the_event_stream_the_page_polls_until_the_end(
    visits: Visits, owner: StorageState, site: Site, models: ModelServerProcess
) -> None:
    visitor = visits.visitor(owner)
    making = Making(visitor.context, site)
    dataset = making.dataset("Slow", [{"prompt": f"case {n}", "evaluators": containing("case")} for n in range(QUICK)])
    blocked: list[str] = []

    def block(route: Route) -> None:
        blocked.append(route.request.url)
        route.abort()

    visitor.context.route("**/events*", block)
    visitor.watch.excused.append("ERR_FAILED.*/events")
    run = making.run(making.agent("Slow", models.url, "slow:6"), dataset)
    page = visitor.go(f"/runs/{run}")
    expect(page.get_by_role("button", name="Cancel the run")).to_be_visible()
    progress(page, QUICK)
    expect(page.get_by_role("button", name="Run again")).to_be_visible()
    assert blocked


def test_a_viewer_may_only_read_and_hears_why(
    visits: Visits, owner: StorageState, viewer: StorageState, site: Site, models: ModelServerProcess
) -> None:
    making = Making(visits.visitor(owner).context, site)
    agent = making.agent("Read", models.url)
    dataset = making.dataset("Read", [{"prompt": "case", "evaluators": containing("case")}])
    run = making.run(agent, dataset)
    page = visits.visitor(viewer).page
    screens = (
        "/datasets",
        f"/datasets/{dataset}",
        "/evaluators",
        "/runs",
        f"/runs/{run}",
        "/agents",
        f"/agents/{agent}",
    )
    for screen in screens:
        page.goto(site.url + screen)
        closed = page.get_by_role("main").locator("[aria-disabled=true]")
        expect(closed.first).to_be_visible()
        for control in closed.all():
            control.focus()
            reason = re.compile("This needs the role (Editor|Owner)")
            # The last one: that of a control that was replaced while it had the focus may linger for a moment.
            expect(page.get_by_role("tooltip").last, f"{screen}: {control}").to_contain_text(reason)


def test_a_viewer_follows_a_run_that_somebody_else_cancels(
    visits: Visits, owner: StorageState, viewer: StorageState, site: Site, models: ModelServerProcess
) -> None:
    acting = visits.visitor(owner)
    run = start_stuck_run(Making(acting.context, site), models, "Watched")
    watching = visits.visitor(viewer).go(f"/runs/{run}")
    progress(watching, QUICK)
    expect(watching.get_by_role("button", name="Cancel the run")).to_have_attribute("aria-disabled", "true")
    acting.go(f"/runs/{run}").get_by_role("button", name="Cancel the run").click()
    expect(watching.get_by_text("The run was stopped")).to_be_visible()


@pytest.fixture(scope="module")
def viewer(browser: Browser, site: Site) -> StorageState:
    """What a browser keeps of a member who may only read."""
    visits = Visits(browser, site)
    state = visits.visitor().sign_in(site.add_member("viewer@example.org", "viewer"))
    visits.close()
    return state
