"""Online rules over HTTP."""

from typing import Any

import pytest

from aloi.core.execution import Invoke
from aloi.service import invoking, targets
from aloi.service.online.grading import grade_due
from aloi.targets.python import Python
from tests.api.calls import Answer, Caller, RunningServer
from tests.store.backends import BACKENDS

PATH = "/api/targets/bot/online-rules"
HELLO = {"kind": "contains", "text": "hello"}
both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


@pytest.fixture(autouse=True)
async def target(server: RunningServer) -> None:
    """A target that answers what it is asked."""

    async def answer(given: Any) -> Any:
        return given

    await targets.save(server.context, "bot", Python.of(answer))


async def made(editor: Caller, **fields: Any) -> dict[str, Any]:
    answer = await editor.post(PATH, {"name": "rule", "evaluators": [HELLO], **fields})
    assert answer.status == 201, answer.body
    return answer.body


async def graded(server: RunningServer, *inputs: str) -> list[str]:
    """Executions of production that the rules graded; their ids."""
    ids: list[str] = []
    for given in inputs:
        invocation = await invoking.prepare(server.context, "bot", Invoke(input=given))
        ids.append((await invoking.carry_out(invocation)).id)
    await grade_due(server.context)
    return ids


def pointers(answer: Answer) -> list[str]:
    assert answer.status == 422, answer.body
    return [fault["pointer"] for fault in answer.body["errors"]]


@both
async def test_created_read_changed_deleted(server: RunningServer, editor: Caller, viewer: Caller) -> None:
    saved = await made(editor, share=0.5, filters={"text": "order"})
    path = f"{PATH}/{saved['id']}"
    read = await viewer.get(path)
    assert (read.status, read.body) == (200, saved)
    assert (await viewer.get(PATH, q="ul")).body["items"] == [saved]
    assert saved["evaluators"][0]["spec"] == HELLO
    assert (saved["waiting"], saved["today"]) == (0, {"graded": 0, "skipped": 0, "cost": None})
    changed = await editor.put(path, {"enabled": False, "filters": None}, headers={"If-Match": read.headers["ETag"]})
    assert (changed.status, changed.body["enabled"], changed.body["share"]) == (200, False, 0.5)
    assert changed.body["filters"]["text"] is None
    stale = await editor.put(path, {"enabled": True}, headers={"If-Match": read.headers["ETag"]})
    assert stale.status == 412
    # What was answered is taken back as it is.
    assert (await editor.put(path, {"evaluators": changed.body["evaluators"]})).status == 200
    assert (await editor.delete(path)).status == 204
    assert (await viewer.get(path)).status == 404


@both
async def test_results_rate_and_drafts(server: RunningServer, editor: Caller, viewer: Caller) -> None:
    await made(editor)
    dataset = (await editor.post("/api/eval/datasets", {"name": "failures"})).body
    _, failing = await graded(server, "hello", "bye")
    found = (await viewer.get(f"{PATH}/rule/results", verdict="fail")).body
    assert (found["total"], found["items"][0]["execution"]["id"]) == (1, failing)
    assert found["items"][0]["scores"][0]["verdict"] == "fail"
    rate = (await viewer.get(f"{PATH}/rule/rate", bucket="hour", zone="Europe/Paris")).body
    assert (rate["total"]["rate"], rate["total"]["passed"], rate["bucket"]) == (0.5, 1, "hour")
    assert sum(bucket["failed"] for bucket in rate["buckets"]) == 1
    drafts = await editor.post(f"{PATH}/rule/drafts", {"dataset_id": "failures"})
    assert (drafts.status, drafts.body["added"]) == (200, 1)
    again = await editor.post(f"{PATH}/rule/drafts", {"dataset_id": dataset["id"], "execution_ids": [failing]})
    assert (again.body["added"], again.body["present"]) == (0, 1)
    [case] = (await viewer.get(f"/api/eval/datasets/{dataset['id']}/cases")).body["items"]
    assert (case["status"], case["source"]["execution_id"]) == ("draft", failing)
    [scored] = (await viewer.get(f"/api/executions/{failing}/online-results")).body
    assert (scored["rule_name"], scored["verdict"]) == ("rule", "fail")


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"evaluators": [HELLO, {"kind": "exact_match"}]}, "/evaluators/1"),
        ({"evaluators": [{"kind": "contains", "text": ""}]}, "/evaluators/0/text"),
        ({"evaluators": []}, "/evaluators"),
        ({"share": 0}, "/share"),
        ({"filters": {"version": 7}}, "/filters/version"),
        ({"filters": {"status": "perhaps"}}, "/filters/status"),
        ({"drafts_dataset_id": "no such"}, "/drafts_dataset_id"),
        ({"nonsense": 1}, "/nonsense"),
    ],
)
async def test_what_does_not_fit_is_told_at_its_place(editor: Caller, fields: dict[str, Any], place: str) -> None:
    assert pointers(await editor.post(PATH, {"name": "rule", "evaluators": [HELLO], **fields})) == [place]


async def test_others_neither_see_nor_change_them(server: RunningServer, editor: Caller, stranger: Caller) -> None:
    saved = await made(editor)
    [done] = await graded(server, "hello")
    for path in (PATH, f"{PATH}/{saved['id']}", f"{PATH}/rule/results", f"{PATH}/rule/rate"):
        assert (await stranger.get(path)).status == 404
    assert (await stranger.get(f"/api/executions/{done}/online-results")).status == 404
    assert (await stranger.delete(f"{PATH}/{saved['id']}")).status == 404


async def test_a_viewer_reads_only(editor: Caller, viewer: Caller) -> None:
    saved = await made(editor)
    assert (await viewer.post(PATH, {"name": "other", "evaluators": [HELLO]})).status == 403
    assert (await viewer.put(f"{PATH}/{saved['id']}", {"enabled": False})).status == 403
    assert (await viewer.post(f"{PATH}/rule/drafts", {"dataset_id": "data"})).status == 403


async def test_times_without_a_zone_and_zones_that_are_none(editor: Caller, viewer: Caller) -> None:
    await made(editor)
    assert (await viewer.get(f"{PATH}/rule/rate", since="2026-01-01T00:00:00")).status == 422
    assert (await viewer.get(f"{PATH}/rule/rate", zone="Mars/Olympus")).status == 422
    assert (await viewer.get(f"{PATH}/rule/rate", since="0001-01-01T00:00:00Z", zone="Asia/Tokyo")).status == 422
    assert (await viewer.get(f"{PATH}/rule/rate", until="9999-12-31T23:59:59Z", zone="America/New_York")).status == 422
