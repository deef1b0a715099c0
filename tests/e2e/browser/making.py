"""Makes agents, datasets and runs over the API, for tests that are not about the forms."""

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import APIResponse, BrowserContext, FilePayload

from tests.e2e.browser.site import Site

Json = dict[str, Any]
RUNS = "/api/eval/runs"
SCHEDULES = "/api/eval/schedules"


class Making:
    """Asks the server with the cookie of a signed-in browser."""

    def __init__(self, context: BrowserContext, site: Site) -> None:
        self._request = context.request
        self._site = site

    def post(self, path: str, body: Json) -> Json:
        """Make something."""
        headers = {"Origin": self._site.url}
        return _json(self._request.post(self._site.url + path, data=body, headers=headers))

    def put(self, path: str, body: Json) -> Json:
        """Set something."""
        headers = {"Origin": self._site.url}
        return _json(self._request.put(self._site.url + path, data=body, headers=headers))

    def upload(self, path: str, file: FilePayload) -> Json:
        """Send a file."""
        headers = {"Origin": self._site.url}
        return _json(self._request.post(self._site.url + path, multipart={"file": file}, headers=headers))

    def get(self, path: str) -> Any:
        """Read something."""
        return _json(self._request.get(self._site.url + path))

    def agent(self, name: str, endpoint: str, model: str = "echo", **definition: Any) -> str:
        """An agent on a model of an endpoint; its id."""
        definition = {"model": f"openai:{model}", "base_url": endpoint, **definition}
        return self.post("/api/agents", {"name": name, "definition": definition})["id"]

    def dataset(self, name: str, cases: Sequence[Json], **more: Any) -> str:
        """A dataset with cases; its id."""
        id_ = self.post("/api/eval/datasets", {"name": name, **more})["id"]
        for case in cases:
            self.post(f"/api/eval/datasets/{id_}/cases", case)
        return id_

    def run(self, target: str, dataset: str, **more: Any) -> str:
        """A run that has started; its id."""
        return self.post(RUNS, {"target_id": target, "dataset_id": dataset, **more})["id"]


def judge(endpoint: str, model: str = "judge-pass") -> Json:
    """The judge of a run."""
    return {"model": f"openai:{model}", "base_url": endpoint}


def containing(text: str) -> list[Json]:
    """The evaluators of a case that needs no judge."""
    return [{"kind": "contains", "text": text}]


def _json(response: APIResponse) -> Any:
    assert response.ok, f"{response.status} {response.url}: {response.text()}"
    return response.json()
