"""`aloi serve` in a process of its own, over a home of its own, for a browser to visit."""

import os
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.command import ALOI

SECONDS_TO_END = 30


@dataclass(frozen=True, slots=True)
class Site:
    """A running server: `url` is its address without a slash, `link` signs its owner in, once."""

    url: str
    link: str
    environ: Mapping[str, str]

    def add_member(self, email: str, role: str) -> str:
        """Add a member by the command; the link that signs them in, once."""
        done = subprocess.run(
            [ALOI, "users", "add", email, "--role", role],
            env=self.environ,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        # The command names the usual port; this server has another one.
        return f"{self.url}/sign-in{done.stdout.strip().rpartition('/sign-in')[2]}"


@contextmanager
def serve_site(home: Path, **settings: str) -> Generator[Site]:
    """Run `aloi serve` on a free port over an empty home, with nothing of the developer's own settings.

    Args:
        home: its data folder, which also gets the server's messages.
        settings: environment variables, such as `ALOI_JUDGE_MODEL`.

    Raises:
        RuntimeError: it did not start; the message is what it said.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("ALOI_", "OPENAI_"))}
    environ = {**inherited, "ALOI_HOME": str(home), "NO_COLOR": "1", "COLUMNS": "200", **settings}
    home.mkdir(parents=True)
    messages = home / "messages.txt"
    with (
        messages.open("w") as stderr,
        subprocess.Popen(
            [ALOI, "serve", "--port", "0"], env=environ, stdout=subprocess.PIPE, stderr=stderr, text=True
        ) as process,
    ):
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            if not first:
                raise RuntimeError(f"the server did not start: {messages.read_text()}")
            yield Site(first.split()[-1], process.stdout.readline().split()[-1], environ)
        finally:
            process.terminate()
            try:
                process.wait(SECONDS_TO_END)
            finally:
                process.kill()
