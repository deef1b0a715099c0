"""Datasets over HTTP: created, changed, listed, deleted, and the evaluators bound to them."""

from typing import Any

import pytest

from aloi.service import audit
from tests.api.calls import Answer, Caller, RunningServer
from tests.api.made_runs import finished, finished_run, ready, started
from tests.model_server import ModelServer
from tests.store.backends import BACKENDS

PATH = "/api/eval/datasets"
ABSENT = "00000000-0000-7000-8000-00000000dead"
both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


async def made(editor: Caller, name: str = "data", **fields: Any) -> dict[str, Any]:
    answer = await editor.post(PATH, {"name": name, **fields})
    assert answer.status == 201, answer.body
    return answer.body


async def an_evaluator(editor: Caller, name: str = "capital", text: str = "Paris") -> dict[str, Any]:
    body = {"name": name, "spec": {"kind": "contains", "text": text}}
    answer = await editor.post("/api/eval/evaluators", body)
    assert answer.status == 201, answer.body
    return answer.body


def pointers(answer: Answer) -> list[str]:
    assert answer.status == 422, answer.body
    return [fault["pointer"] for fault in answer.body["errors"]]


@both
async def test_created_read_changed_deleted(editor: Caller, viewer: Caller) -> None:
    dataset = await made(editor, description="Questions of Paris", judge_samples=3)
    assert dataset["bindings"] == [] and dataset["target_id"] is None
    path = f"{PATH}/{dataset['id']}"
    assert (await viewer.get(path)).body == dataset
    answer = await editor.put(path, {"description": None})
    assert (answer.status, answer.body["description"], answer.body["judge_samples"]) == (200, "", 3)
    answer = await editor.put(path, {"name": "other", "judge_samples": None})
    assert (answer.body["name"], answer.body["judge_samples"]) == ("other", 1)
    assert (await editor.delete(path)).status == 204
    assert (await viewer.get(path)).status == 404
    assert (await editor.delete(path)).status == 404


async def test_a_name_is_unique_in_its_workspace(editor: Caller, stranger: Caller) -> None:
    await made(editor)
    other = await made(editor, "other")
    assert (await editor.post(PATH, {"name": "data"})).status == 409
    assert (await editor.put(f"{PATH}/{other['id']}", {"name": "data"})).status == 409
    assert (await editor.put(f"{PATH}/{other['id']}", {"name": "other"})).status == 200
    await made(stranger)


async def test_two_editors(editor: Caller, owner: Caller) -> None:
    dataset = await made(editor)
    path = f"{PATH}/{dataset['id']}"
    read = (await editor.get(path)).headers["ETag"]
    await owner.post(f"{path}/cases", {"prompt": "hi"})
    answer = await owner.put(path, {"name": "theirs"}, headers={"If-Match": read})
    assert answer.status == 200  # a case that somebody adds is no change of the dataset's own fields
    assert answer.headers["ETag"] == (await editor.get(path)).headers["ETag"] != read
    for stale in (
        await editor.put(path, {"name": "mine"}, headers={"If-Match": read}),
        await editor.put(f"{path}/evaluators", [], headers={"If-Match": read}),
        await editor.delete(path, headers={"If-Match": read}),
    ):
        assert (stale.status, stale.body["code"]) == (412, "stale")
    assert (await editor.put(path, {"name": "mine"})).body["name"] == "mine"


@both
async def test_listed(editor: Caller, server: RunningServer, model_server: ModelServer) -> None:
    for name in ("Été à Paris", "50% off", "500 off"):
        await made(editor, name, description=f"about {name}")
    run = await finished_run(editor, server, model_server, name="ran")
    await editor.put(f"{PATH}/{run['dataset_id']}", {"target_id": run["spec"]["target_version_id"]})
    page = (await editor.get(PATH, size=3)).body
    assert (page["total"], page["pages"], page["page"], page["size"]) == (4, 2, 1, 3)
    ran = page["items"][0]
    assert (ran["name"], ran["case_count"], ran["runnable"], ran["evaluator_count"]) == ("ran", 3, True, 1)
    assert ran["last_run"] == {
        "id": run["id"],
        "status": "completed",
        "passed": 3,
        "decided": 3,
        "finished_at": run["finished_at"],
    }
    assert (page["items"][1]["last_run"], page["items"][1]["runnable"]) == (None, False)

    async def names(**query: Any) -> list[str]:
        return [item["name"] for item in (await editor.get(PATH, **query)).body["items"]]

    assert await names(q="50%") == ["50% off"]
    assert await names(q="ABOUT") == ["500 off", "50% off", "Été à Paris"]
    assert await names(name="Été à Paris") == ["Été à Paris"]
    assert await names(name="été à paris") == []
    assert await names(page=2, size=3) == ["Été à Paris"]
    assert await names(page=1_000_000) == []
    assert await names(target_id=ABSENT) == []


