"""The versions of a target over HTTP."""

import asyncio
from typing import Any

import pytest

from aloi.service import audit
from tests.api.calls import Caller, RunningServer
from tests.api.routes.test_targets import MODEL, PATH, made
from tests.store.backends import BACKENDS

both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


def worded(instructions: str) -> dict[str, Any]:
    return {"definition": {**MODEL, "instructions": instructions}}


@both
async def test_added_listed_read_activated(editor: Caller, viewer: Caller) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    answer = await editor.post(f"{path}/versions", {**worded("Be brief."), "note": "shorter"})
    assert (answer.status, answer.body["number"], answer.body["note"]) == (201, 2, "shorter")
    target = (await viewer.get(path)).body
    assert (target["active"], target["versions"]) == (1, 2)
    listed = (await viewer.get(f"{path}/versions", size=1)).body
    assert (listed["total"], [item["number"] for item in listed["items"]]) == (2, [2])
    activated = await editor.post(f"{path}/versions/2/activate")
    assert (activated.status, activated.body["active"]) == (200, 2)
    assert activated.body["active_version"] == answer.body == (await viewer.get(f"{path}/versions/2")).body
    assert (await viewer.get(path)).headers["ETag"] == activated.headers["ETag"]


@both
async def test_a_note_that_not_every_database_keeps_is_refused(editor: Caller) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    answer = await editor.post(f"{path}/versions", {**worded("Be brief."), "note": "a\0b"})
    assert (answer.status, answer.body["errors"][0]["pointer"]) == (422, "/note")
    assert (await editor.get(path)).body["versions"] == 1


async def test_the_same_definition_is_the_same_version(editor: Caller) -> None:
    path = f"{PATH}/{(await made(editor))['id']}/versions"
    assert (await editor.post(path, worded("Be brief."))).status == 201
    again = await editor.post(path, {"definition": MODEL, "note": "back"})
    assert (again.status, again.body["number"], again.body["note"]) == (200, 1, "")
    without_kind = {name: value for name, value in MODEL.items() if name != "kind"}
    assert (await editor.post(path, {"definition": without_kind})).body["number"] == 1


async def test_a_version_is_of_its_targets_kind(editor: Caller) -> None:
    path = f"{PATH}/{(await made(editor))['id']}/versions"
    answer = await editor.post(path, {"definition": {"kind": "agent", "model": "openai:m"}})
    assert (answer.status, "of kind openai, not agent" in answer.body["detail"]) == (409, True)
    answer = await editor.post(path, {"definition": {}})
    assert answer.body["errors"][0]["pointer"] == "/definition/model"


@pytest.mark.parametrize("number", ["0", "-1", "3", "1000000000000000000000", "x"])
async def test_a_version_that_is_not_there(editor: Caller, number: str) -> None:
    path = f"{PATH}/{(await made(editor))['id']}/versions/{number}"
    expected = 404 if number == "3" else 422
    assert (await editor.get(path)).status == expected
    assert (await editor.post(f"{path}/activate")).status == expected


@both
async def test_of_two_who_read_the_same_only_one_changes_it(editor: Caller, owner: Caller) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    await editor.post(f"{path}/versions", worded("2"))
    await editor.post(f"{path}/versions", worded("3"))
    read = {"If-Match": (await editor.get(path)).headers["ETag"]}
    calls = (
        editor.post(f"{path}/versions/2/activate", headers=read),
        owner.post(f"{path}/versions/3/activate", headers=read),
    )
    assert sorted(answer.status for answer in await asyncio.gather(*calls)) == [200, 412]
    assert (await editor.post(f"{path}/versions", worded("4"), headers=read)).status == 412


@both
async def test_each_activation_is_in_the_log_with_what_was_before(
    editor: Caller, owner: Caller, server: RunningServer
) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    for words in "234":
        await editor.post(f"{path}/versions", worded(words))
    callers = (editor, owner, editor, owner)
    await asyncio.gather(*(c.post(f"{path}/versions/{n}/activate") for n, c in enumerate(callers, start=1)))
    entries = (await audit.listing(server.context, action="version.activate")).items
    chain = [entry.before["active"] for entry in reversed(entries) if entry.before]
    chain.append((entries[0].after or {})["active"])
    # Each found what the one before had left, so none was lost.
    assert chain[0] == 1
    assert [(entry.after or {})["active"] for entry in reversed(entries)] == chain[1:]
    assert (await editor.get(path)).body["active"] == chain[-1]
    created = (await audit.listing(server.context, action="version.create")).items
    assert [entry.object_name for entry in created] == ["bot@4", "bot@3", "bot@2"]
