"""Schedules over HTTP."""

from datetime import timedelta
from typing import Any

import pytest

from aloi.service import audit, runs, targets
from aloi.service.clock import now
from aloi.service.scheduling.scheduler import fire_due
from aloi.targets.python import Python
from tests.api.calls import Answer, Caller, RunningServer
from tests.service.schedules_there import answer_ok
from tests.service.started_runs import prompts, save
from tests.store.backends import BACKENDS

PATH = "/api/eval/schedules"
MONDAYS = {"kind": "cron", "expression": "0 7 * * 1"}
ABSENT = "00000000-0000-7000-8000-00000000dead"
both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


@pytest.fixture(autouse=True)
async def things(server: RunningServer) -> None:
    """A target and a dataset for schedules."""
    await save(server.context, prompts(1))
    await targets.save(server.context, "target", Python.of(answer_ok))


def body_of(**fields: Any) -> dict[str, Any]:
    plain = {"name": "weekly", "target_id": "target", "dataset_id": "data", "start": "2026-01-01T00:00:00Z"}
    return {**plain, "zone": "Europe/Paris", "recurrence": MONDAYS, **fields}


async def made(editor: Caller, **fields: Any) -> dict[str, Any]:
    answer = await editor.post(PATH, body_of(**fields))
    assert answer.status == 201, answer.body
    return answer.body


def pointers(answer: Answer) -> list[str]:
    assert answer.status == 422, answer.body
    return [fault["pointer"] for fault in answer.body["errors"]]


@both
async def test_created_read_changed_deleted(server: RunningServer, editor: Caller, viewer: Caller) -> None:
    saved = await made(editor)
    path = f"{PATH}/{saved['id']}"
    assert (await viewer.get(path)).body == saved
    assert (saved["words"], saved["created_by"]) == ("on Monday at 07:00, Europe/Paris", "editor@example.org")
    assert (saved["target_name"], saved["dataset_name"], saved["last"]) == ("target", "data", None)
    hourly = {"kind": "every", "n": 3, "unit": "hours"}
    changed = (await editor.put(path, {"name": "often", "recurrence": hourly, "zone": "UTC"})).body
    assert (changed["name"], changed["words"], changed["target_id"]) == (
        "often",
        "every 3 hours, UTC",
        saved["target_id"],
    )
    paused = (await editor.post(f"{path}/pause")).body
    assert (paused["paused"], paused["next_at"]) == (True, None)
    resumed = (await editor.post(f"{path}/resume")).body
    assert (resumed["paused"], resumed["next_at"]) == (False, changed["next_at"])
    assert (await editor.delete(path)).status == 204
    assert (await viewer.get(path)).status == 404
    done = [entry.action for entry in (await audit.listing(server.context)).items]
    assert [action for action in done if action.startswith("schedule.")] == [
        "schedule.delete", "schedule.resume", "schedule.pause", "schedule.update", "schedule.create"
    ]  # fmt: skip


async def test_a_change_of_what_somebody_else_changed(editor: Caller) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    tag = (await editor.get(path)).headers["ETag"]
    changed = await editor.put(path, {"zone": "UTC"}, headers={"If-Match": tag})
    assert changed.status == 200 and changed.headers["ETag"] != tag
    assert (await editor.put(path, {"zone": "UTC"}, headers={"If-Match": tag})).status == 412
    assert (await editor.delete(path, headers={"If-Match": tag})).status == 412
    assert (await editor.put(path, {}, headers={"If-Match": changed.headers["ETag"]})).status == 200


async def test_that_it_fired_changes_no_tag(server: RunningServer, editor: Caller) -> None:
    path = f"{PATH}/{(await made(editor))['id']}"
    before = await editor.get(path)
    [firing] = await fire_due(server.context, now() + timedelta(days=8))
    assert firing.run_id is not None
    after = await editor.get(path)
    assert after.body["last"]["run_id"] == firing.run_id
    assert after.headers["ETag"] == before.headers["ETag"]
    await runs.wait(server.context, firing.run_id, 10)
    listed = (await editor.get("/api/eval/runs", schedule_id=after.body["id"])).body
    assert [(run["started_by"], run["schedule_id"]) for run in listed["items"]] == [
        ("schedule weekly", after.body["id"])
    ]
    firings = (await editor.get(f"{path}/firings")).body
    assert (firings["total"], firings["items"][0]["status"]) == (1, "started")


