"""Runs over HTTP: started at once, read while they go on, stopped, done again, exported, deleted."""

import asyncio
import csv
import io
import json
from typing import Any
from xml.etree import ElementTree

import pytest

from aloi.service import runs
from tests.api.calls import Caller, RunningServer
from tests.api.made_runs import finished, finished_run, hanging_after, prompts, ready, started, until_passed
from tests.model_server import ModelServer
from tests.service.started_runs import save

RUNS = "/api/eval/runs"


async def test_a_start_is_answered_before_the_work_is_done(
    server: RunningServer, editor: Caller, model_server: ModelServer
) -> None:
    model_server.reply = hanging_after(0)
    body = await ready(server, model_server)
    run = await started(editor, body)
    assert run["status"] in ("pending", "running")
    assert (run["total"], run["interrupted"], run["provisional"]) == (3, False, True)
    assert (run["target_id"], run["target_name"], run["target_kind"], run["target_version"]) == (
        body["target_id"],
        "echo",
        "openai",
        1,
    )
    assert (run["dataset_id"], run["dataset_name"], run["started_by"]) == (
        body["dataset_id"],
        "data",
        "editor@example.org",
    )
    assert (run["rate"], run["interval"], run["summary"]) == (None, [0.0, 1.0], None)


async def test_a_run_to_its_end(server: RunningServer, editor: Caller, model_server: ModelServer) -> None:
    run = await finished_run(editor, server, model_server)
    assert (run["status"], run["reason"], run["provisional"]) == ("completed", None, False)
    assert (run["rate"], run["summary"]["passed"], run["progress"]["passed"]) == (1.0, 3, 3)
    assert run["interval"] == run["summary"]["interval"]
    assert run["results_total"] == 3
    first = run["results"][0]
    assert (first["case_key"], first["case_name"], first["input"], first["output"]) == (
        "k0",
        "Case 0",
        "case 0",
        "case 0",
    )
    assert (first["verdict"], first["score"], first["failure"]) == ("pass", 1.0, None)
    assert first["scores"][0]["kind"] == "contains"
    assert "trace" not in json.dumps(first)
    state = (await editor.get(f"{RUNS}/{run['id']}/state")).body
    assert state == {key: value for key, value in run.items() if key not in ("results", "results_total")}


async def test_how_it_is_carried_out(server: RunningServer, editor: Caller, model_server: ModelServer) -> None:
    body = await ready(server, model_server)
    options = {"concurrency": 2, "trials": 2, "seconds_per_case": 9, "max_cost": 5, "max_tokens": 10_000, "tags": ["a"]}
    run = await finished(editor, await started(editor, {**body, **options}))
    assert run["spec"]["limits"] == {key: value for key, value in options.items() if key != "tags"}
    assert run["spec"]["tags"] == ["a"]
    assert (run["total"], run["summary"]["trials"], run["results_total"]) == (6, 2, 6)


@pytest.mark.parametrize("named", ["agent_id", "name", "version", "target_version_id"])
async def test_the_ways_to_name_a_target(
    server: RunningServer, editor: Caller, model_server: ModelServer, named: str
) -> None:
    body = await ready(server, model_server)
    target = body.pop("target_id")
    first = await started(editor, {**body, "target_id": target})
    ways = {
        "agent_id": {"agent_id": target},
        "name": {"target_id": "echo"},
        "version": {"target_id": target, "version": 1},
        "target_version_id": {"target_version_id": first["spec"]["target_version_id"]},
    }
    run = await started(editor, {**body, **ways[named]})
    assert (run["target_id"], run["target_version"]) == (target, 1)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"target_id": None}, "name the target once"),
        ({"agent_id": "x"}, "name the target once"),
        ({"concurrency": 0}, "/concurrency"),
        ({"trials": 1001}, "/trials"),
        ({"case_ids": []}, "/case_ids"),
        ({"case_ids": ["nothing"]}, "nothing"),
        ({"simulation": {}}, "/simulation"),
        ({"judge": {"model": "nameless"}}, "provider:model"),
    ],
)
async def test_what_cannot_be_started_says_why(
    server: RunningServer, editor: Caller, model_server: ModelServer, change: dict[str, Any], words: str
) -> None:
    answer = await editor.post(RUNS, {**await ready(server, model_server), **change})
    assert (answer.status, answer.body["code"]) == (422, "invalid_input")
    assert words in answer.body["detail"]
    assert (await editor.get(RUNS)).body["total"] == 0


