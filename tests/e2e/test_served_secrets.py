"""A model's key is in nothing that a server answers, keeps or logs, whatever the services do that get the key."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import requests

from aloi.core.spec import JsonObject
from tests.e2e.command import Command
from tests.e2e.serving import Served
from tests.llm.raw_server import http_answer, raw_server
from tests.model_server import Answer, ChatRequestBody, ModelServer
from tests.model_server.reply import Reply, error

SECRET = "pl4nted-secret"
NAME = "SOME_API_KEY"
SAID = f"You sent Authorization: Bearer {SECRET}"
# What `llm_judge` asks for; `behavior_judge` cannot use it, and says so.
VERDICT = json.dumps({"reasoning": SAID, "score": 1.0})
RUNS = "/api/eval/runs"


@pytest.fixture
def served(aloi: Command) -> Iterator[Served]:
    """A server that has the key in its environment."""
    aloi.environ[NAME] = SECRET
    server = Served(aloi)
    yield server
    if server.process.poll() is None:
        server.kill()


def leaking(request: ChatRequestBody) -> Reply:
    """A model that repeats its key: `answer` in what it says, `error` in its errors, `judge-...` as a judge."""
    match request.model:
        case "answer":
            return Answer(SAID)
        case "error":
            return error(401, SAID)
        case "judge-answer":
            return VERDICT
        case _:
            return Answer("fine")


class Visitor:
    """Somebody who looks at everything that there is."""

    def __init__(self, server: Served) -> None:
        self.server = server
        self.ask = requests.Session()
        self.ask.headers["Authorization"] = f"Bearer {server.token}"
        self.seen: dict[str, str] = {}

    def read(self, path: str) -> None:
        """Keep what a path answers."""
        answer = self.ask.get(self.server.url + path, timeout=30)
        assert answer.ok, (path, answer.text)
        self.seen[path] = answer.text

    def invoke(self, target: str) -> None:
        """Put an input to a target, at once and as a stream."""
        for stream in ("", "?stream=1"):
            path = f"/api/targets/{target}/invoke{stream}"
            answer = self.ask.post(self.server.url + path, json={"input": "Hi"}, timeout=30)
            assert answer.ok, answer.text
            self.seen[path] = answer.text

    def look_round(self, runs: Sequence[str], targets: Sequence[str]) -> None:
        """Read every list and every thing."""
        for path in ("/api/executions", "/api/targets", "/api/audit", "/api/models", "/api/eval/usage", RUNS):
            self.read(path)
        for execution in self.server.get("/api/executions?size=200")["items"]:
            self.read(f"/api/executions/{execution['id']}")
        for target in targets:
            self.read(f"/api/targets/{target}")
        for run in runs:
            for part in ("", "/state", "/progress", "/events", "/results", "/whole-results", "/results/a", "/cases/a"):
                self.read(f"{RUNS}/{run}{part}")
            for form in ("json", "csv", "junit", "html"):
                self.read(f"{RUNS}/{run}/export?format={form}")
            self.read(f"/api/eval/compare?a={runs[0]}&b={run}")


def story(server: Served, definitions: Sequence[JsonObject], judges: Sequence[JsonObject]) -> dict[str, str]:
    """Runs and invocations of all targets, then a run with each judge; all that can be read of them, by path."""
    dataset = server.post("/api/eval/datasets", {"name": "data"})["id"]
    server.post(f"/api/eval/datasets/{dataset}/cases", {"key": "a", "prompt": "Hi", "expected_behavior": "It greets."})
    visitor, runs, targets = Visitor(server), list[str](), list[str]()

    def run(**body: Any) -> None:
        started = server.post(RUNS, {"dataset_id": dataset, **body})
        server.finished(started)
        runs.append(started["id"])

    for number, definition in enumerate(definitions):
        made = server.post("/api/targets", {"name": f"target {number}", "definition": definition})
        targets.append(made["id"])
        run(target_id=made["id"], judge=judges[0], evaluators=[{"kind": "contains", "text": "Hi"}])
        visitor.invoke(made["id"])
    for judge in judges:
        rubric = {"kind": "llm_judge", "rubric": "Is it polite?"}
        run(target_id=targets[0], judge=judge, evaluators=[rubric, {"kind": "behavior_judge"}])
    visitor.look_round(runs, targets)
    return visitor.seen


async def test_a_key_is_nowhere(served: Served, model_server: ModelServer) -> None:
    model_server.reply = leaking
    key: JsonObject = {"base_url": model_server.url, "api_key_env": NAME}
    headers: JsonObject = {"Authorization": f"Bearer ${{{NAME}}}"}
    async with raw_server(http_answer(f'{{"error": "{SAID}"}}'.encode(), "401 Unauthorized")) as refusing:
        models: list[JsonObject] = [
            {"kind": kind, "model": model, **key}
            for kind in ("openai", "agent")
            for model in ("openai:answer", "openai:error")
        ]
        urls = (f"{model_server.root}/echo", refusing.url)
        services: list[JsonObject] = [{"kind": "http", "url": url, "headers": headers} for url in urls]
        definitions = [*models, *services]
        judges: list[JsonObject] = [{"model": f"openai:{name}", **key} for name in ("judge-answer", "error")]
        seen = await asyncio.to_thread(story, served, definitions, judges)
        assert SECRET.encode() in refusing.requests[0]
    assert all(SECRET in request.headers["Authorization"] for request in model_server.requests)
    out, err = await asyncio.to_thread(served.end)
    kept = b"".join(path.read_bytes() for path in served.aloi.home.rglob("*") if path.is_file())
    for text in (*seen.values(), out, err, kept.decode("latin-1")):
        assert SECRET not in text
    # Each service did tell it: with every target and every judge, in the run as in the invocation.
    told = [path for path, text in seen.items() if f"Bearer [{NAME}]" in text]
    assert sum("/invoke" in path for path in told) == 2 * len(definitions)
    assert sum("/whole-results" in path for path in told) == len(definitions) + len(judges)
