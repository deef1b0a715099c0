"""The loopback model server of the tests, in a process of its own."""

import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

ROOT = Path(__file__).parents[1]


class Seen(NamedTuple):
    """What the server saw since the last reset: requests, and when the first came (seconds of the epoch)."""

    requests: int
    first_at: float


class Server(NamedTuple):
    """A running server; `url` is the base address of the OpenAI protocol."""

    url: str

    def seen(self) -> Seen:
        """What it saw. Raises RuntimeError when that is nothing."""
        stats = self._ask(Request(self._address("stats")))
        if not stats["requests"]:
            raise RuntimeError("no request came in")
        return Seen(stats["requests"], stats["first_at"])

    def reset(self) -> None:
        """Forget what it saw."""
        self._ask(Request(self._address("reset"), method="POST"))

    def _address(self, path: str) -> str:
        return f"{self.url.removesuffix('/v1')}/{path}"

    def _ask(self, request: Request) -> dict[str, Any]:
        with urlopen(request) as response:
            return json.load(response)


@contextmanager
def model_server(latency: float) -> Generator[Server]:
    """Serve until the end of the block; every answer takes `latency` seconds.

    The package `tests.model_server` has a like function, but importing it takes memory, which `spawn` says to spare.
    """
    command = [sys.executable, "-m", "tests.model_server", "--until-stdin-closes", "--latency", str(latency)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Server(process.stdout.readline().strip())
        finally:
            process.kill()
