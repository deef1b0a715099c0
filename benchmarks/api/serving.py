"""`aloi serve` over a home of its own, and one who asks it as its owner."""

import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

ALOI = str(Path(sys.executable).with_name("aloi"))
# A server closes a connection that is idle for 5 seconds.
IDLE_SECONDS = 3
OVER = {"completed", "failed", "cancelled"}


class Answer(NamedTuple):
    """A parsed body and how many seconds it took until all of it was there."""

    body: Any
    seconds: float


class Owner:
    """Asks a server over one connection that stays open."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url = url
        self.token = token
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=120)
        self._used = time.perf_counter()

    def ask(self, method: str, path: str, body: Any = None) -> Answer:
        """Ask for something.

        Raises:
            RuntimeError: the answer is an error.
        """
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Origin": self.url}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        if time.perf_counter() - self._used > IDLE_SECONDS:
            self._connection.close()  # the next request opens it anew
        start = time.perf_counter()
        self._connection.request(method, path, data, headers)
        response = self._connection.getresponse()
        text = response.read()
        self._used = time.perf_counter()
        seconds = self._used - start
        if response.status >= 400:
            raise RuntimeError(f"{method} {path} was answered with {response.status}: {text[:500]!r}")
        return Answer(json.loads(text) if text else None, seconds)

    def get(self, path: str) -> Any:
        """Read something."""
        return self.ask("GET", path).body

    def post(self, path: str, body: Any) -> Any:
        """Make something."""
        return self.ask("POST", path, body).body

    def finished(self, run: str, pause: float = 0.2) -> Any:
        """A run when it is over, without its results."""
        while (found := self.get(f"/api/eval/runs/{run}/state"))["status"] not in OVER:
            time.sleep(pause)
        return found


@contextmanager
def serving(home: Path, database: str | None = None) -> Generator[Owner]:
    """Serve until the end of the block; `database` is the address of an empty PostgreSQL database, null for SQLite."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ALOI_")}
    environ["ALOI_HOME"] = str(home)
    if database is not None:
        environ["ALOI_DATABASE_URL"] = database
    command = [ALOI, "serve", "--port", "0"]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            url, link = (process.stdout.readline().split()[-1] for _ in range(2))
            token = Owner(url).post("/api/auth/link", {"token": link.partition("token=")[2]})["token"]
            yield Owner(url, token)
        finally:
            process.kill()
