"""The web UI's files."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.api import app as application
from aloi.api.pages import Pages
from tests.api.calls import Caller, RunningServer, raw

INDEX = "<!doctype html><title>Aloi</title>"
SECRET = "the secret beside the folder"


@pytest.fixture
async def ui(server: RunningServer, tmp_path: Path) -> AsyncIterator[Caller]:
    """Somebody who asks a server whose UI was built."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX)
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "assets" / "index-abc.js").write_text("run()")
    (folder / "assets" / "link.js").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "secret.txt").write_text(SECRET)
    server.app.router.default = Pages(folder)
    yield server.caller()


@pytest.mark.parametrize(
    "path", ["/", "/datasets", "/runs/0190?tab=x", "/agents/a%20b/runner", "/sign-in?token=x", "/é"]
)
async def test_every_address_of_a_screen_is_the_one_page(ui: Caller, path: str) -> None:
    answer = await ui.get(path)
    assert (answer.status, answer.body) == (200, INDEX)
    assert answer.headers["Content-Type"].startswith("text/html")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert (await ui.call("HEAD", path)).status == 200


async def test_files_are_answered_as_they_are(ui: Caller) -> None:
    answer = await ui.get("/assets/index-abc.js")
    assert (answer.status, answer.body) == (200, "run()")
    assert "javascript" in answer.headers["Content-Type"]
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert (await ui.get("/favicon.svg")).body == "<svg/>"


async def test_a_file_that_is_known_is_not_sent_again(ui: Caller) -> None:
    etag = (await ui.get("/")).headers["ETag"]
    assert (await ui.get("/", headers={"If-None-Match": etag})).status == 304


@pytest.mark.parametrize("path", ["/assets/nope.js", "/assets/", "/assets/index-abc.js/x", "/assets/link.js"])
async def test_a_missing_file_is_missing(ui: Caller, path: str) -> None:
    answer = await ui.get(path)
    assert answer.status == 404
    assert SECRET not in str(answer.body)


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/..%5csecret.txt",
        "//etc/passwd",
        "/%2fetc/passwd",
        "/./../secret.txt",
        "/%00",
        "/" + "x" * 5000,
        "/" + "x/" * 3000,
    ],
)
async def test_nothing_outside_of_the_folder_is_read(ui: Caller, server: RunningServer, path: str) -> None:
    head = f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    answer = await raw(server, head.encode())
    status = int(answer.split()[1])
    assert SECRET.encode() not in answer and b"root:" not in answer
    assert status in {200, 404} and (status == 404 or INDEX.encode() in answer)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_pages_are_only_read(ui: Caller, method: str) -> None:
    answer = await ui.call(method, "/datasets")
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")


async def test_an_installation_without_the_ui_says_so(server: RunningServer, nobody: Caller, tmp_path: Path) -> None:
    server.app.router.default = Pages(tmp_path / "nothing")
    answer = await nobody.get("/")
    assert answer.status == 404
    assert "without the web UI" in str(answer.body)


def test_the_application_serves_the_built_folder() -> None:
    assert isinstance(application.create_app(None).router.default, Pages)
