"""Script in a name, a prompt, an answer or a reason is text, wherever it is read."""

from lxml import html

from tests.api.calls import Caller, RunningServer
from tests.api.made_runs import finished, started, target_of
from tests.model_server import Answer, ChatRequestBody, ModelServer

NASTY = "<script>alert(1)</script><img src=x onerror='alert(2)'>\"&amp;"
RUNS = "/api/eval/runs"


async def test_it_is_text(server: RunningServer, editor: Caller, viewer: Caller, model_server: ModelServer) -> None:
    def answer(_: ChatRequestBody) -> Answer:
        return Answer(f"answer {NASTY}")

    model_server.reply = answer
    dataset = (await editor.post("/api/eval/datasets", {"name": f"data {NASTY}", "description": NASTY})).body
    assert dataset["name"] == f"data {NASTY}"
    case = {"key": f"k {NASTY}", "name": f"case {NASTY}", "prompt": f"prompt {NASTY}", "tags": [NASTY]}
    path = f"/api/eval/datasets/{dataset['id']}/cases"
    assert (await editor.post(path, case)).status == 201
    rule = {"kind": "contains", "name": f"rule {NASTY}", "text": f"reason {NASTY}"}
    body = {"target_id": await target_of(server, model_server, f"target {NASTY}"), "dataset_id": dataset["id"]}
    run = await finished(editor, await started(editor, {**body, "evaluators": [rule], "tags": [NASTY]}))

    assert (run["target_name"], run["dataset_name"]) == (f"target {NASTY}", f"data {NASTY}")
    [result] = run["results"]
    assert (result["case_name"], result["output"]) == (f"case {NASTY}", f"answer {NASTY}")
    detail = await viewer.get(f"{RUNS}/{run['id']}/results/{result['case_id']}")
    assert detail.headers["Content-Type"] == "application/json"
    [score] = detail.body["result"]["scores"]
    assert (score["evaluator"], "reason <script>alert(1)" in score["explanation"]) == (f"rule {NASTY}", True)
    await assert_a_harmless_file(viewer, run["id"])


async def assert_a_harmless_file(caller: Caller, run: str) -> None:
    """The HTML export is a download, loads and runs nothing, and shows the text as it is."""
    answer = await caller.get(f"{RUNS}/{run}/export", format="html")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    page = html.document_fromstring(answer.body)
    assert page.xpath("//script | //img | //@src | //@onerror") == []
    shown = str(page.xpath("string()"))
    for text in ("data", "target", "k", "answer", "rule"):
        assert f"{text} {NASTY}" in shown, text
    assert "reason <script>alert(1)</script>" in shown
