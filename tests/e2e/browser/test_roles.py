"""On every screen, what somebody's role may not do is hidden or disabled, and says why."""

import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, Route, StorageState, expect

from aloi.core.access import Role
from tests.api.role_table import ROLES
from tests.e2e.browser.audit import settle
from tests.e2e.browser.filled import MORE, SCREENS, fill
from tests.e2e.browser.making import Making
from tests.e2e.browser.meddling import Meddler
from tests.e2e.browser.site import Site
from tests.e2e.browser.visit import Visitor, Visits
from tests.model_server import ModelServerProcess, serve

ADDRESSES = {name: path for name, path in {**SCREENS, **MORE}.items() if path != "/sign-in"}
# Forms that a viewer may send: their own password.
OWN_FORMS = {"Set the password", "Change the password"}
REFUSED = "status of 40[39]"
PARAMETER = re.compile(r"\\{\w+(\\:path)?\\}")


class Meddlers(NamedTuple):
    """Those who may not do everything, by role."""

    by_role: Mapping[Role, Meddler]
    ids: Mapping[str, str]


@pytest.fixture(scope="module")
def models() -> Iterator[ModelServerProcess]:
    """Nobody waits for these answers."""
    with serve() as server:
        yield server


@pytest.fixture(scope="module")
def everybody(browser: Browser, site: Site) -> Iterator[Visits]:
    """They go through all screens."""
    visits = Visits(browser, site)
    yield visits
    visits.close()


@pytest.fixture(scope="module")
def ids(everybody: Visits, owner: StorageState, site: Site, models: ModelServerProcess) -> Mapping[str, str]:
    """The ids of what fills the workspace."""
    return fill(everybody.visitor(owner).context, site, models.url)


@pytest.fixture(scope="module")
def meddlers(everybody: Visits, ids: Mapping[str, str], site: Site) -> Meddlers:
    """A viewer and an editor."""
    found: dict[Role, Meddler] = {}
    for role in (Role.VIEWER, Role.EDITOR):
        visitor = everybody.visitor()
        visitor.sign_in(site.add_member(f"{role}@example.org", role))
        visitor.watch.excused = [REFUSED]
        found[role] = Meddler(visitor.page)
    return Meddlers(found, ids)


def needed(request: str) -> Role | None:
    """The role that a request needs; of the routes that fit, that counts whose path says most."""
    fitting = [route for route in ROLES if re.fullmatch(PARAMETER.sub(".+", re.escape(route)), request)]
    assert fitting, request
    return ROLES[min(fitting, key=lambda route: (route.count("{"), -len(route)))]


def too_much(asked: Mapping[str, str], role: Role) -> dict[str, str]:
    """The changes that a role may not make, by what was clicked for them."""
    roles = {clicked: needed(request) for clicked, request in asked.items()}
    return {clicked: asked[clicked] for clicked, wanted in roles.items() if wanted and not role.may(wanted)}


# What only owners do stands on these; the rest an editor may do anyway.
OWNERS = [name for name in ADDRESSES if name.startswith(("settings/", "agents/", "the gate"))]
TRIED = [*((Role.VIEWER, name) for name in ADDRESSES), *((Role.EDITOR, name) for name in OWNERS)]


@pytest.mark.parametrize(("role", "screen"), TRIED)
def test_nothing_can_be_clicked_that_would_be_refused(meddlers: Meddlers, site: Site, role: Role, screen: str) -> None:
    meddler = meddlers.by_role[role]
    meddler.asked.clear()
    meddler.submits.clear()
    meddler.meddle(site.url + ADDRESSES[screen].format(**meddlers.ids))
    assert too_much(meddler.asked, role) == {}
    if role is Role.VIEWER:
        assert {form for form in meddler.submits if form.rpartition(": ")[2] not in OWN_FORMS} == set()


def test_a_meddler_finds_what_is_open(visits: Visits, site: Site, ids: Mapping[str, str]) -> None:
    """The test above would pass where nobody clicks: a viewer whose browser takes them for an owner asks for much."""
    visitor = visits.visitor()
    visitor.sign_in(site.add_member("taken@example.org", "viewer"))
    visitor.watch.excused = [REFUSED]
    visitor.page.route("**/api/auth/me", _as_owner)
    meddler = Meddler(visitor.page)
    for path in ("/settings/members", "/datasets/{dataset}/settings", "/executions/{execution}"):
        meddler.meddle(site.url + path.format(**ids))
    asked = set(too_much(meddler.asked, Role.VIEWER).values())
    assert {request.partition(" ")[0] for request in asked} >= {"POST", "DELETE"}, meddler.asked
    assert meddler.submits


def _as_owner(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, json={**answer.json(), "role": "owner"})


def test_who_is_narrowed_sees_and_changes_what_is_theirs(
    visits: Visits, site: Site, owner: StorageState, ids: Mapping[str, str]
) -> None:
    making = Making(visits.visitor(owner).context, site)
    shared = making.dataset("Of no target", [{"prompt": "a"}])
    editor = visits.visitor()
    editor.sign_in(site.add_member("narrow@example.org", "editor"))
    members = making.get("/api/members")["items"]
    member = next(found["id"] for found in members if found["email"] == "narrow@example.org")
    making.put(f"/api/members/{member}/grants", {"targets": [ids["agent"]]})
    page = editor.go("/agents")
    expect(page.get_by_role("link", name="Assistant")).to_be_visible()
    expect(page.get_by_role("link", name="Broken")).to_have_count(0)
    is_closed(page, "link", "New agent", "granted some of them only")
    page = editor.go("/workflows")
    expect(page.get_by_text("Replies", exact=True)).to_have_count(0)
    page = editor.go(f"/datasets/{shared}")
    is_closed(page, "button", "Edit", "use it and not change it")
    page = editor.go(f"/datasets/{ids['dataset']}")
    expect(page.get_by_role("button", name="Edit", exact=True)).not_to_have_attribute("aria-disabled", "true")
    is_not_there(editor, f"/runs/{ids['broken']}")
    is_not_there(editor, f"/agents/{ids['workflow']}")


def is_closed(page: Page, role: Literal["button", "link"], name: str, why: str) -> None:
    """Whether something is disabled, and says why to who points at it."""
    settle(page)
    element = page.get_by_role(role, name=name, exact=True).first
    expect(element).to_have_attribute("aria-disabled", "true")
    element.hover(force=True)
    expect(page.get_by_role("tooltip")).to_contain_text(why)


def is_not_there(visitor: Visitor, path: str) -> None:
    """Whether a screen says that there is no such thing."""
    visitor.watch.excused = ["status of 404"]
    page = visitor.go(path)
    expect(page.get_by_role("alert").or_(page.get_by_text("404")).first).to_be_visible()
