"""Cases and invocations that name files: what they say of them is checked, and the files reach the target."""

from typing import Any

import pytest

from tests.api.calls import Caller, RunningServer
from tests.api.made_runs import target_of
from tests.api.routes.test_attachments import PATH, case_with, send
from tests.attachment_files import PDF, PNG
from tests.model_server import ModelServer


@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ([{"hash": "a" * 64}], "no file of this hash"),
        ([{"hash": "x"}], "should match pattern"),
        ([{"name": "a.txt"}], "Field required"),
        ([{"hash": "a" * 64}] * 11, "at most 10"),
        ("x", "valid tuple"),
    ],
)
async def test_a_case_names_files_that_are_there(editor: Caller, files: Any, fault: str) -> None:
    dataset = await editor.post("/api/eval/datasets", {"name": "data"})
    path = f"/api/eval/datasets/{dataset.body['id']}/cases"
    refused = await editor.post(path, {"prompt": "x", "attachments": files})
    assert refused.status == 422
    assert fault in refused.body["detail"]


async def test_what_a_case_says_of_a_file_is_checked(editor: Caller) -> None:
    file = (await send(editor, "bill.pdf", PDF)).body
    path, made = await case_with(editor, file)
    assert made.status == 201
    for fields, fault in (
        ({"size": 1}, "bytes, not 1"),
        ({"media_type": "image/png"}, "is application/pdf, not image/png"),
        ({"name": "../bill.pdf"}, "has a folder in it"),
    ):
        refused = await editor.post(path, {"key": "b", "prompt": "x", "attachments": [{**file, **fields}]})
        assert refused.status == 422
        assert fault in refused.body["detail"]
    twice = await editor.post(path, {"key": "b", "prompt": "x", "attachments": [file, file]})
    assert (twice.status, "two files are called" in twice.body["detail"]) == (422, True)


async def test_a_change_of_a_case_keeps_and_clears_its_files(editor: Caller) -> None:
    file = (await send(editor, "bill.pdf", PDF)).body
    path, made = await case_with(editor, file)
    kept = await editor.put(f"{path}/{made.body['id']}", {"name": "A bill"})
    assert kept.body["attachments"] == [file]
    cleared = await editor.put(f"{path}/{made.body['id']}", {"attachments": None})
    assert cleared.body["attachments"] == []
    assert (await editor.get(f"{PATH}/{file['hash']}")).body["cases"] == 0
    assert (await editor.put(f"{path}/{made.body['id']}", {"attachments": [file]})).body["attachments"] == [file]


async def test_a_target_is_invoked_with_files(editor: Caller, server: RunningServer, model_server: ModelServer) -> None:
    file = (await send(editor, "dot.png", PNG)).body
    path = f"/api/targets/{await target_of(server, model_server)}/invoke"
    body = {"input": "What is this?", "attachments": [{"hash": file["hash"], "name": "receipt.png"}]}
    answer = await editor.post(path, body)
    assert (answer.status, answer.body["outcome"]["failure"]) == (200, None)
    parts = model_server.requests[-1].body["messages"][-1]["content"]
    assert [part["type"] for part in parts] == ["text", "text", "image_url"]
    assert parts[1]["text"] == "File receipt.png (image/png):"
    refused = await editor.post(path, {"input": "x", "attachments": [{"hash": "b" * 64}]})
    assert (refused.status, refused.body["errors"][0]["pointer"]) == (422, "/attachments/0")


async def test_files_that_would_not_reach_a_target_are_refused(editor: Caller) -> None:
    file = (await send(editor, "dot.png", PNG)).body
    step = {"name": "ask", "kind": "human", "question": "Is it right?"}
    agent = {"name": "look", "kind": "agent", "agent": {"model": "openai:echo"}, "attachments": True}
    for kind, definition, reason in (
        ("http", {"url": "http://127.0.0.1:9/x"}, "has no {{attachments}}"),
        ("workflow", {"steps": [agent, step]}, "what waits for people goes on without them"),
    ):
        made = await editor.post("/api/targets", {"name": kind, "definition": {"kind": kind, **definition}})
        assert made.status == 201, made.body
        refused = await editor.post(f"/api/targets/{made.body['id']}/invoke", {"input": "x", "attachments": [file]})
        assert refused.status == 422
        assert reason in refused.body["detail"]