@both
async def test_its_target(editor: Caller, server: RunningServer, model_server: ModelServer) -> None:
    body = await ready(server, model_server)
    path = f"{PATH}/{body['dataset_id']}"
    answer = await editor.put(path, {"target_id": body["target_id"]})
    assert answer.body["target_id"] == body["target_id"]
    found = (await editor.get(PATH, target_id=body["target_id"])).body["items"]
    assert [item["id"] for item in found] == [body["dataset_id"]]
    assert (await editor.put(path, {"target_id": ABSENT})).status == 404
    assert (await editor.put(path, {"target_id": None})).body["target_id"] is None


async def test_deleting_one_that_a_live_run_works_on(
    editor: Caller, server: RunningServer, model_server: ModelServer
) -> None:
    run = await started(editor, await ready(server, model_server, cases=20))
    assert (await editor.delete(f"{PATH}/{run['dataset_id']}")).status == 204
    ended = await finished(editor, run)
    assert (ended["status"], ended["summary"]["passed"]) == ("completed", 20)


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/name"),
        ({"name": ""}, "/name"),
        ({"name": "n" * 201}, "/name"),
        ({"name": None}, "/name"),
        ({"name": "x", "judge_samples": 6}, "/judge_samples"),
        ({"name": "x", "judge_samples": 0}, "/judge_samples"),
        ({"name": "x", "owner": "me"}, "/owner"),
        ({"name": "nul \0"}, "/name"),
        ({"name": "x", "description": "lone \ud800"}, "/description"),
        ([], ""),
        ("x", ""),
    ],
)
async def test_what_does_not_fit_is_pointed_at(editor: Caller, body: Any, pointer: str) -> None:
    assert pointers(await editor.post(PATH, body)) == [pointer]


async def test_a_change_that_does_not_fit(editor: Caller) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    assert pointers(await editor.put(path, {"name": None})) == ["/name"]
    assert pointers(await editor.put(path, {"description": "nul \0"})) == ["/description"]
    assert (await editor.get(path)).body["name"] == "data"


@both
@pytest.mark.parametrize("name", ["😀" * 200, "<script>alert(1)</script>", "'; DROP TABLE datasets; --", " ", "a\r\nb"])
async def test_odd_names_come_back_as_they_were(editor: Caller, name: str) -> None:
    dataset = await made(editor, name)
    assert dataset["name"] == name
    assert [item["name"] for item in (await editor.get(PATH, name=name)).body["items"]] == [name]


@pytest.mark.parametrize("size", ["0", "-1", "1000000000", "x", ""])
async def test_page_sizes_out_of_bounds(viewer: Caller, size: str) -> None:
    for path in (PATH, "/api/eval/evaluators", f"{PATH}/{ABSENT}/cases"):
        assert pointers(await viewer.get(path, size=size)) == ["size"]
    assert pointers(await viewer.get(PATH, page="0")) == ["page"]


@both
@pytest.mark.parametrize("query", [{"q": "\0"}, {"name": "\0"}, {"target_id": "x"}])
async def test_queries_that_make_no_sense(viewer: Caller, query: dict[str, str]) -> None:
    assert (await viewer.call("GET", PATH, params=query)).status in (200, 422)


async def test_others_do_not_see_it(editor: Caller, stranger: Caller) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    assert (await stranger.get(PATH)).body["total"] == 0
    for answer in (
        await stranger.get(path),
        await stranger.put(path, {"name": "mine"}),
        await stranger.delete(path),
        await stranger.get(f"{path}/evaluators"),
        await stranger.put(f"{path}/evaluators", []),
        await editor.get(f"{PATH}/{ABSENT}"),
        await editor.get(f"{PATH}/data"),  # a name is no id
    ):
        assert (answer.status, answer.body["code"]) == (404, "not_found")


