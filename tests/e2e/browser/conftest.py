"""A real browser in front of a real server, with a real model endpoint behind it; each in a process of its own.

Playwright's way to work without `await` occupies the event loop of the thread, so it is started for one module of tests
and ended with it: no module may hold async tests too. `SCREENSHOTS=folder` keeps the screenshots, and takes more.
"""

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, StorageState, expect, sync_playwright

import build_ui
from tests.e2e.browser import find
from tests.e2e.browser.audit import AXE
from tests.e2e.browser.site import Site, serve_site
from tests.e2e.browser.visit import PATIENCE_MS, Visits, wanted_pictures
from tests.model_server import ModelServerProcess, serve

ROOT = Path(build_ui.__file__).parent
# With the network of the tests closed, a browser that looks for updates is only slower.
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember that a test failed, so that what it saw can be kept."""
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the screenshots: the one that is wanted, else one for the time being."""
    return wanted_pictures() or tmp_path_factory.mktemp("screenshots")


@pytest.fixture(scope="session")
def web() -> Path:
    """The folder of the UI's sources, once it is built; a build that is fresh is kept."""
    folder = ROOT / build_ui.WEB
    if not (folder / AXE).is_file():
        build_ui.run_npm(ROOT, "ci", "--ignore-scripts")
    if not build_ui.is_fresh(ROOT):
        build_ui.build(ROOT)
    return folder


@pytest.fixture(scope="session")
def program() -> Path:
    """The browser's program; there is no skipping without one."""
    return find.ready()


@pytest.fixture(scope="module")
def browser(program: Path) -> Iterator[Browser]:
    """The browser, with an empty profile."""
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE_MS)
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def models() -> Iterator[ModelServerProcess]:
    """The model endpoint. Every answer takes a while, so that a run can be watched."""
    with serve("--latency", "0.2") as server:
        yield server


@pytest.fixture(scope="module")
def site(web: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The server of this module's tests."""
    with serve_site(tmp_path_factory.mktemp("site") / "home") as site:
        yield site


@pytest.fixture(scope="module")
def owner(browser: Browser, site: Site) -> StorageState:
    """What a browser keeps of the owner, who has signed in by the server's first link."""
    visits = Visits(browser, site)
    state = visits.visitor().sign_in(site.link)
    visits.close()
    visits.check()
    return state


@pytest.fixture
def visits(browser: Browser, site: Site, pictures: Path, request: pytest.FixtureRequest) -> Iterator[Visits]:
    """Visitors of this test. What their browsers must never do fails the test at its end."""
    visits = Visits(browser, site)
    yield visits
    if request.node.stash.get(FAILED, False):
        visits.picture(pictures, f"failed-{request.node.name}")
    visits.close()
    visits.check()
