"""Invoking over HTTP: an answer, a failure, a stream, a caller who leaves."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from aloi.core.access import Role
from aloi.service.context import Context
from aloi.settings import Settings
from tests.api.calls import Caller, RunningServer, running
from tests.api.conftest import member
from tests.model_server import Answer, ModelServer
from tests.service.stepwise import definition
from tests.service.stepwise import stepwise as stepwise
from tests.store.backends import BACKENDS

SECRET = "pl4nted-secret"
both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


@pytest.fixture
async def server(server_settings: Settings) -> AsyncIterator[RunningServer]:
    """A server proper, which holds definitions to the key policy."""
    context = await Context.open(server_settings, {"SOME_API_KEY": SECRET})
    try:
        async with running(replace(context, served=True)) as server:
            yield server
    finally:
        await context.close()


async def made(editor: Caller, models: ModelServer, model: str = "echo", kind: str = "agent", **fields: Any) -> str:
    """The path of a new target that asks the model server."""
    definition = {"kind": kind, "model": f"openai:{model}", "base_url": models.url, **fields}
    answer = await editor.post("/api/targets", {"name": "bot", "definition": definition})
    assert answer.status == 201, answer.body
    return f"/api/targets/{answer.body['id']}"


def always(text: str) -> Callable[[object], Answer]:
    """A model that says this, whatever it is asked."""
    return lambda _: Answer(text)


async def events_of(editor: Caller, path: str, body: Any, **options: Any) -> list[tuple[str, Any]]:
    """The events of a stream that ends."""
    options.setdefault("params", {"stream": "1"})
    answer = await editor.post(path, body, **options)
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/event-stream; charset=utf-8")
    found: list[tuple[str, Any]] = []
    for block in answer.body.strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


@both
async def test_an_answer_is_kept_with_its_trace(editor: Caller, viewer: Caller, model_server: ModelServer) -> None:
    path = await made(editor, model_server)
    answer = await editor.post(f"{path}/invoke", {"input": "Hé 🦜", "source": "runner"})
    execution = answer.body
    assert (answer.status, execution["outcome"]["output"]) == (200, "Hé 🦜")
    assert (execution["input"], execution["source"], execution["version"]) == ("Hé 🦜", "runner", 1)
    assert [span["name"] for span in execution["outcome"]["trace"]["spans"]] == ["invoke_agent", "chat echo"]
    assert (await viewer.get(f"/api/executions/{execution['id']}")).body == execution
    [day] = (await viewer.get("/api/eval/usage")).body["days"]
    assert (day["side"], day["usage"]["calls"]) == ("target", 1)
    assert day["usage"]["input_tokens"] == execution["outcome"]["usage"]["input_tokens"] > 0


async def test_a_version_is_named_or_the_active_one_taken(editor: Caller, model_server: ModelServer) -> None:
    path = await made(editor, model_server, "fixed:one")
    second = {"definition": {"model": "openai:fixed:two", "base_url": model_server.url}}
    await editor.post(f"{path}/versions", second)

    async def answer(**fields: int) -> Any:
        return (await editor.post(f"{path}/invoke", {"input": "Hi", **fields})).body["outcome"]["output"]

    assert (await answer(), await answer(version=2)) == ("one", "two")
    await editor.post(f"{path}/versions/2/activate")
    assert (await answer(), await answer(version=1)) == ("two", "one")
    assert (await editor.post(f"{path}/invoke", {"input": "Hi", "version": 3})).status == 404


@pytest.mark.parametrize("kind", ["agent", "openai"])
async def test_a_failure_of_the_target_is_a_fact(editor: Caller, model_server: ModelServer, kind: str) -> None:
    path = await made(editor, model_server, "status:400", kind)
    answer = await editor.post(f"{path}/invoke", {"input": "Hi"})
    assert (answer.status, answer.body["outcome"]["output"]) == (200, None)
    assert answer.body["outcome"]["failure"]["type"] == "http_status"
    listed = (await editor.get("/api/executions", status="error")).body
    assert listed["items"][0]["failure"] == answer.body["outcome"]["failure"]


async def test_a_missing_key_is_a_failure_too(editor: Caller, model_server: ModelServer) -> None:
    path = await made(editor, model_server, api_key_env="ABSENT_API_KEY")
    answer = await editor.post(f"{path}/invoke", {"input": "Hi"})
    assert (answer.status, answer.body["outcome"]["failure"]["type"]) == (200, "no_key")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"input": None},
        {"input": 1},
        {"input": "half \ud800"},
        {"input": {"x": float("inf")}},
        {"input": "Hi", "version": 0},
        {"input": "Hi", "version": 10**20},
        {"input": "Hi", "source": "run"},
    ],
)
async def test_only_wrong_input_is_refused(editor: Caller, model_server: ModelServer, body: dict[str, Any]) -> None:
    path = await made(editor, model_server)
    answer = await editor.post(f"{path}/invoke", body)
    assert answer.status == 422, answer.body
    assert model_server.stats.requests == 0


@both
async def test_outputs_that_are_hard_to_store(editor: Caller, model_server: ModelServer) -> None:
    path = await made(editor, model_server, kind="openai")
    for text, kept in (("half \ud800", "half \ufffd"), ("nul\0", "nul\0"), ("x" * 10_000_000, None), ("", "")):
        model_server.reply = always(text)
        answer = await editor.post(f"{path}/invoke", {"input": "Hi"})
        assert answer.status == 200, answer.body
        assert answer.body["outcome"]["output"] == (text if kept is None else kept)
        assert (await editor.get(f"/api/executions/{answer.body['id']}")).body == answer.body
    listed = (await editor.get("/api/executions", q="nul")).body
    assert listed["total"] == 1
    assert all(len(item["output"]) <= 300 for item in (await editor.get("/api/executions")).body["items"])


async def test_a_stream_shows_each_span_and_then_the_execution(editor: Caller, model_server: ModelServer) -> None:
    path = await made(editor, model_server, 'tool-once:calculator:{"expression": "17 * 23"}', tools=["calculator"])
    found = await events_of(editor, f"{path}/invoke", {"input": "What is 17 * 23?"})
    assert [name for name, _ in found] == ["span"] * 4 + ["execution"]
    spans = [data for _, data in found[:-1]]
    assert [span["operation"] for span in spans] == ["chat", "execute_tool", "chat", "invoke_agent"]
    assert all("attributes" not in span for span in spans)
    execution = found[-1][1]
    assert execution["outcome"]["output"] == "The answer is 391."
    assert {span["span_id"] for span in spans} == {s["span_id"] for s in execution["outcome"]["trace"]["spans"]}
    accepted = await events_of(
        editor, f"{path}/invoke", {"input": "?"}, params={}, headers={"Accept": "text/event-stream"}
    )
    assert accepted[-1][0] == "execution"


@pytest.mark.usefixtures("stepwise")
async def test_a_stream_of_one_that_waits(editor: Caller, tmp_path: Path) -> None:
    spec = definition(tmp_path, "a", "ask", "b")
    path = f"/api/targets/{(await editor.post('/api/targets', {'name': 'flow', 'definition': spec})).body['id']}"
    found = await events_of(editor, f"{path}/invoke", {"input": "Hi"})
    assert [(kind, data.get("name")) for kind, data in found] == [
        ("span", "step a"),
        ("span", "invoke_workflow"),
        ("execution", None),
    ]
    assert (found[-1][1]["status"], found[-1][1]["human_steps"][0]["step"]) == ("waiting", "ask")


async def test_a_stream_that_cannot_begin_is_an_ordinary_error(editor: Caller, model_server: ModelServer) -> None:
    path = await made(editor, model_server)
    answer = await editor.post(f"{path}/invoke?stream=1", {"input": "Hi", "version": 7})
    assert (answer.status, answer.body["code"]) == (404, "not_found")


@pytest.mark.parametrize("stream", ["", "?stream=1"])
async def test_a_caller_who_leaves_stops_the_target(editor: Caller, model_server: ModelServer, stream: str) -> None:
    path = await made(editor, model_server, "hang")
    call = asyncio.create_task(editor.post(f"{path}/invoke{stream}", {"input": "Hi"}))
    async with asyncio.timeout(5):
        await model_server.until(lambda stats: stats.in_flight == 1)
        call.cancel()
        await model_server.until(lambda stats: stats.in_flight == 0)
        while not (listed := (await editor.get("/api/executions")).body["items"]):
            await asyncio.sleep(0.01)
    assert listed[0]["failure"]["type"] == "cancelled"


async def test_no_more_at_once_than_the_process_bears(
    editor: Caller, server: RunningServer, model_server: ModelServer
) -> None:
    path = await made(editor, model_server)
    server.context.invoking = asyncio.Semaphore(0)
    for stream in ("", "?stream=1"):
        answer = await editor.post(f"{path}/invoke{stream}", {"input": "Hi"})
        assert (answer.status, answer.headers["Retry-After"]) == (429, "1")
    assert model_server.stats.requests == 0


@pytest.mark.parametrize("kind", ["agent", "openai"])
@pytest.mark.parametrize("stream", ["", "?stream=1"])
async def test_a_key_that_the_model_repeats_is_nowhere(
    editor: Caller, server: RunningServer, model_server: ModelServer, kind: str, stream: str
) -> None:
    path = await made(editor, model_server, kind=kind, api_key_env="SOME_API_KEY")
    model_server.reply = always(f"The key is {SECRET}")
    answer = str((await editor.post(f"{path}/invoke{stream}", {"input": "Hi"})).body)
    assert model_server.requests[0].headers["Authorization"] == f"Bearer {SECRET}"
    assert ("The key is [SOME_API_KEY]" in answer, SECRET in answer) == (True, False)
    home = server.context.settings.home
    assert SECRET.encode() not in b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())


async def test_a_workspace_elsewhere_sees_nothing_of_it(
    server: RunningServer, editor: Caller, stranger: Caller, model_server: ModelServer
) -> None:
    path = await made(editor, model_server)
    execution = (await editor.post(f"{path}/invoke", {"input": "Hi"})).body
    assert (await stranger.post(f"{path}/invoke", {"input": "Hi"})).status == 404
    assert (await stranger.get(f"/api/executions/{execution['id']}")).status == 404
    assert (await stranger.get("/api/executions")).body["total"] == 0
    assert (await stranger.get("/api/eval/usage")).body["days"] == []
    assert (await (await member(server, Role.VIEWER)).post(f"{path}/invoke", {"input": "Hi"})).status == 403
