"""Versions of saved evaluators over HTTP."""

from typing import Any

from tests.api.calls import Caller
from tests.api.routes.test_evaluators import ABSENT, PARIS, PATH, both, bound, made, pointers

ROME = {"kind": "contains", "text": "Rome"}


@both
async def test_listed_read_and_restored(editor: Caller, viewer: Caller) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    changed = (await editor.put(path, {"spec": ROME, "note": "Another town"})).body
    assert changed["version"] == 2
    page = (await viewer.get(f"{path}/versions")).body
    assert page["total"] == 2
    second, first = page["items"]
    assert (first["number"], first["spec"], first["note"], first["restores"]) == (1, PARIS, "", None)
    assert (second["number"], second["spec"], second["note"]) == (2, ROME, "Another town")
    assert second["created_by"] == "editor@example.org"
    assert (await viewer.get(f"{path}/versions/1")).body == first
    assert (await viewer.get(f"{path}/versions", page=2, size=1)).body["items"] == [first]
    restored = await editor.post(f"{path}/versions/1/restore")
    assert (restored.status, restored.body["version"], restored.body["spec"]) == (200, 3, PARIS)
    assert (await viewer.get(path)).body == restored.body
    assert (await viewer.get(f"{path}/versions/3")).body["restores"] == 1
    assert (await viewer.post(f"{path}/versions/1/restore")).status == 403


async def test_they_stay_when_it_is_deleted(editor: Caller, viewer: Caller, stranger: Caller) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    before = (await viewer.get(f"{path}/versions")).body
    assert (await stranger.get(f"{path}/versions")).status == 404
    assert (await editor.delete(path)).status == 204
    assert (await viewer.get(f"{path}/versions")).body == before
    assert (await editor.post(f"{path}/versions/1/restore")).status == 404


async def test_none_of_that_number(editor: Caller, viewer: Caller) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    assert (await viewer.get(f"{path}/versions/2")).status == 404
    assert (await editor.post(f"{path}/versions/2/restore")).status == 404
    for number in ("0", "-1", "x", "99999999999"):
        assert (await viewer.get(f"{path}/versions/{number}")).status == 422
    assert (await viewer.get(f"{PATH}/{ABSENT}/versions")).status == 404
    assert (await viewer.get(f"/api/eval/runs/{ABSENT}/evaluators")).status == 404


async def test_a_change_that_somebody_else_overtook(editor: Caller) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    old = (await editor.get(path)).headers["ETag"]
    changed = await editor.put(path, {"spec": ROME})
    restore = f"{path}/versions/1/restore"
    assert (await editor.post(restore, headers={"If-Match": old})).status == 412
    restored = await editor.post(restore, headers={"If-Match": changed.headers["ETag"]})
    assert restored.status == 200
    assert (await editor.put(path, {"name": "b"}, headers={"If-Match": restored.headers["ETag"]})).status == 200


async def test_a_dataset_shows_the_present_version(editor: Caller, viewer: Caller) -> None:
    saved = await made(editor)
    path = await bound(editor, "data", {"evaluator_id": saved["id"], "weight": 2})
    await editor.put(f"{PATH}/{saved['id']}", {"spec": ROME})
    [binding] = (await viewer.get(f"{path}/evaluators")).body
    assert (binding["version"], binding["spec"], binding["weight"]) == (2, ROME, 2)


async def test_a_note_is_bounded(editor: Caller) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    long: dict[str, Any] = {"spec": ROME, "note": "n" * 2001}
    assert pointers(await editor.put(path, long)) == ["/note"]
    assert pointers(await editor.put(path, {**long, "note": "a\0b"})) == ["/note"]
    assert (await editor.put(path, {**long, "note": None})).body["version"] == 2
