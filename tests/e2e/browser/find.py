"""Finds the browser of the tests: `python -m tests.e2e.browser.find`.

Where there is none, Debian's Chromium is installed, if that may be done without a question: as root, or by sudo.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

DEBIAN = Path("/usr/bin/chromium")
NAMES = ("chromium", "google-chrome-stable", "google-chrome", "chromium-browser", "chrome", "msedge")
# Where an installer puts it without naming it on the PATH.
PLACES = (
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    Path("/Applications/Chromium.app/Contents/MacOS/Chromium"),
    Path("/opt/google/chrome/chrome"),
    Path("/snap/bin/chromium"),
    Path("C:/Program Files/Google/Chrome/Application/chrome.exe"),
    Path("C:/Program Files (x86)/Google/Chrome/Application/chrome.exe"),
    Path("C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe"),
)
PACKAGE = "chromium"
SECONDS_TO_ANSWER = 60


class NoBrowser(Exception):
    """There is no browser, and none could be installed."""


def ready() -> Path:
    """The program of a browser that starts; installed now, when there was none.

    Raises:
        NoBrowser: there is none; the message says why, and what to do.
    """
    return found() or _installed()


def found() -> Path | None:
    """The first browser on this machine that starts: Debian's Chromium, else a Chromium or Chrome."""
    return next((program for program in _candidates() if _starts(program)), None)


def _candidates() -> Iterator[Path]:
    yield DEBIAN
    for name in NAMES:
        if on_path := shutil.which(name):
            yield Path(on_path)
    yield from PLACES


def _starts(program: Path) -> bool:
    """Whether it is there and works; some systems have a program of that name which only says how to install it."""
    if not program.is_file():
        return False
    if os.name == "nt":
        return True  # asked for its version, it would open a window there
    try:
        return subprocess.run([program, "--version"], capture_output=True, timeout=SECONDS_TO_ANSWER).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _installed() -> Path:
    """Install Debian's Chromium."""
    apt = shutil.which("apt-get")
    if apt is None:
        raise _no_browser("it can be installed by itself only where there is apt-get")
    prefix = _as_root()
    if prefix is None:
        raise _no_browser("to install it takes root, or sudo without a password")
    print(f"Installing {PACKAGE}, the browser of the tests.", file=sys.stderr, flush=True)
    for words in (["update"], ["install", "--yes", "--no-install-recommends", PACKAGE]):
        done = subprocess.run([*prefix, apt, "-qq", *words], stdout=sys.stderr.fileno())
        if done.returncode != 0:
            raise _no_browser(f"`apt-get {' '.join(words)}` failed; its output says why")
    if program := found():
        return program
    raise _no_browser(f"the package {PACKAGE} was installed, but it does not start")


def _as_root() -> list[str] | None:
    """What to put before a command so that root does it; None when that cannot be had without a question."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and subprocess.run([sudo, "--non-interactive", "true"], capture_output=True).returncode == 0:
        return [sudo, "--non-interactive"]
    return None


def _no_browser(reason: str) -> NoBrowser:
    return NoBrowser(
        f"the tests of the web UI need a browser, and there is none: {reason}. Install Chromium or Chrome, "
        f"on Debian with `apt-get install {PACKAGE}`, and try again"
    )


if __name__ == "__main__":
    try:
        print(ready())
    except NoBrowser as reason:
        sys.exit(str(reason))
