"""Saved evaluators over HTTP, and the datasets that bind them."""

from typing import Any

import pytest

from aloi.service import audit
from tests.api.calls import Answer, Caller, RunningServer
from tests.store.backends import BACKENDS

PATH = "/api/eval/evaluators"
DATASETS = "/api/eval/datasets"
PARIS = {"kind": "contains", "text": "Paris"}
ABSENT = "00000000-0000-7000-8000-00000000dead"
both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


async def made(editor: Caller, name: str = "capital", **fields: Any) -> dict[str, Any]:
    answer = await editor.post(PATH, {"name": name, "spec": PARIS, **fields})
    assert answer.status == 201, answer.body
    return answer.body


async def bound(editor: Caller, name: str, *evaluators: dict[str, Any]) -> str:
    """The path of a new dataset that binds these."""
    path = f"{DATASETS}/{(await editor.post(DATASETS, {'name': name})).body['id']}"
    assert (await editor.put(f"{path}/evaluators", evaluators)).status == 200
    return path


def pointers(answer: Answer) -> list[str]:
    assert answer.status == 422, answer.body
    return [fault["pointer"] for fault in answer.body["errors"]]


@both
async def test_created_read_changed_deleted(editor: Caller, viewer: Caller) -> None:
    saved = await made(editor, description="Knows it")
    path = f"{PATH}/{saved['id']}"
    assert (await viewer.get(path)).body == saved
    assert (saved["spec"], saved["datasets"]) == (PARIS, 0)
    changed = (await editor.put(path, {"description": None, "spec": {"kind": "regex", "pattern": "P.*s"}})).body
    assert (changed["name"], changed["description"], changed["spec"]["kind"]) == ("capital", "", "regex")
    assert (await editor.delete(path)).status == 204
    assert (await viewer.get(path)).status == 404


async def test_a_name_is_unique_in_its_workspace(editor: Caller, stranger: Caller) -> None:
    await made(editor)
    other = await made(editor, "other")
    assert (await editor.post(PATH, {"name": "capital", "spec": PARIS})).status == 409
    assert (await editor.put(f"{PATH}/{other['id']}", {"name": "capital"})).status == 409
    await made(stranger)


@both
async def test_listed(editor: Caller, viewer: Caller) -> None:
    first = await made(editor, "first", description="About 100% of towns")
    await made(editor, "second", spec={"kind": "regex", "pattern": "a"})
    await made(editor, "third")
    await bound(editor, "a", {"evaluator_id": first["id"]}, PARIS)
    await bound(editor, "b", {"evaluator_id": first["id"]})
    page = (await viewer.get(PATH, size=2)).body
    assert (page["total"], page["pages"]) == (3, 2)
    assert [item["name"] for item in page["items"]] == ["third", "second"]
    [last] = (await viewer.get(PATH, page=2, size=2)).body["items"]
    assert (last["name"], last["datasets"]) == ("first", 2)
    for query, names in (
        ({"kind": "regex"}, ["second"]),
        ({"q": "100%"}, ["first"]),
        ({"q": "THIRD"}, ["third"]),
        ({"q": "contains"}, []),
        ({"kind": "nope"}, []),
    ):
        assert [item["name"] for item in (await viewer.call("GET", PATH, params=query)).body["items"]] == names


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"name": ""}, "/name"),
        ({"name": "n" * 201}, "/name"),
        ({"name": "nul \0"}, "/name"),
        ({"name": None}, "/name"),
        ({"spec": {}}, "/spec/kind"),
        ({"spec": None}, "/spec"),
        ({"spec": {"kind": "contanis"}}, "/spec/kind"),
        ({"spec": {"kind": "contains", "txet": "a"}}, "/spec/txet"),
        ({"spec": {"kind": "contains", "text": "lone \ud800"}}, "/spec/text"),
        ({"spec": {"kind": "exact_match", "expected": float("inf")}}, "/spec"),
        ({"owner": "me"}, "/owner"),
    ],
)
async def test_what_does_not_fit_is_pointed_at(editor: Caller, fields: Any, pointer: str) -> None:
    saved = await made(editor)
    assert pointers(await editor.post(PATH, {"name": "new", "spec": PARIS, **fields})) == [pointer]
    assert pointers(await editor.put(f"{PATH}/{saved['id']}", fields)) == [pointer]


async def test_code_needs_leave(editor: Caller, server: RunningServer) -> None:
    server.context.settings = server.context.settings.model_copy(update={"allow_code": False})
    answer = await editor.post(PATH, {"name": "mine", "spec": {"kind": "python", "function": "os:getcwd"}})
    assert (answer.status, answer.body["code"]) == (403, "not_permitted")


