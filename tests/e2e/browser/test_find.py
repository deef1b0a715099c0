"""Which browser is taken, and what is said when there is none; the programs here are scripts of the test's own."""

from pathlib import Path

import pytest

from tests.e2e.browser import find
from tests.e2e.browser.find import NoBrowser, found, ready


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine whose PATH holds this folder alone, without any browser, and whose user is not root."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(find, "DEBIAN", tmp_path / "usr" / "chromium")
    monkeypatch.setattr(find, "PLACES", (tmp_path / "opt" / "chrome",))
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    return folder


def program(path: Path, *lines: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(("#!/bin/sh", *lines)) + "\n")
    path.chmod(0o755)
    return path


def apt(folder: Path, chromium: Path) -> None:
    """An apt-get that notes what it is asked, and installs a browser when asked to."""
    program(
        folder / "apt-get",
        f'echo "$@" >>{folder}/asked',
        '[ "$2" = install ] || exit 0',
        f"/bin/mkdir -p {chromium.parent}",
        f"echo '#!/bin/sh' >{chromium}",
        f"/bin/chmod +x {chromium}",
    )


def test_debian_comes_first_then_the_path_then_the_usual_places(programs: Path) -> None:
    assert found() is None
    usual = program(find.PLACES[0])
    assert found() == usual
    on_path = program(programs / "google-chrome")
    assert found() == on_path
    debian = program(find.DEBIAN)
    assert found() == ready() == debian


def test_a_program_that_does_not_start_is_none(programs: Path) -> None:
    program(programs / "chromium-browser", "echo install the snap", "exit 1")
    assert found() is None
    works = program(programs / "chrome")
    assert found() == works


def test_root_gets_one_installed_and_the_next_time_nothing_is_done(
    programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    apt(programs, find.DEBIAN)
    assert ready() == find.DEBIAN
    asked = (programs / "asked").read_text()
    assert asked.splitlines() == ["-qq update", "-qq install --yes --no-install-recommends chromium"]
    assert ready() == find.DEBIAN
    assert (programs / "asked").read_text() == asked


def test_sudo_that_asks_nothing_will_do(programs: Path) -> None:
    apt(programs, find.DEBIAN)
    program(programs / "sudo", "shift", '[ "$1" = true ] || "$@"')
    assert ready() == find.DEBIAN


def test_who_may_not_install_hears_what_to_do(programs: Path) -> None:
    apt(programs, find.DEBIAN)
    program(programs / "sudo", "exit 1")
    with pytest.raises(NoBrowser, match=r"takes root, or sudo without a password.*apt-get install chromium"):
        ready()
    assert not (programs / "asked").exists()


def test_a_machine_without_apt_hears_what_to_do(programs: Path) -> None:
    with pytest.raises(NoBrowser, match="Install Chromium or Chrome"):
        ready()


def test_an_install_that_fails_is_told(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    program(programs / "apt-get", "exit 100")
    with pytest.raises(NoBrowser, match="`apt-get update` failed"):
        ready()