async def test_listed_by_target_name_and_text(server: RunningServer, editor: Caller, viewer: Caller) -> None:
    await targets.save(server.context, "other/é", Python.of(answer_ok))
    first = await made(editor)
    await made(editor, name="100% of it", target_id="other/é")
    names = [item["name"] for item in (await viewer.get(PATH)).body["items"]]
    assert names == ["100% of it", "weekly"]
    for target in ("target", first["target_id"]):
        assert [item["name"] for item in (await viewer.get(PATH, target_id=target)).body["items"]] == ["weekly"]
    assert (await viewer.get(PATH, name="100% of it")).body["total"] == 1
    for text, total in (("100%", 1), ("OTHER", 1), ("e", 2), ("nothing", 0)):
        assert (await viewer.get(PATH, q=text)).body["total"] == total, text
    assert (await viewer.get(PATH, target_id=ABSENT)).status == 404


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"name": ""}, "/name"),
        ({"name": "a\x00b"}, "/name"),
        ({"target_id": "nobody"}, "/target_id"),
        ({"dataset_id": ABSENT}, "/dataset_id"),
        ({"zone": "Mars/Olympus"}, "/zone"),
        ({"zone": "../../etc/passwd"}, "/zone"),
        ({"recurrence": {"kind": "cron", "expression": "0 7 * * 8"}}, "/recurrence"),
        ({"recurrence": {"kind": "cron", "expression": "0 0 30 2 *"}}, "/recurrence"),
        ({"recurrence": {"kind": "every", "n": 0, "unit": "days"}}, "/recurrence/n"),
        ({"end": "2025-01-01T00:00:00Z"}, ""),
        ({"end": "2026-02-01T00:00:00Z"}, "/end"),
        ({"start": "2026-01-01T00:00:00"}, "/start"),
        ({"start": "9999-12-31T23:59:59-12:00"}, "/start"),
    ],
)
async def test_what_does_not_fit(editor: Caller, fields: dict[str, Any], place: str) -> None:
    assert pointers(await editor.post(PATH, body_of(**fields))) == [place]
    saved = await made(editor, name="kept")
    assert pointers(await editor.put(f"{PATH}/{saved['id']}", fields)) == [place]
    assert (await editor.get(f"{PATH}/{saved['id']}")).body == saved


async def test_a_name_is_unique_in_its_workspace(editor: Caller) -> None:
    await made(editor)
    other = await made(editor, name="other")
    assert (await editor.post(PATH, body_of())).status == 409
    assert (await editor.put(f"{PATH}/{other['id']}", {"name": "weekly"})).status == 409


async def test_what_it_needs_is_not_deleted_under_it(editor: Caller) -> None:
    saved = await made(editor)
    for path in (f"/api/eval/datasets/{saved['dataset_id']}", f"/api/targets/{saved['target_id']}"):
        answer = await editor.delete(path)
        assert answer.status == 409 and "used by schedules: 'weekly'" in answer.body["detail"]
    await editor.delete(f"{PATH}/{saved['id']}")
    for path in (f"/api/eval/datasets/{saved['dataset_id']}", f"/api/targets/{saved['target_id']}"):
        assert (await editor.delete(path)).status == 204


async def test_preview(editor: Caller) -> None:
    timing = {"start": "2099-03-28T00:00:00Z", "zone": "Europe/Paris"}
    answer = await editor.post(
        f"{PATH}/preview", {**timing, "recurrence": {"kind": "cron", "expression": "30 2 * * 1-5"}}
    )
    assert answer.body["words"] == "every weekday at 02:30, Europe/Paris"
    assert answer.body["firings"][:2] == ["2099-03-30T00:30:00Z", "2099-03-31T00:30:00Z"]
    assert len(answer.body["firings"]) == 5
    once = {**timing, "end": "2099-03-28T00:00:00Z", "recurrence": {"kind": "every", "n": 1, "unit": "days"}}
    assert (await editor.post(f"{PATH}/preview", once)).body["firings"] == ["2099-03-28T00:00:00Z"]
    assert pointers(await editor.post(f"{PATH}/preview", {**once, "zone": "x"})) == ["/zone"]
    assert (await editor.get(PATH)).body["total"] == 0
