"""`aloi serve` in a process of its own, and a caller who is signed in by the link that it printed."""

import json
import subprocess
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any

from aloi.client import connect
from aloi.core.binding import Binding
from aloi.settings import Settings
from aloi.targets.openai import OpenAI
from tests.e2e.command import ALOI, Command, until
from tests.service.started_runs import each

CONTAINS = ({"kind": "contains", "text": "case"},)


class Served:
    """A running server. `token` is of a session of its owner."""

    def __init__(self, aloi: Command, *options: str) -> None:
        self.aloi = aloi
        self.process = subprocess.Popen(
            [ALOI, "serve", "--port", "0", *options],
            env=aloi.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        if not first:
            raise RuntimeError(f"the server did not start: {self.process.communicate()[1]}")
        self.url = first.split()[-1]
        self.link = self.process.stdout.readline().split()[-1]
        self.token: str | None = None
        self.token = self.post("/api/auth/link", {"token": self.link.partition("token=")[2]})["token"]

    def get(self, path: str) -> Any:
        """Read something."""
        return self._ask("GET", path)

    def post(self, path: str, body: Any = None) -> Any:
        """Set something off."""
        return self._ask("POST", path, body)

    def run(self, run: dict[str, Any]) -> dict[str, Any]:
        """A run as it is now."""
        return self.get(f"/api/eval/runs/{run['id']}")

    def finished(self, run: dict[str, Any]) -> dict[str, Any]:
        """A run when it is finished."""
        until(lambda: self.run(run)["status"] not in ("pending", "running"))
        return self.run(run)

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, method=method)
        request.add_header("Content-Type", "application/json")
        request.add_header("Origin", self.url)
        if self.token is not None:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{error.code} {error.read().decode()}") from error

    def kill(self) -> None:
        """`kill -9`."""
        self.process.kill()
        self.process.communicate()

    def end(self, seconds: float = 30) -> tuple[str, str]:
        """Ask it to end, and wait; what it printed."""
        self.process.terminate()
        return self.process.communicate(timeout=seconds)


async def prepare(aloi: Command, models: str, cases: int | Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A dataset and a target in the database of the command's home; the body that starts a run of them."""
    settings = Settings(home=aloi.home, database_url=aloi.environ.get("ALOI_DATABASE_URL"))
    client = await connect(settings, {})
    try:
        given = [{"key": f"k{n}", "prompt": f"case {n:03}"} for n in range(cases)] if isinstance(cases, int) else cases
        bindings = [Binding.model_validate(spec) for spec in CONTAINS]
        saved = await client.save_dataset("data", each(given), bindings)
        version = await client.save_target("echo", OpenAI(model="echo", base_url=models))
        return {"dataset_id": saved.dataset_id, "target_version_id": version.id, "concurrency": 4}
    finally:
        await client.close()
