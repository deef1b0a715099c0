"""Two runs against each other, over HTTP."""

from tests.api.calls import Caller, RunningServer
from tests.api.made_runs import finished, finished_run, ready, started
from tests.model_server import ChatRequestBody, ModelServer


def wrong_once(request: ChatRequestBody) -> str:
    return "wrong" if request.prompt == "case 1" else request.prompt


async def test_what_changed_from_a_to_b(
    server: RunningServer, viewer: Caller, editor: Caller, model_server: ModelServer
) -> None:
    body = await ready(server, model_server)
    a = await finished(editor, await started(editor, body))
    model_server.reply = wrong_once
    b = await finished(editor, await started(editor, body))
    found = await viewer.get("/api/eval/compare", a=a["id"], b=b["id"])
    assert found.status == 200
    assert (found.body["figures"]["compared"], found.body["figures"]["worse"]) == (3, 1)
    assert (found.body["pairs"][0]["case_key"], found.body["pairs"][0]["change"]) == ("k1", "worse")
    assert found.body["configuration"] == []


async def test_a_run_that_is_not_there(
    server: RunningServer, viewer: Caller, editor: Caller, model_server: ModelServer
) -> None:
    run = await finished_run(editor, server, model_server)
    assert (await viewer.get("/api/eval/compare", a=run["id"], b="none")).status == 404
    assert (await viewer.get("/api/eval/compare", a=run["id"])).status == 422
