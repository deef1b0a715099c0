"""A run keeps what it froze: what it was made from may change or go, before its end or after."""

from typing import Any

import pytest

from tests.api.calls import Caller, RunningServer
from tests.api.made_runs import finished, finished_run, hanging_after, ready, started, until_passed
from tests.model_server import ModelServer
from tests.store.backends import BACKENDS

RUNS = "/api/eval/runs"
both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


async def assert_readable(caller: Caller, run: dict[str, Any], cases: int) -> None:
    """Everything that a run of passed cases has can still be read."""
    path = f"{RUNS}/{run['id']}"
    whole = (await caller.get(path)).body
    assert (whole["status"], whole["dataset_name"], whole["summary"]["passed"]) == ("completed", "data", cases)
    assert [result["case_key"] for result in whole["results"]] == [f"k{n}" for n in range(cases)]
    detail = (await caller.get(f"{path}/results/k0")).body
    assert (detail["case"]["input"], detail["result"]["verdict"]) == ("case 0", "pass")
    for form in ("json", "csv", "junit", "html"):
        assert "case 0" in str((await caller.get(f"{path}/export", format=form)).body)
    assert (await caller.get(f"{path}/events")).body.count("event: result") == cases
    assert (await caller.get("/api/eval/compare", a=run["id"], b=run["id"])).status == 200
    assert [item["id"] for item in (await caller.get(RUNS)).body["items"]] == [run["id"]]


@both
async def test_the_dataset_is_deleted(
    server: RunningServer, editor: Caller, viewer: Caller, model_server: ModelServer
) -> None:
    run = await finished_run(editor, server, model_server)
    assert (await editor.delete(f"/api/eval/datasets/{run['dataset_id']}")).status == 204
    assert (await viewer.get(f"/api/eval/datasets/{run['dataset_id']}/cases")).status == 404
    await assert_readable(viewer, run, 3)
    # There is nothing left to take evaluators from.
    answer = await editor.post(f"{RUNS}/{run['id']}/regrade")
    assert (answer.status, "dataset" in answer.body["detail"]) == (404, True)
    assert (await editor.delete(f"{RUNS}/{run['id']}")).status == 204


async def test_what_failed_is_done_again_without_the_dataset(
    server: RunningServer, editor: Caller, model_server: ModelServer
) -> None:
    run = await finished_run(editor, server, model_server, evaluators=[{"kind": "contains", "text": "case 1"}])
    assert (await editor.delete(f"/api/eval/datasets/{run['dataset_id']}")).status == 204
    again = await editor.post(f"{RUNS}/{run['id']}/retry", {"verdicts": ["fail"]})
    assert again.status == 202
    summary = (await finished(editor, again.body))["summary"]
    assert (summary["passed"], summary["failed"]) == (1, 2)
    assert model_server.stats.requests == 5


@both
async def test_a_case_with_results_is_deleted(
    server: RunningServer, editor: Caller, viewer: Caller, model_server: ModelServer
) -> None:
    run = await finished_run(editor, server, model_server)
    cases = f"/api/eval/datasets/{run['dataset_id']}/cases"
    [first, *_] = (await viewer.get(cases)).body["items"]
    assert (await editor.delete(f"{cases}/{first['id']}")).status == 204
    assert (await viewer.get(cases)).body["total"] == 2
    await assert_readable(viewer, run, 3)
    assert (await viewer.get(f"{RUNS}/{run['id']}/results/{first['id']}")).body["result"]["case_key"] == "k0"
    body = {"target_id": run["target_id"], "dataset_id": run["dataset_id"]}
    assert (await finished(editor, await started(editor, body)))["summary"]["passed"] == 2


async def test_a_case_is_deleted_and_another_changed_while_a_run_goes_on(
    server: RunningServer, editor: Caller, model_server: ModelServer
) -> None:
    model_server.latency = 0.05
    run = await started(editor, {**await ready(server, model_server), "concurrency": 1})
    cases = f"/api/eval/datasets/{run['dataset_id']}/cases"
    _, second, third = (await editor.get(cases)).body["items"]
    assert (await editor.delete(f"{cases}/{second['id']}")).status == 204
    assert (await editor.put(f"{cases}/{third['id']}", {"prompt": "something else"})).status == 200
    ended = await finished(editor, run)
    assert [result["output"] for result in ended["results"]] == ["case 0", "case 1", "case 2"]


async def test_the_target_of_a_live_run_is_kept(
    server: RunningServer, editor: Caller, model_server: ModelServer
) -> None:
    model_server.reply = hanging_after(1)
    run = await started(editor, await ready(server, model_server))
    await until_passed(editor, run, 1)
    answer = await editor.delete(f"/api/targets/{run['target_id']}")
    assert (answer.status, "1 run" in answer.body["detail"]) == (409, True)
    assert (await editor.get(f"{RUNS}/{run['id']}/state")).body["status"] == "running"
    assert (await editor.delete(f"{RUNS}/{run['id']}")).status == 204
    assert (await editor.delete(f"/api/targets/{run['target_id']}")).status == 204