async def test_what_is_written_down(editor: Caller, server: RunningServer) -> None:
    dataset = await made(editor, description="d" * 1000)
    path = f"{PATH}/{dataset['id']}"
    await editor.put(path, {"name": "other"})
    await editor.put(path, {"name": "other"})  # changes nothing
    await editor.delete(path)
    entries = (await audit.listing(server.context, q="data")).items[::-1]
    assert [entry.action for entry in entries if entry.object_kind == "dataset"][:2] == [
        "dataset.create",
        "dataset.update",
    ]
    created, changed = entries[:2]
    assert created.actor == "editor@example.org" and created.before is None
    assert created.after == {"name": "data", "description": "d" * 499 + "…"}
    assert (changed.before, changed.after) == ({"name": "data"}, {"name": "other"})
    deleted = (await audit.listing(server.context, q="other")).items[0]
    assert (deleted.action, deleted.after) == ("dataset.delete", None)


class TestEvaluators:
    @both
    async def test_bound_and_read(self, editor: Caller, viewer: Caller) -> None:
        path = f"{PATH}/{(await made(editor))['id']}/evaluators"
        saved = await an_evaluator(editor)
        given = [
            {"kind": "contains", "text": "x"},
            {"kind": "contains", "text": "y", "weight": 0},
            {"name": "capital", "spec": {"kind": "regex", "pattern": "a"}},
            {"evaluator_id": saved["id"], "weight": 2},
        ]
        answer = await editor.put(path, given)
        assert answer.status == 200, answer.body
        assert answer.body == (await viewer.get(path)).body
        assert [(item["name"], item["weight"], item["evaluator_id"]) for item in answer.body] == [
            ("contains", 1, None),
            ("contains-2", 0, None),
            ("capital-2", 1, None),
            ("capital", 2, saved["id"]),
        ]
        assert answer.body[3]["spec"] == saved["spec"]
        # What is answered is taken back.
        assert (await editor.put(path, answer.body)).body == answer.body
        assert (await editor.put(path, [])).body == []

    @pytest.mark.parametrize(
        ("item", "pointer"),
        [
            ({}, "/1"),
            ({"kind": "contanis"}, "/1/kind"),
            ({"kind": "contains", "txet": "a"}, "/1/txet"),
            ({"spec": {"kind": "contains", "text": 5}}, "/1/spec/text"),
            ({"spec": {"text": "a"}}, "/1/name"),
            ({"kind": "contains", "text": "a", "weight": -1}, "/1/weight"),
            ({"kind": "contains", "text": "nul \0"}, "/1/text"),
            ({"kind": "exact_match", "expected": float("nan")}, "/1/expected"),
            ({"evaluator_id": ABSENT}, "/1/evaluator_id"),
            ({"evaluator_id": "x"}, "/1/evaluator_id"),
            ("contains", "/1"),
        ],
    )
    async def test_what_does_not_fit_is_pointed_at(self, editor: Caller, item: Any, pointer: str) -> None:
        path = f"{PATH}/{(await made(editor))['id']}/evaluators"
        answer = await editor.put(path, [{"kind": "contains", "text": "fits"}, item])
        assert pointer in pointers(answer)
        assert (await editor.get(path)).body == []

    async def test_one_saved_evaluator_is_bound_once(self, editor: Caller) -> None:
        path = f"{PATH}/{(await made(editor))['id']}/evaluators"
        twice = {"evaluator_id": (await an_evaluator(editor))["id"]}
        assert pointers(await editor.put(path, [twice, twice])) == ["/1/evaluator_id"]

    async def test_code_needs_leave(self, editor: Caller, server: RunningServer) -> None:
        server.context.settings = server.context.settings.model_copy(update={"allow_code": False})
        path = f"{PATH}/{(await made(editor))['id']}/evaluators"
        answer = await editor.put(path, [{"kind": "python", "function": "os:getcwd"}])
        assert (answer.status, answer.body["code"]) == (403, "not_permitted")

    async def test_those_of_another_workspace_are_not_there(self, editor: Caller, stranger: Caller) -> None:
        path = f"{PATH}/{(await made(editor))['id']}/evaluators"
        theirs = await an_evaluator(stranger)
        assert pointers(await editor.put(path, [{"evaluator_id": theirs["id"]}])) == ["/0/evaluator_id"]