@pytest.mark.parametrize("change", [{"target_id": "nobody"}, {"dataset_id": "nothing"}, {"version": 7}])
async def test_what_is_not_there(
    server: RunningServer, editor: Caller, model_server: ModelServer, change: dict[str, Any]
) -> None:
    answer = await editor.post(RUNS, {**await ready(server, model_server), **change})
    assert answer.status == 404


async def test_some_cases_by_id_or_key(server: RunningServer, editor: Caller, model_server: ModelServer) -> None:
    body = await ready(server, model_server, cases=5)
    whole = await finished(editor, await started(editor, body))
    chosen = [whole["results"][3]["case_id"], "k1"]
    run = await finished(editor, await started(editor, {**body, "case_ids": chosen}))
    assert [result["case_key"] for result in run["results"]] == ["k1", "k3"]
    assert (run["spec"]["case_keys"], run["spec"]["complete"]) == (["k1", "k3"], False)
    assert whole["spec"]["complete"] is True


async def test_other_evaluators_for_one_run(server: RunningServer, editor: Caller, model_server: ModelServer) -> None:
    body = await ready(server, model_server)
    other = [{"kind": "contains", "text": "nowhere"}]
    run = await finished(editor, await started(editor, {**body, "evaluators": other}))
    assert run["summary"]["failed"] == 3
    assert run["spec"]["complete"] is False
    again = await finished(editor, await started(editor, body))
    assert again["summary"]["passed"] == 3


async def test_a_suite_in_one_step(server: RunningServer, editor: Caller, model_server: ModelServer) -> None:
    run = await started(editor, await ready(server, model_server))
    request = {"target_version_id": run["spec"]["target_version_id"], "dataset": "suite"}
    body = {"request": request, "cases": prompts(2), "bindings": [{"kind": "contains", "text": "1"}]}
    answer = await editor.post("/api/eval/suites/runs", body)
    assert answer.status == 202
    done = await finished(editor, answer.body)
    assert (done["dataset_name"], done["summary"]["passed"], done["summary"]["failed"]) == ("suite", 1, 1)
    refused = await editor.post("/api/eval/suites/runs", {**body, "request": {**request, "dataset": "b"}, "cases": []})
    assert refused.status == 422
    assert "no case to run" in refused.body["detail"]


async def test_the_list_and_its_filters(server: RunningServer, editor: Caller, model_server: ModelServer) -> None:
    body = await ready(server, model_server)
    one = await finished(editor, await started(editor, body))
    second = await save(server.context, prompts(1), [{"kind": "contains", "text": "x"}], "Other data")
    two = await finished(editor, await started(editor, {**body, "dataset_id": second}))
    found = (await editor.get(RUNS)).body
    assert [run["id"] for run in found["items"]] == [two["id"], one["id"]]
    assert (found["total"], found["page"], found["pages"]) == (2, 1, 1)
    assert found["items"][0]["progress"] == two["progress"]
    assert "results" not in found["items"][0]
    ways: tuple[tuple[dict[str, Any], list[str]], ...] = (
        ({"dataset_id": second}, [two["id"]]),
        ({"target_id": body["target_id"], "size": 1, "page": 2}, [one["id"]]),
        ({"target_id": second}, []),
        ({"status": "running"}, []),
        ({"status": "completed"}, [two["id"], one["id"]]),
        ({"q": "other"}, [two["id"]]),
    )
    for query, ids in ways:
        answer = await editor.get(RUNS, **query)
        assert [run["id"] for run in answer.body["items"]] == ids, query


@pytest.mark.parametrize("query", [{"target_id": "x"}, {"status": "gone"}, {"size": 0}, {"page": -1}, {"size": 10**9}])
async def test_a_list_that_cannot_be(editor: Caller, query: dict[str, Any]) -> None:
    assert (await editor.get(RUNS, **query)).status == 422


