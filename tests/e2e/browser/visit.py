"""Visitors of a site: each has a browser context of their own, which is watched."""

import os
import re
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect

from tests.e2e.browser.site import Site
from tests.e2e.browser.watch import Watch

# As a shared machine may be slow: how long a page may take to show what is waited for.
PATIENCE_MS = 30_000
HEIGHT = 900
# Nothing moves: a colour on its way to another is none to be judged, and nobody waits for it.
STILL = """
const still = new CSSStyleSheet();
still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important; }');
document.adoptedStyleSheets = [still];
"""
Scheme = Literal["light", "dark"]


class Visitor:
    """Somebody in front of a page: `page` is their tab, `watch` what their browser must not do."""

    def __init__(self, context: BrowserContext, site: Site) -> None:
        self.context = context
        self.site = site
        self.watch = Watch(context, site.url)
        self.page = context.new_page()

    def go(self, path: str) -> Page:
        """Open a screen by its address, such as `/runs`. A page in the background would draw nothing."""
        self.page.bring_to_front()
        self.page.goto(self.site.url + path)
        return self.page

    def sign_in(self, link: str) -> StorageState:
        """Use a one-time link; what the browser keeps of it."""
        self.page.goto(link)
        expect(self.page.get_by_role("navigation", name="Main navigation")).to_be_attached()
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()
        return self.context.storage_state()


class Visits:
    """Opens and closes the contexts of one test."""

    def __init__(self, browser: Browser, site: Site) -> None:
        self._browser = browser
        self._site = site
        self._visitors: list[Visitor] = []

    def visitor(
        self,
        state: StorageState | None = None,
        *,
        width: int = 1280,
        scheme: Scheme = "light",
        language: str = "en",
        zone: str = "Europe/Paris",
    ) -> Visitor:
        """Somebody who comes; signed in already when `state` says so.

        Args:
            width: in CSS pixels.
            zone: what their clock shows.
        """
        context = self._browser.new_context(
            storage_state=state,
            viewport={"width": width, "height": HEIGHT},
            color_scheme=scheme,
            locale=language,
            timezone_id=zone,
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(STILL)
        visitor = Visitor(context, self._site)
        self._visitors.append(visitor)
        return visitor

    def picture(self, folder: Path, name: str) -> None:
        """What everybody sees now, for who looks into a failure."""
        for number, visitor in enumerate(self._visitors, 1):
            for page in visitor.context.pages:
                page.screenshot(path=folder / f"{file_name(name)}-{number}.png")

    def close(self) -> None:
        """Let everybody leave."""
        for visitor in self._visitors:
            visitor.context.close()

    def check(self) -> None:
        """Fail if anybody's browser did what it must not."""
        for visitor in self._visitors:
            visitor.watch.check()


def file_name(text: str) -> str:
    """A name for a file, for any text."""
    return re.sub(r"\W+", "-", text).strip("-")


def wanted_pictures() -> Path | None:
    """The folder for screenshots, if `SCREENSHOTS` in the environment names one."""
    name = os.environ.get("SCREENSHOTS")
    if not name:
        return None
    folder = Path(name)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
