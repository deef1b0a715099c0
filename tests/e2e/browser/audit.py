"""Looks at a page as a program can: axe-core's rules, and what does not fit the window."""

from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.browser.visit import Scheme

AXE = "node_modules/axe-core/axe.min.js"
SERIOUS = ("serious", "critical")
# All that depends on the colour scheme.
COLOUR_RULES = ("color-contrast", "link-in-text-block")
# A page that does not answer fails the test, rather than keep it for ever.
MOST_MS = 60_000
RUN = """async ([impacts, rules, most]) => {
  const only = rules ? { runOnly: { type: 'rule', values: rules } } : {};
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error('axe did not end')), most));
  const { violations } = await Promise.race([late, axe.run(document, { resultTypes: ['violations'], ...only })]);
  const serious = violations.filter(({ impact }) => impacts.includes(impact));
  return serious.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html, any }) => `${id}: ${help}: ${target} ${html.slice(0, 200)} ${any[0]?.message ?? ''}`));
}"""
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def settle(page: Page) -> None:
    """Wait until the page has all that it asks for. Nothing moves on it anyway, see `visit`."""
    page.wait_for_load_state("networkidle")


def show_in(page: Page, scheme: Scheme) -> None:
    """Change the colour scheme, as the system does in the evening, and wait until it is changed."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", scheme)


def accessibility_faults(page: Page, web: Path, rules: Sequence[str] | None = None) -> list[str]:
    """What axe finds that is serious or critical; empty if all is well.

    Args:
        page: a page that has settled.
        web: the folder of the UI's sources, with what npm installed.
        rules: the names of the rules that are asked; all of them when None.
    """
    if page.evaluate("() => typeof axe === 'undefined'"):
        # By the debugger's way, which the content security policy does not concern.
        page.evaluate((web / AXE).read_text(encoding="utf-8"))
    return page.evaluate(RUN, [SERIOUS, rules, MOST_MS])


def overflow_faults(page: Page) -> list[str]:
    """Whether the page is wider than its window, so that it scrolls sideways."""
    overflow: int = page.evaluate(OVERFLOW)
    return [f"the page is {overflow} px wider than its window"] if overflow > 0 else []