async def test_a_run_that_goes_on_has_figures_already(
    server: RunningServer, editor: Caller, model_server: ModelServer
) -> None:
    model_server.reply = hanging_after(4)
    run = await started(editor, await ready(server, model_server, cases=6))
    await until_passed(editor, run, 4)
    now = (await editor.get(f"{RUNS}/{run['id']}")).body
    assert (now["status"], now["provisional"], now["rate"], now["results_total"]) == ("running", True, 1.0, 4)
    assert 0.5 < now["interval"][0] < 0.52
    assert (await editor.get(RUNS)).body["items"][0]["progress"]["passed"] == 4


async def test_deleting_a_live_run_cancels_it_first(
    server: RunningServer, editor: Caller, model_server: ModelServer
) -> None:
    model_server.reply = hanging_after(1)
    run = await started(editor, await ready(server, model_server))
    await until_passed(editor, run, 1)
    assert (await editor.delete(f"{RUNS}/{run['id']}")).status == 204
    assert (await editor.get(f"{RUNS}/{run['id']}")).status == 404
    assert (await editor.delete(f"{RUNS}/{run['id']}")).status == 404
    async with asyncio.timeout(5):
        await model_server.until(lambda stats: stats.in_flight == 0)
    assert all(task.done() for task in server.context.work.values())


async def test_exports(server: RunningServer, editor: Caller, viewer: Caller, model_server: ModelServer) -> None:
    cases = [{"key": "a", "prompt": "case <script>é"}, {"key": "b", "prompt": "no"}]
    run = await finished_run(editor, server, model_server, cases=cases)

    async def file(form: str, ending: str, kind: str) -> Any:
        answer = await viewer.get(f"{RUNS}/{run['id']}/export", format=form)
        assert answer.status == 200
        assert answer.headers["Content-Disposition"] == f'attachment; filename="run-{run["id"]}.{ending}"'
        assert answer.headers["Content-Type"].startswith(kind)
        return answer.body

    whole = await file("json", "json", "application/json")
    assert [result["case_key"] for result in whole["results"]] == ["a", "b"]
    rows = list(csv.DictReader(io.StringIO((await file("csv", "csv", "text/csv")).removeprefix("\ufeff"))))
    assert [row["key"] for row in rows] == ["a", "b"]
    suite = ElementTree.fromstring(await file("junit", "xml", "application/xml"))
    assert suite.get("failures") == "1"
    page = await file("html", "html", "text/html")
    assert "case &lt;script&gt;é" in page
    assert (await viewer.get(f"{RUNS}/{run['id']}/export", format="pdf")).status == 422
    assert (await viewer.get(f"{RUNS}/none/export")).status == 404


async def test_the_run_of_another_workspace_is_not_there(
    server: RunningServer, editor: Caller, stranger: Caller, model_server: ModelServer
) -> None:
    body = await ready(server, model_server)
    run = await finished(editor, await started(editor, body))
    path = f"{RUNS}/{run['id']}"
    for read in (
        "",
        "/state",
        "/progress",
        "/results",
        "/whole-results",
        "/results/k0",
        "/cases/k0",
        "/export",
        "/events",
    ):
        assert (await stranger.get(path + read)).status == 404, read
    for write in ("/cancel", "/resume", "/retry", "/regrade"):
        assert (await stranger.post(path + write)).status == 404, write
    assert (await stranger.delete(path)).status == 404
    assert (await stranger.post(RUNS, body)).status == 404
    assert (await stranger.get(RUNS)).body["total"] == 0
    assert (await stranger.get("/api/eval/compare", a=run["id"], b=run["id"])).status == 404


async def test_two_runs_on_one_endpoint_share_it(
    server: RunningServer, editor: Caller, model_server: ModelServer
) -> None:
    """Both go on at the same time, each with its own concurrency, and the endpoint's pace is that of both together."""
    model_server.latency = 0.02
    body = await ready(server, model_server, cases=30)
    both = [await started(editor, {**body, "concurrency": 4}) for _ in range(2)]
    await model_server.until(lambda stats: stats.requests >= 20)
    passed = [(await runs.progress(server.context, run["id"])).passed for run in both]
    assert min(passed) > 0
    for run in both:
        assert (await finished(editor, run))["summary"]["passed"] == 30
    assert 4 < model_server.stats.max_in_flight <= 8
