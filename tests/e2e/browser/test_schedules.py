"""Schedules as people see them: made by the form, told in the reader's own time, fired for real, and what they tell."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from playwright.sync_api import Page, StorageState, expect

from tests.e2e.browser.making import RUNS, SCHEDULES, Making, containing
from tests.e2e.browser.site import Site
from tests.e2e.browser.visit import Visits
from tests.e2e.command import until
from tests.model_server import ModelServerProcess

CASES = [{"prompt": f"case {n}", "evaluators": containing("case")} for n in range(3)]
MINUTELY = {"kind": "every", "n": 1, "unit": "minutes"}


def soon() -> str:
    """A start that the page is open for."""
    return (datetime.now(UTC) + timedelta(seconds=2)).isoformat()


def clock(moment: str, zone: str) -> str:
    """`8:30 AM`, as an English page tells it."""
    return f"{datetime.fromisoformat(moment).astimezone(ZoneInfo(zone)):%I:%M %p}".lstrip("0")


def next_firing(page: Page) -> str:
    """What the page says of the next firing, with plain spaces."""
    shown = page.get_by_role("main").locator("dd").filter(has=page.locator("time")).first
    return re.sub(r"\s", " ", shown.inner_text())


def test_a_schedule_is_made_by_the_form_and_told_in_each_readers_time(
    visits: Visits, owner: StorageState, site: Site, models: ModelServerProcess
) -> None:
    paris = visits.visitor(owner)
    making = Making(paris.context, site)
    agent = making.agent("Clockwork", models.url)
    making.dataset("Morning questions", CASES, target_id=agent)
    page = paris.go(f"/agents/{agent}/evaluations/schedules")
    page.get_by_role("button", name="New schedule").first.click()
    form = page.get_by_role("dialog")
    expect(form.get_by_role("combobox", name="Dataset")).to_have_value("Morning questions")
    expect(form.get_by_role("combobox", name="Time zone")).to_have_value("Europe/Paris")
    form.get_by_label("Name").fill("Mornings")
    form.get_by_text("Cron expression", exact=True).click()
    form.get_by_role("textbox", name="Expression").fill("30 8 * * 1-5")
    upcoming = form.get_by_role("region", name="Next firings")
    expect(upcoming.get_by_role("listitem")).to_have_count(5)
    expect(upcoming).to_contain_text(re.compile(r"every weekday at 8:30\sAM", re.IGNORECASE))
    form.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name="Mornings", level=1)).to_be_visible()
    made = making.get(f"{SCHEDULES}/Mornings")
    assert clock(made["next_at"], "Europe/Paris") == "8:30 AM"
    expect(page.get_by_role("main")).not_to_contain_text("8:30 AM, Europe/Paris")
    assert "8:30 AM" in next_firing(page)
    there = visits.visitor(owner, zone="America/New_York").go(f"/schedules/{made['id']}")
    expect(there.get_by_role("heading", name="Mornings", level=1)).to_be_visible()
    expect(there.get_by_text(re.compile(r"every weekday at 8:30\sAM \(Europe/Paris\)", re.IGNORECASE))).to_be_visible()
    said = next_firing(there)
    assert clock(made["next_at"], "America/New_York") in said
    assert "8:30 AM, Europe/Paris" in said


def test_pause_resume_and_delete(visits: Visits, owner: StorageState, site: Site, models: ModelServerProcess) -> None:
    visitor = visits.visitor(owner)
    making = Making(visitor.context, site)
    agent = making.agent("Slowing", models.url)
    dataset = making.dataset("Halting", CASES, target_id=agent)
    daily = {"kind": "cron", "expression": "0 7 * * *"}
    given = {"name": "halting", "target_id": agent, "dataset_id": dataset, "start": soon(), "recurrence": daily}
    made = making.post(SCHEDULES, given)
    page = visitor.go(f"/agents/{agent}/evaluations/schedules")
    page.get_by_role("button", name="Pause halting").click()
    expect(page.get_by_role("table").get_by_text("Paused")).to_be_visible()
    page.get_by_role("button", name="Resume halting").click()
    expect(page.get_by_role("table").get_by_text("Paused")).to_be_hidden()
    assert making.get(f"{SCHEDULES}/{made['id']}")["next_at"]
    page.get_by_role("button", name="More for halting", exact=True).click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_role("dialog")).to_contain_text("Its runs stay")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("No schedule yet")).to_be_visible()


def test_it_fires_and_its_run_says_who_started_it(
    visits: Visits, owner: StorageState, site: Site, models: ModelServerProcess
) -> None:
    visitor = visits.visitor(owner)
    making = Making(visitor.context, site)
    agent = making.agent("Punctual", models.url)
    dataset = making.dataset("Punctual", CASES, target_id=agent)
    body = {"name": "punctual", "target_id": agent, "dataset_id": dataset, "start": soon(), "recurrence": MINUTELY}
    made = making.post(SCHEDULES, body)
    page = visitor.go(f"/schedules/{made['id']}")
    # Nobody reloads the page: it looks again once the schedule should have fired.
    page.get_by_role("table", name="Firings").get_by_role("link", name="Open the run").first.click()
    expect(page.get_by_text(re.compile(r"^3/3 passed"))).to_be_visible()
    started = page.get_by_role("link", name="Started by the schedule punctual")
    expect(started).to_have_attribute("href", f"/schedules/{made['id']}")
    making.post(f"{SCHEDULES}/{made['id']}/pause", {})
    started.click()
    expect(page.get_by_role("img", name="Pass rate of the runs of punctual over time")).to_be_visible()


def test_a_badge_tells_of_a_schedule_that_fails(
    visits: Visits, owner: StorageState, site: Site, models: ModelServerProcess
) -> None:
    visitor = visits.visitor(owner)
    making = Making(visitor.context, site)
    agent = making.agent("Failing", models.url, "status:400")
    dataset = making.dataset("Failing", CASES, target_id=agent)
    page = visitor.go("/datasets")
    expect(page.get_by_role("banner").get_by_role("link", name="Notices", exact=True)).to_be_visible()
    body = {"name": "failing", "target_id": agent, "dataset_id": dataset, "start": soon(), "recurrence": MINUTELY}
    made = making.post(SCHEDULES, body)
    until(lambda: making.get(f"/api/notices?schedule_id={made['id']}")["total"] > 0)
    making.post(f"{SCHEDULES}/{made['id']}/pause", {})
    page = visitor.go("/datasets")
    page.get_by_role("banner").get_by_role("link", name="Notices, 1 unread").click()
    notice = page.get_by_role("list", name="Notices").get_by_role("listitem")
    expect(notice).to_contain_text("Nothing was decided")
    run = making.get(f"{RUNS}?schedule_id={made['id']}")["items"][0]["id"]
    expect(notice.get_by_role("link", name="Open the run")).to_have_attribute("href", f"/runs/{run}")
    notice.get_by_role("button", name="Mark as read").click()
    expect(page.get_by_role("banner").get_by_role("link", name="Notices", exact=True)).to_be_visible()


def test_an_evaluation_or_a_dataset_leads_to_a_schedule_of_it(
    visits: Visits, owner: StorageState, site: Site, models: ModelServerProcess
) -> None:
    visitor = visits.visitor(owner)
    making = Making(visitor.context, site)
    agent = making.agent("Asked", models.url)
    making.dataset("Another one", CASES, target_id=agent)
    dataset = making.dataset("Anybody's", CASES)
    run = making.run(agent, dataset)
    until(lambda: making.get(f"{RUNS}/{run}")["status"] == "completed")
    page = visitor.go(f"/runs/{run}")
    page.get_by_role("button", name="Run again").click()
    page.get_by_role("menuitem", name="Schedule this").click()
    form = page.get_by_role("dialog")
    expect(form.get_by_label("Target")).to_have_value("Asked")
    expect(form.get_by_role("combobox", name="Dataset")).to_have_value("Anybody's")
    page = visitor.go(f"/datasets/{dataset}")
    page.get_by_role("link", name="Schedule", exact=True).click()
    expect(page.get_by_role("dialog").get_by_role("combobox", name="Dataset")).to_have_value("Anybody's")
    expect(page.get_by_role("dialog").get_by_role("combobox", name="Target")).to_have_value("")
