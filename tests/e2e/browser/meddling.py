"""Somebody who clicks whatever they can, to see what they are let try."""

from collections import Counter
from collections.abc import Sequence

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Locator, Page, Route, expect

from tests.e2e.browser.audit import settle

# The frame round the screens, where one signs out, is left alone.
OPEN = ":not(:disabled):not([aria-disabled=true]):not([data-disabled]):not(header *):not(nav *)"
# What can be clicked and is no way to somewhere else.
KINDS = ("button", "[role=menuitem]:not(a)", "[role=switch]", "input[type=checkbox]", "input[type=radio]")
CLICKABLE = ", ".join(kind + OPEN for kind in KINDS)
SUBMITS = f"button[type=submit]{OPEN}"
# Of buttons whose names begin alike, as those in the rows of a table, some stand for all.
WORDS, ALIKE = 2, 2
DEEPEST = 3
# So many ways are tried on one screen: a form with lists offers the same again and again.
MOST_WAYS = 60
PATIENCE_MS = 300
PAUSE_MS = 60
READING = {"GET", "HEAD"}
PROBLEM = '{"type": "about:blank", "title": "No", "status": 409, "detail": "Only a test.", "code": "conflict"}'
# Nobody is asked whether to leave what is not saved.
LEAVE = "addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true)"
NAME = """(element) => (element.getAttribute('aria-label') || element.innerText || element.labels?.[0]?.innerText
  || element.getAttribute('role') || element.tagName).trim().replace(/\\s+/g, ' ')"""
NAMES = f"(elements) => elements.map({NAME})"


class Meddler:
    """Clicks everything on a page, and on what opens then. No change that is asked for gets to the server.

    `asked` has the changes, as `METHOD /path`, by what was clicked for them; `submits` the forms that would be sent.
    """

    def __init__(self, page: Page) -> None:
        self.asked: dict[str, str] = {}
        self.submits: set[str] = set()
        self._page = page
        self._address = ""
        self._left = 0
        self._path: Sequence[str] = ()
        page.route("**/api/**", self._pass)
        page.add_init_script(LEAVE)

    def meddle(self, address: str) -> None:
        """Open a screen, and click all that can be clicked there."""
        self._address, self._left = address, MOST_WAYS
        self._open()
        for name in self._names():
            self._explore((name,), set())

    def _explore(self, path: Sequence[str], known: set[str]) -> None:
        """Click a way to something, and then what can be clicked there that could not be before."""
        if self._left <= 0:
            return
        self._left -= 1
        before = known | set(self._names())
        if not self._follow(path):
            return
        self.submits |= {f"{' > '.join(path)}: {name}" for name in self._named(SUBMITS)}
        new = [name for name in self._names() if name not in before]
        for name in new if len(path) < DEEPEST else ():
            self._explore((*path, name), before | set(new))
        self._leave()

    def _follow(self, path: Sequence[str]) -> bool:
        """Click one after the other, from the first that is not open yet; whether all were there."""
        self._path = path
        if len(path) > 1 and path[-1] in self._named(CLICKABLE):
            return self._click(path[-1])
        self._leave()
        return all(self._click(name) for name in path)

    def _leave(self) -> None:
        """Close what is open, and come back to where it began."""
        if self._page.url != self._address:
            self._open()
        elif self._page.locator("[role=dialog], [role=menu]").locator("visible=true").count():
            self._page.keyboard.press("Escape")
            self._page.wait_for_timeout(PAUSE_MS)

    def _open(self) -> None:
        self._path = ()
        self._page.goto(self._address)
        expect(self._page.get_by_role("heading", level=1)).to_be_visible()
        settle(self._page)
        self.submits |= {f": {name}" for name in self._named(SUBMITS)}
        # An address may lead to another one.
        self._address = self._page.url

    def _names(self) -> list[str]:
        """What can be clicked now, by name; of those alike the first ones."""
        alike = Counter[str]()
        found: list[str] = []
        for name in dict.fromkeys(self._named(CLICKABLE)):
            begins = " ".join(name.split()[:WORDS])
            alike[begins] += 1
            if alike[begins] <= ALIKE:
                found.append(name)
        return found

    def _named(self, selector: str) -> list[str]:
        return self._visible(selector).evaluate_all(NAMES)

    def _visible(self, selector: str) -> Locator:
        return self._page.locator(selector).locator("visible=true")

    def _click(self, name: str) -> bool:
        """Click the first that has that name, if it is there and in reach."""
        names = self._named(CLICKABLE)
        if name not in names:
            return False
        try:
            self._visible(CLICKABLE).nth(names.index(name)).click(timeout=PATIENCE_MS)
        except PlaywrightError:  # something else is before it
            return False
        self._page.wait_for_timeout(PAUSE_MS)
        return True

    def _pass(self, route: Route) -> None:
        """Let who reads through."""
        request = route.request
        if request.method in READING:
            route.fallback()
            return
        path = "/api/" + request.url.partition("/api/")[2].partition("?")[0]
        self.asked[" > ".join(self._path)] = f"{request.method} {path}"
        route.fulfill(status=409, content_type="application/problem+json", body=PROBLEM)
