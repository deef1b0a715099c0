"""Every screen, light and dark, wide and narrow, in both languages."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from tests.e2e.browser.audit import COLOUR_RULES, accessibility_faults, overflow_faults, settle, show_in
from tests.e2e.browser.catalogues import Catalogues
from tests.e2e.browser.filled import EMPTY, FRAMES, MORE, SCREENS, fill
from tests.e2e.browser.site import Site
from tests.e2e.browser.visit import Scheme, Visitor, Visits, file_name, wanted_pictures
from tests.model_server import ModelServerProcess, serve

WIDTHS = (1280, 390)
RULES: Mapping[Scheme, Sequence[str] | None] = {"light": None, "dark": COLOUR_RULES}
MISSING = "status of 404"
ADDRESSES = {**SCREENS, **MORE}
# An evaluator, a step and a column of a file: names are the same for every reader, though some are English words too.
NAMES = {"contains", "draft", "prompt"}
# All that somebody sees or hears, but for what is marked as being in another language.
TEXTS = """() => {
  const isFrench = (element) => element.closest('[lang]').lang === 'fr';
  const texts = [document.title];
  for (const element of document.body.querySelectorAll('*')) {
    if (!isFrench(element)) continue;
    texts.push(...['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''));
    texts.push(...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data));
  }
  return texts.map((text) => text.trim()).filter(Boolean);
}"""


@pytest.fixture(scope="module")
def models() -> Iterator[ModelServerProcess]:
    """Nobody waits for these answers."""
    with serve() as server:
        yield server


@pytest.fixture(scope="module")
def readers(browser: Browser, site: Site) -> Iterator[Visits]:
    """Who goes through the screens; they keep what is the same on all of them, and so are quick."""
    visits = Visits(browser, site)
    yield visits
    visits.close()


@pytest.fixture(scope="module")
def english(readers: Visits, owner: StorageState) -> Visitor:
    """A reader of English."""
    return readers.visitor(owner)


@pytest.fixture(scope="module")
def french(readers: Visits, owner: StorageState) -> Visitor:
    """A reader of French."""
    return readers.visitor(owner, language="fr")


@pytest.fixture(scope="module")
def empty(english: Visitor, web: Path) -> Mapping[str, list[str]]:
    """What is wrong on the screens before there is anything to show, by their addresses."""
    found = {path: audited(english.go(path), web) for path in EMPTY}
    english.watch.check()
    return found


@pytest.fixture(scope="module")
def ids(empty: Mapping[str, list[str]], english: Visitor, site: Site, models: ModelServerProcess) -> Mapping[str, str]:
    """The ids of what fills the workspace from then on."""
    return fill(english.context, site, models.url)


def test_every_screen_of_the_router_is_looked_at(web: Path) -> None:
    router = (web / "src/app/screens.ts").read_text() + (web / "src/app/router.tsx").read_text()
    assert set(re.findall(r"'~/screens/([\w/-]+)'", router)) == SCREENS.keys() | FRAMES


def test_screens_without_anything_on_them_are_accessible(empty: Mapping[str, list[str]]) -> None:
    assert {path: found for path, found in empty.items() if found} == {}


@pytest.mark.parametrize("screen", ADDRESSES)
def test_screen_is_accessible(english: Visitor, ids: Mapping[str, str], web: Path, screen: str) -> None:
    english.watch.excused = [MISSING] if screen.startswith("no such") else []
    page = english.go(ADDRESSES[screen].format(**ids))
    assert audited(page, web, screen) == []
    english.watch.check()


@pytest.mark.parametrize("screen", SCREENS)
def test_screen_is_french_for_who_reads_french(french: Visitor, ids: Mapping[str, str], web: Path, screen: str) -> None:
    page = french.go(SCREENS[screen].format(**ids))
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    settle(page)
    picture(page, f"{screen} fr")
    catalogues = Catalogues(web / "src/i18n")
    texts: list[str] = page.evaluate(TEXTS)
    left = [text for text in texts if catalogues.is_english(text) or catalogues.is_key(text)]
    assert [text for text in left if text not in NAMES] == []
    french.watch.check()


def audited(page: Page, web: Path, name: str | None = None) -> list[str]:
    """What is wrong with a page, in each scheme at each width; pictures of it when it has a name."""
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    settle(page)
    found: list[str] = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme, rules in RULES.items():
            show_in(page, scheme)
            faults = [*accessibility_faults(page, web, rules), *overflow_faults(page)]
            found += [f"{scheme}, {width} px: {fault}" for fault in faults]
            if name:
                picture(page, f"{name} {width} {scheme}")
    return found


def picture(page: Page, name: str) -> None:
    """A screenshot, if they are wanted."""
    if folder := wanted_pictures():
        page.screenshot(path=folder / f"{file_name(name)}.png")
