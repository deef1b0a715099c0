"""One output scored over HTTP."""

from typing import Any

import pytest

from tests.api.calls import Caller, RunningServer
from tests.model_server import ModelServer

PATH = "/api/eval/grade"


async def test_a_score(editor: Caller) -> None:
    body = {"evaluator": {"kind": "contains", "text": "Paris"}, "output": "It is Paris."}
    answer = await editor.post(PATH, body)
    assert answer.status == 200, answer.body
    assert (answer.body["verdict"], answer.body["value"]) == ("pass", 1)
    body["output"] = "<script>"
    assert (await editor.post(PATH, body)).body["verdict"] == "fail"
    assert (await editor.get("/api/eval/datasets")).body["total"] == 0


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"output": "x"}, "evaluator"),
        ({"evaluator": {"kind": "contanis"}, "output": "x"}, "contains"),
        ({"evaluator": {"kind": "contains", "txet": "a"}, "output": "x"}, "txet"),
        ({"evaluator": {"kind": "exact_match"}, "output": "x"}, "expected_output"),
        ({"evaluator": {"kind": "llm_judge", "rubric": "x"}, "output": "x"}, "ALOI_JUDGE_MODEL"),
        ({"evaluator": {"kind": "contains", "text": "a"}, "output": "x", "more": 1}, "more"),
    ],
)
async def test_what_cannot_be_graded(editor: Caller, body: Any, said: str) -> None:
    answer = await editor.post(PATH, body)
    assert answer.status == 422
    assert said in answer.body["detail"]


async def test_it_takes_an_editor(editor: Caller, viewer: Caller, server: RunningServer) -> None:
    body = {"evaluator": {"kind": "python", "function": "os:getcwd"}, "output": "x"}
    assert (await viewer.post(PATH, body)).status == 403
    server.context.settings = server.context.settings.model_copy(update={"allow_code": False})
    assert (await editor.post(PATH, body)).status == 403


async def test_what_a_judge_used_counts(editor: Caller, model_server: ModelServer) -> None:
    judge = {"model": "openai:judge-pass", "base_url": model_server.url, "samples": 3}
    body = {"evaluator": {"kind": "llm_judge", "rubric": "x"}, "output": "x", "judge": judge}
    assert (await editor.post(PATH, body)).status == 200
    used = (await editor.get("/api/eval/usage")).body
    assert (used["judge"]["calls"], model_server.stats.requests) == (3, 3)
    assert [(model["model"], model["side"]) for model in used["models"]] == [("openai:judge-pass", "judge")]
