"""Every relative link of every page leads to something that is there."""

from pathlib import Path

import pytest

from tests.docs.pages import ROOT, anchors, links, pages


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page: Path) -> None:
    dead = [link for link in links(page.read_text(encoding="utf-8")) if not resolves(page, link)]
    assert dead == []


def resolves(page: Path, link: str) -> bool:
    """Whether a link leads to a file, and to a heading in it where one is named."""
    if "://" in link:
        return True
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    return target.exists() and (not anchor or anchor in anchors(target.read_text(encoding="utf-8")))


def test_every_page_is_reached_from_the_readme() -> None:
    reached, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page in reached or page.suffix != ".md" or not page.is_file():
            continue
        reached.add(page)
        found = links(page.read_text(encoding="utf-8"))
        waiting += [page.parent / link.partition("#")[0] for link in found if "://" not in link]
    assert [str(page) for page in pages() if page.resolve() not in reached] == []


def test_a_dead_link_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "a.md"
    page.write_text("# One head\n[here](a.md#one-head) [not](b.md) [nor](a.md#two) `[code](c.md)`\n")
    assert [link for link in links(page.read_text()) if not resolves(page, link)] == ["b.md", "a.md#two"]
