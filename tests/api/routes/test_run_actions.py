"""Runs over HTTP that are stopped, go on, and are done again."""

from tests.api.calls import Caller, RunningServer
from tests.api.made_runs import finished, finished_run, hanging_after, prompts, ready, started, until_passed
from tests.model_server import ModelServer
from tests.service.started_runs import save

RUNS = "/api/eval/runs"


async def test_cancel_keeps_what_is_done_and_resume_goes_on(
    server: RunningServer, editor: Caller, model_server: ModelServer
) -> None:
    model_server.reply = hanging_after(2)
    run = await started(editor, await ready(server, model_server, cases=5))
    await until_passed(editor, run, 2)
    cancelled = await editor.post(f"{RUNS}/{run['id']}/cancel")
    assert (cancelled.status, cancelled.body["status"], cancelled.body["summary"]["passed"]) == (200, "cancelled", 2)
    assert (await editor.post(f"{RUNS}/{run['id']}/cancel")).status == 409

    model_server.reply = None
    resumed = await editor.post(f"{RUNS}/{run['id']}/resume")
    assert resumed.status == 202
    assert (await finished(editor, run))["summary"]["passed"] == 5
    assert model_server.stats.prompts["case 0"] == 1
    assert (await editor.post(f"{RUNS}/{run['id']}/resume")).status == 409


async def test_retry_does_what_ended_badly_again(
    server: RunningServer, editor: Caller, model_server: ModelServer
) -> None:
    cases = [*prompts(2), {"key": "bad", "prompt": "nothing"}]
    run = await finished_run(editor, server, model_server, cases=cases)
    assert (await editor.post(f"{RUNS}/{run['id']}/retry")).status == 422
    answer = await editor.post(f"{RUNS}/{run['id']}/retry", {"verdicts": ["fail"]})
    assert answer.status == 202
    again = await finished(editor, answer.body)
    assert (again["spec"]["parent_id"], again["spec"]["complete"]) == (run["id"], False)
    assert [result["carried_over"] for result in again["results"]] == [True, True, False]
    assert model_server.stats.prompts["nothing"] == 2
    assert again["started_by"] == "editor@example.org"


async def test_regrade_asks_no_target(server: RunningServer, editor: Caller, model_server: ModelServer) -> None:
    run = await finished_run(editor, server, model_server)
    await save(server.context, prompts(3), [{"kind": "contains", "text": "2"}])
    answer = await editor.post(f"{RUNS}/{run['id']}/regrade")
    assert answer.status == 202
    again = await finished(editor, answer.body)
    assert (again["summary"]["passed"], again["summary"]["failed"]) == (1, 2)
    assert again["spec"]["regrades"] is True
    assert model_server.stats.requests == 3
