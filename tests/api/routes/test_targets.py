"""Targets over HTTP: created, listed, changed, deleted."""

import asyncio
from typing import Any

import pytest

from aloi.service import audit
from tests.api.calls import Caller, RunningServer
from tests.api.made_runs import finished_run
from tests.model_server import ModelServer
from tests.store.backends import BACKENDS

PATH = "/api/targets"
MODEL = {"kind": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1"}
ABSENT = "00000000-0000-7000-8000-00000000dead"
both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


async def made(editor: Caller, name: str = "bot", **fields: Any) -> dict[str, Any]:
    answer = await editor.post(PATH, {"name": name, "definition": MODEL, **fields})
    assert answer.status == 201, answer.body
    return answer.body


@both
async def test_created_read_changed_deleted(editor: Caller, viewer: Caller) -> None:
    target = await made(editor, description="Answers")
    assert (target["kind"], target["active"], target["versions"]) == ("openai", 1, 1)
    assert target["active_version"]["definition"] == MODEL
    path = f"{PATH}/{target['id']}"
    assert (await viewer.get(path)).body == target
    changed = (await editor.put(path, {"description": None})).body
    assert (changed["name"], changed["description"]) == ("bot", "")
    assert (await editor.put(path, {"name": "helper"})).body["name"] == "helper"
    assert changed["updated_at"] > target["updated_at"]
    assert (await editor.delete(path)).status == 204
    assert (await viewer.get(path)).status == 404
    assert (await viewer.get(PATH)).body["total"] == 0


@both
async def test_a_list_is_paged_searched_and_filtered(editor: Caller, viewer: Caller) -> None:
    await made(editor, "bot")
    await made(editor, "100%", description="Sure")
    await editor.post("/api/agents", {"name": "agent", "definition": {"model": "openai:m"}})
    listed = (await viewer.get(PATH, size=2)).body
    assert ([item["name"] for item in listed["items"]], listed["total"]) == (["agent", "100%"], 3)
    assert "active_version" not in listed["items"][0]

    async def names(path: str = PATH, q: str = "", **params: str) -> list[str]:
        return [item["name"] for item in (await viewer.get(path, None, q=q, **params)).body["items"]]

    assert await names(q="SURE") == ["100%"]
    assert await names(q="%") == ["100%"]
    assert await names(name="bot") == ["bot"]
    assert await names(kind="openai") == ["100%", "bot"]
    assert await names("/api/agents") == ["agent"]
    assert await names("/api/agents", q="bot") == []


async def test_a_workflow_is_a_target_of_that_kind(editor: Caller, viewer: Caller) -> None:
    steps: list[dict[str, Any]] = [{"name": "a", "kind": "transform", "template": "x"}]
    answer = await editor.post("/api/workflows", {"name": "w", "definition": {"steps": steps}})
    assert (answer.status, answer.body["kind"]) == (201, "workflow")
    await editor.post("/api/agents", {"name": "a", "definition": {"model": "openai:m"}})
    listed = (await viewer.get("/api/workflows")).body["items"]
    assert [item["name"] for item in listed] == ["w"]
    lost: list[Any] = [{**steps[0], "needs": ["b"]}]
    refused = await editor.post("/api/workflows", {"name": "x", "definition": {"steps": lost}})
    assert refused.status == 422
    assert refused.body["errors"][0]["pointer"].startswith("/definition/steps/0/needs")


async def test_an_agent_is_a_target_of_that_kind(editor: Caller) -> None:
    answer = await editor.post("/api/agents", {"name": "a", "definition": {"model": "openai:m", "kind": "openai"}})
    assert answer.status == 201
    assert (answer.body["kind"], answer.body["active_version"]["definition"]["kind"]) == ("agent", "agent")


@pytest.mark.parametrize(
    ("definition", "pointer"),
    [
        ({"kind": "openai"}, "/definition/model"),
        ({"kind": "nothing"}, "/definition/kind"),
        ({}, "/definition/kind"),
        ({"kind": "openai", "model": "m", "other": 1}, "/definition/other"),
        ({"kind": "openai", "model": "nul\0"}, "/definition/model"),
        ({"kind": "openai", "model": "half \ud800"}, "/definition/model"),
        ({"kind": "openai", "model": "m", "settings": {"temperature": float("nan")}}, "/definition"),
        ({"kind": "python", "function": "os:getcwd", "in_memory": True}, "/definition/in_memory"),
        ({"kind": "agent", "model": "openai:m", "tools": ["nothing"]}, "/definition/tools"),
    ],
)
async def test_a_definition_that_does_not_fit_is_refused_by_field(
    editor: Caller, definition: dict[str, Any], pointer: str
) -> None:
    answer = await editor.post(PATH, {"name": "bot", "definition": definition})
    assert answer.status == 422, answer.body
    assert answer.body["errors"][0]["pointer"].startswith(pointer)


@pytest.mark.parametrize("name", ["", "x" * 201, "nul\0", None])
async def test_a_name_that_does_not_do_is_refused(editor: Caller, name: str | None) -> None:
    answer = await editor.post(PATH, {"name": name, "definition": MODEL})
    assert (answer.status, answer.body["errors"][0]["pointer"]) == (422, "/name")
    path = f"{PATH}/{(await made(editor))['id']}"
    answer = await editor.put(path, {"name": name})
    assert (answer.status, answer.body["errors"][0]["pointer"]) == (422, "/name")


async def test_a_name_of_200_emoji(editor: Caller) -> None:
    assert (await made(editor, "🦜" * 200))["name"] == "🦜" * 200


async def test_a_name_is_unique_in_its_workspace(editor: Caller, stranger: Caller) -> None:
    await made(editor)
    other = await made(editor, "other")
    assert (await editor.post(PATH, {"name": "bot", "definition": MODEL})).status == 409
    assert (await editor.put(f"{PATH}/{other['id']}", {"name": "bot"})).status == 409
    await made(stranger)


async def test_a_stale_change_is_refused(editor: Caller) -> None:
    target = await made(editor)
    path = f"{PATH}/{target['id']}"
    read = (await editor.get(path)).headers["ETag"]
    assert (await editor.put(path, {"name": "b"}, headers={"If-Match": read})).status == 200
    for call in (
        editor.put(path, {"name": "c"}, headers={"If-Match": read}),
        editor.delete(path, headers={"If-Match": read}),
    ):
        assert (await call).status == 412
    assert (await editor.delete(path)).status == 204


@both
async def test_a_target_that_runs_evaluated_is_kept(
    editor: Caller, server: RunningServer, model_server: ModelServer
) -> None:
    run = await finished_run(editor, server, model_server, cases=1)
    [target] = (await editor.get(PATH)).body["items"]
    path = f"{PATH}/{target['id']}"
    answer = await editor.delete(path)
    assert (answer.status, "1 run evaluated" in answer.body["detail"]) == (409, True)
    assert (await editor.delete(f"/api/eval/runs/{run['id']}")).status == 204
    assert (await editor.delete(path)).status == 204


async def test_changes_are_in_the_audit_log(editor: Caller, server: RunningServer) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    await editor.put(path, {"name": "helper"})
    await editor.put(path, {"name": "helper"})
    await editor.delete(path)
    entries = (await audit.listing(server.context, action="target.")).items
    assert [entry.action for entry in entries] == ["target.delete", "target.update", "target.create"]
    assert {entry.actor for entry in entries} == {"editor@example.org"}
    assert (entries[1].before, entries[1].after) == ({"name": "bot"}, {"name": "helper"})


async def test_what_an_agent_is_made_of(editor: Caller, viewer: Caller) -> None:
    definition = {"model": "openai:m", "tools": ["calculator", {"kind": "datetime"}]}
    shop = [{"name": "shop", "url": "http://127.0.0.1:1/mcp"}]
    agent = (await editor.post("/api/agents", {"name": "a", "definition": {**definition, "mcp_servers": shop}})).body
    parts = (await viewer.get(f"{PATH}/{agent['id']}/components")).body
    assert [tool["name"] for tool in parts["tools"]] == ["calculator", "datetime"]
    assert all(tool["description"] for tool in parts["tools"])
    assert parts["tools"][0] == {
        "name": "calculator",
        "description": parts["tools"][0]["description"],
        "kind": "tool",
        "output_schema": {"type": "number"},
        "side_effect": False,
        "input_schema": None,
        "example": 0,
    }
    assert parts["skipped"] == ["shop"]
    plain = await made(editor)
    nothing = {"tools": [], "skipped": [], "refuses_attachments": None}
    assert (await viewer.get(f"{PATH}/{plain['id']}/components")).body == nothing


async def test_whether_a_version_takes_files(editor: Caller, viewer: Caller) -> None:
    mute = {"kind": "http", "url": "http://127.0.0.1:1/x"}
    target = (await editor.post(PATH, {"name": "h", "definition": mute})).body
    takes = {**mute, "body": {"files": "{{attachments}}"}}
    await editor.post(f"{PATH}/{target['id']}/versions", {"definition": takes})
    parts = f"{PATH}/{target['id']}/components"
    assert "{{attachments}}" in (await viewer.get(parts)).body["refuses_attachments"]
    assert (await viewer.get(f"{parts}?version=2")).body["refuses_attachments"] is None
    assert (await viewer.get(f"{parts}?version=3")).status == 404


async def test_two_who_create_the_same(editor: Caller, owner: Caller) -> None:
    body = {"name": "bot", "definition": MODEL}
    answers = await asyncio.gather(*(caller.post(PATH, body) for caller in (editor, owner) for _ in range(3)))
    assert sorted(answer.status for answer in answers) == [201, 409, 409, 409, 409, 409]
    assert (await editor.get(f"{PATH}/{ABSENT}")).status == 404