async def test_two_editors(editor: Caller, owner: Caller) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    read = (await editor.get(path)).headers["ETag"]
    await bound(owner, "data", {"evaluator_id": path.rpartition("/")[2]})
    assert (await owner.put(path, {"description": "theirs"}, headers={"If-Match": read})).status == 200
    assert (await editor.put(path, {"description": "mine"}, headers={"If-Match": read})).status == 412
    assert (await editor.delete(path, headers={"If-Match": read})).status == 412


@both
async def test_a_change_reaches_every_dataset_that_binds_it(editor: Caller) -> None:
    saved = await made(editor)
    datasets = [
        await bound(editor, "a", {"evaluator_id": saved["id"], "weight": 3}, {"kind": "contains", "text": "x"}),
        await bound(editor, "b", {"evaluator_id": saved["id"]}),
    ]
    other = await bound(editor, "c", {**PARIS, "name": "capital"})
    changed = {"name": "city", "spec": {"kind": "contains", "text": "Lyon"}}
    assert (await editor.put(f"{PATH}/{saved['id']}", changed)).status == 200
    for path, weight in zip(datasets, (3, 1), strict=True):
        found = (await editor.get(f"{path}/evaluators")).body
        assert found[0] == {**changed, "weight": weight, "evaluator_id": saved["id"], "version": 2}
    assert len((await editor.get(f"{datasets[0]}/evaluators")).body) == 2
    [kept] = (await editor.get(f"{other}/evaluators")).body
    assert (kept["name"], kept["spec"]) == ("capital", PARIS)


async def test_one_that_datasets_bind_is_not_deleted(editor: Caller) -> None:
    saved = await made(editor)
    path = await bound(editor, "Questions", {"evaluator_id": saved["id"]})
    answer = await editor.delete(f"{PATH}/{saved['id']}")
    assert (answer.status, answer.body["code"]) == (409, "conflict")
    assert "Questions" in answer.body["detail"]
    await editor.put(f"{path}/evaluators", [])
    assert (await editor.delete(f"{PATH}/{saved['id']}")).status == 204


async def test_a_name_that_criteria_use_is_kept(editor: Caller) -> None:
    saved = await made(editor)
    path = await bound(editor, "Questions", {"evaluator_id": saved["id"]})
    case = await editor.post(f"{path}/cases", {"prompt": "x", "key": "k7", "criteria": {"capital": {"text": "Bonn"}}})
    assert case.status == 201, case.body
    answer = await editor.put(f"{PATH}/{saved['id']}", {"name": "city"})
    assert answer.status == 409
    assert "k7" in answer.body["detail"] and "'Questions'" in answer.body["detail"]
    assert (await editor.put(f"{PATH}/{saved['id']}", {"description": "fine"})).status == 200
    await editor.put(f"{path}/cases/{case.body['id']}", {"criteria": None})
    assert (await editor.put(f"{PATH}/{saved['id']}", {"name": "city"})).status == 200


async def test_a_name_that_a_dataset_knows_another_by_is_refused(editor: Caller) -> None:
    saved = await made(editor)
    await bound(editor, "Questions", {"evaluator_id": saved["id"]}, {**PARIS, "name": "city"})
    answer = await editor.put(f"{PATH}/{saved['id']}", {"name": "city"})
    assert answer.status == 409 and "'Questions'" in answer.body["detail"]
    assert (await editor.get(f"{PATH}/{saved['id']}")).body["name"] == "capital"


async def test_others_do_not_see_it(editor: Caller, stranger: Caller) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    assert (await stranger.get(PATH)).body["total"] == 0
    for answer in (
        await stranger.get(path),
        await stranger.put(path, {"name": "x"}),
        await stranger.delete(path),
        await editor.get(f"{PATH}/{ABSENT}"),
        await editor.get(f"{PATH}/capital"),
    ):
        assert answer.status == 404


async def test_what_is_written_down(editor: Caller, server: RunningServer) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    await editor.put(path, {"spec": {"kind": "contains", "text": "Lyon"}})
    await editor.delete(path)
    deleted, changed, created = (await audit.listing(server.context, q="capital")).items
    assert (created.action, created.after) == ("evaluator.create", {"name": "capital", "spec": PARIS})
    assert changed.before == {"spec": PARIS, "version": 1}
    assert changed.after == {"spec": {"kind": "contains", "text": "Lyon"}, "version": 2}
    assert (deleted.action, deleted.before, deleted.after) == (
        "evaluator.delete",
        {"name": "capital", **(changed.after or {})},
        None,
    )
