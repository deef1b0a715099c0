"""Executions over HTTP: of runs, of the Runner, of production; and as cases."""

import asyncio
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from aloi.service import audit
from tests.api.calls import Caller, RunningServer
from tests.api.made_runs import finished_run, prompts, target_of
from tests.model_server import ModelServer
from tests.service.stepwise import VERDICT, begun, definition, let_go
from tests.service.stepwise import stepwise as stepwise
from tests.store.backends import BACKENDS

PATH = "/api/executions"
ABSENT = "00000000-0000-7000-8000-00000000dead"
both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


async def invoked(editor: Caller, target_id: str, given: Any = "Hi", **fields: Any) -> dict[str, Any]:
    answer = await editor.post(f"/api/targets/{target_id}/invoke", {"input": given, **fields})
    assert answer.status == 200, answer.body
    return answer.body


@both
async def test_those_of_a_run_have_the_input_of_their_frozen_case(
    editor: Caller, viewer: Caller, server: RunningServer, model_server: ModelServer
) -> None:
    cases = [*prompts(2), {"key": "object", "input": {"question": "case é?"}}]
    run = await finished_run(editor, server, model_server, cases=cases)
    # What is edited later changes nothing of what was put to the target.
    case = run["results"][0]
    dataset = f"/api/eval/datasets/{run['dataset_id']}"
    assert (await editor.put(f"{dataset}/cases/{case['case_id']}", {"prompt": "edited"})).status == 200
    listed = (await viewer.get(PATH)).body
    assert listed["total"] == 3
    by_key = {item["case_key"]: item for item in listed["items"]}
    assert {item["source"] for item in listed["items"]} == {"run"}
    assert (by_key["k0"]["input"], by_key["k0"]["output"], by_key["k0"]["run_id"]) == ("case 0", "case 0", run["id"])
    assert by_key["object"]["input"].replace(" ", "") == '{"question":"caseé?"}'
    whole = (await viewer.get(f"{PATH}/{by_key['object']['id']}")).body
    assert (whole["input"], whole["case_key"], whole["target_kind"]) == ({"question": "case é?"}, "object", "openai")
    assert whole["outcome"]["trace"]["spans"]
    assert (await editor.delete(f"/api/eval/runs/{run['id']}")).status == 204
    assert (await viewer.get(PATH)).body["total"] == 0


@both
async def test_filters_and_pages(
    editor: Caller, viewer: Caller, server: RunningServer, model_server: ModelServer
) -> None:
    echo = await target_of(server, model_server)
    broken = await target_of(server, model_server, "broken", "status:400")
    made = [await invoked(editor, echo, text, source="runner") for text in ("ONE", "two", "thréé 100%")]
    failed = await invoked(editor, broken, "four")
    ids = [item["id"] for item in (*made, failed)]

    async def found(path: str = PATH, **params: Any) -> list[int]:
        answer = await viewer.get(path, None, **params)
        assert answer.status == 200, answer.body
        return [ids.index(item["id"]) for item in answer.body["items"]]

    assert await found() == [3, 2, 1, 0]
    assert await found(size=2, page=2) == [1, 0]
    assert await found(source="production") == [3]
    assert await found(source="runner", status="ok") == [2, 1, 0]
    assert await found(status="error") == [3]
    assert await found(target_id=echo) == await found(f"/api/targets/{echo}/executions") == [2, 1, 0]
    assert await found(q="one") == [0]
    assert await found(q="%") == [2]
    assert await found(q="four") == [3]
    assert await found(q="nowhere") == []
    assert await found(since=made[1]["created_at"], until=failed["created_at"]) == [2, 1]
    assert await found(since=datetime.max.replace(tzinfo=UTC).isoformat()) == []
    entry = (await viewer.get(PATH, size=1)).body["items"][0]
    assert (entry["output"], entry["failure"]["type"], entry["target_name"]) == (None, "http_status", "broken")
    assert "trace" not in str(entry)


@pytest.mark.parametrize(
    "params",
    [
        {"size": 0},
        {"size": 10**9},
        {"page": -1},
        {"status": "fine"},
        {"since": "yesterday"},
        {"since": "2026-01-01T00:00:00"},
        {"source": "nowhere"},
    ],
)
async def test_a_filter_that_is_none_is_refused(viewer: Caller, params: dict[str, Any]) -> None:
    assert (await viewer.get(PATH, **params)).status == 422


@pytest.mark.parametrize("name", [ABSENT, "no-id"])
async def test_what_is_not_there(viewer: Caller, editor: Caller, name: str) -> None:
    assert (await viewer.get(f"{PATH}/{name}")).status == 404
    assert (await viewer.get(PATH, target_id=name)).status == 404
    assert (await editor.post(f"{PATH}/{name}/to-case", {"dataset_id": "x"})).status == 404


@both
async def test_an_execution_becomes_a_case(editor: Caller, server: RunningServer, model_server: ModelServer) -> None:
    execution = await invoked(editor, await target_of(server, model_server), "What is 2 + 2?")
    dataset = (await editor.post("/api/eval/datasets", {"name": "data"})).body["id"]
    path = f"{PATH}/{execution['id']}/to-case"
    case = (await editor.post(path, {"dataset_id": dataset})).body
    assert case["name"] == f"Trace {execution['id'][:8]}"
    assert (case["input"], case["expected_output"]) == ("What is 2 + 2?", "What is 2 + 2?")
    assert case["source"] == {"kind": "execution", "execution_id": execution["id"]}
    assert (await editor.get(f"/api/eval/datasets/{dataset}/cases/{case['id']}")).body == case
    again = await editor.post(path, {"dataset_id": dataset})
    assert (again.status, "another key" in again.body["detail"]) == (409, True)
    given = {"name": "sum", "key": "sum", "input": {"a": 2}, "expected_output": None, "expected_behavior": "Adds"}
    other = (await editor.post(path, {"dataset_id": "data", **given})).body
    assert {name: other[name] for name in given} == given
    entry = (await audit.listing(server.context, action="case.create")).items[0]
    assert (entry.object_name, entry.actor) == ("data: sum", "editor@example.org")


async def test_a_failure_becomes_a_case_without_an_expectation(
    editor: Caller, server: RunningServer, model_server: ModelServer
) -> None:
    execution = await invoked(editor, await target_of(server, model_server, "broken", "status:400"))
    await editor.post("/api/eval/datasets", {"name": "data"})
    path = f"{PATH}/{execution['id']}/to-case"
    assert (await editor.post(path, {"dataset_id": "data"})).body["expected_output"] is None
    answer = await editor.post(path, {"dataset_id": "data", "key": "x" * 201})
    assert (answer.status, answer.body["errors"][0]["pointer"]) == (422, "/key")
    assert (await editor.post(path, {"dataset_id": "absent"})).status == 404


async def waiting_flow(editor: Caller, folder: Path, *steps: str, name: str = "flow", **fields: Any) -> dict[str, Any]:
    """An execution that waits, of a new target of these steps."""
    body = {"name": name, "definition": definition(folder, *steps, **fields)}
    made = await editor.post("/api/targets", body)
    assert made.status == 201, made.body
    execution = await invoked(editor, made.body["id"])
    assert execution["status"] == "waiting", execution
    return execution


async def settled(viewer: Caller, execution: dict[str, Any]) -> dict[str, Any]:
    """The execution when nobody works on it."""
    async with asyncio.timeout(10):
        while (found := (await viewer.get(f"{PATH}/{execution['id']}")).body)["status"] == "running":
            await asyncio.sleep(0.01)
    return found


@both
@pytest.mark.usefixtures("stepwise")
async def test_a_person_answers_and_it_goes_on(editor: Caller, viewer: Caller, tmp_path: Path) -> None:
    execution = await waiting_flow(editor, tmp_path, "a", "ask", "b", answer_schema=VERDICT)
    assert (execution["outcome"]["output"], execution["outcome"]["failure"]) == (None, None)
    [asked] = execution["human_steps"]
    assert {name: asked[name] for name in ("step", "question", "answer_schema", "answer")} == {
        "step": "ask",
        "question": "What of ask, given Hi?",
        "answer_schema": VERDICT,
        "answer": None,
    }
    listed = (await viewer.get(f"{PATH}/waiting")).body
    assert (listed["total"], listed["items"][0]["execution_id"]) == (1, execution["id"])
    assert {**listed["items"][0], **asked} == listed["items"][0]
    assert (await viewer.get(PATH, status="waiting")).body["items"][0]["id"] == execution["id"]
    path = f"{PATH}/{execution['id']}/steps/ask/answer"
    unfit = await editor.post(path, {"answer": {"approved": 1}})
    assert (unfit.status, unfit.body["errors"][0]["pointer"]) == (422, "/answer/approved")
    answer = await editor.post(path, {"answer": {"approved": True}})
    assert (answer.status, answer.body["status"]) == (202, "running")
    assert answer.body["human_steps"][0]["answered_by"] == "editor@example.org"
    done = await settled(viewer, execution)
    assert (done["status"], done["outcome"]["output"]["b"]) == ("ok", "b done")
    assert (await editor.post(path, {"answer": {"approved": False}})).status == 409
    assert (await viewer.get(f"{PATH}/waiting")).body["total"] == 0
    assert begun(tmp_path) == {"a": 1, "b": 1}


@both
@pytest.mark.usefixtures("stepwise")
async def test_two_people_answer_at_once(editor: Caller, owner: Caller, viewer: Caller, tmp_path: Path) -> None:
    execution = await waiting_flow(editor, tmp_path, "ask", "b")
    path = f"{PATH}/{execution['id']}/steps/ask/answer"
    callers = {"editor@example.org": editor, "owner@example.org": owner}
    answers = [caller.post(path, {"answer": name}) for name, caller in callers.items() for _ in range(4)]
    ended = await asyncio.gather(*answers)
    assert Counter(answer.status for answer in ended) == {202: 1, 409: 7}
    [given] = [answer.body["human_steps"][0] for answer in ended if answer.status == 202]
    assert given["answer"] == given["answered_by"]
    assert (await settled(viewer, execution))["outcome"]["output"]["ask"] == given["answer"]
    assert begun(tmp_path) == {"b": 1}


@pytest.mark.usefixtures("stepwise")
@pytest.mark.parametrize("body", [{}, None, [], {"answer": 1}, {"answer": "half \ud800"}, {"answer": "a", "b": 1}])
async def test_an_answer_that_is_none(editor: Caller, tmp_path: Path, body: Any) -> None:
    execution = await waiting_flow(editor, tmp_path, "ask")
    answer = await editor.post(f"{PATH}/{execution['id']}/steps/ask/answer", body)
    assert answer.status == 422, answer.body
    absent = await editor.post(f"{PATH}/{execution['id']}/steps/absent/answer", {"answer": "yes"})
    assert (absent.status, "the steps that do are: ask" in absent.body["detail"]) == (404, True)


@pytest.mark.usefixtures("stepwise")
async def test_those_that_wait_by_target(editor: Caller, viewer: Caller, tmp_path: Path) -> None:
    first = await waiting_flow(editor, tmp_path, "ask1", "ask2")
    second = await waiting_flow(editor, tmp_path, "ask1", "ask2", name="other")

    async def found(**params: Any) -> list[tuple[str, str]]:
        listed = (await viewer.get(f"{PATH}/waiting", None, **params)).body
        return [(step["execution_id"], step["step"]) for step in listed["items"]]

    one, two = ([(execution["id"], step) for step in ("ask1", "ask2")] for execution in (first, second))
    assert await found() == one + two
    assert await found(size=1, page=3) == two[:1]
    assert await found(target_id=second["target_id"]) == two
    assert (await viewer.get(f"{PATH}/waiting", target_id=ABSENT)).status == 404
    assert (await editor.delete(f"/api/targets/{first['target_id']}")).status == 204
    assert await found() == two
    assert (await viewer.get(f"{PATH}/{first['id']}")).status == 404


@both
@pytest.mark.usefixtures("stepwise")
async def test_one_that_waits_is_cancelled(editor: Caller, viewer: Caller, tmp_path: Path) -> None:
    execution = await waiting_flow(editor, tmp_path, "a", "ask")
    path = f"{PATH}/{execution['id']}"
    answer = await editor.post(f"{path}/cancel")
    assert (answer.status, answer.body["status"]) == (200, "error")
    assert answer.body["outcome"]["failure"]["type"] == "cancelled"
    assert (await viewer.get(path)).body == answer.body
    assert (await editor.post(f"{path}/cancel")).status == 409
    assert (await editor.post(f"{path}/steps/ask/answer", {"answer": "yes"})).status == 409
    assert (await viewer.get(PATH, status="error")).body["total"] == 1


@pytest.mark.usefixtures("stepwise")
async def test_one_that_waits_becomes_no_case_by_itself(editor: Caller, viewer: Caller, tmp_path: Path) -> None:
    execution = await waiting_flow(editor, tmp_path, "ask", "b", hang="b")
    await editor.post("/api/eval/datasets", {"name": "data"})
    path = f"{PATH}/{execution['id']}"
    answer = await editor.post(f"{path}/to-case", {"dataset_id": "data"})
    assert (answer.status, "is waiting and has no output yet" in answer.body["detail"]) == (409, True)
    given = await editor.post(f"{path}/to-case", {"dataset_id": "data", "expected_output": "yes"})
    assert (given.status, given.body["expected_output"]) == (201, "yes")
    await editor.post(f"{path}/steps/ask/answer", {"answer": "yes"})
    answer = await editor.post(f"{path}/to-case", {"dataset_id": "data", "key": "k"})
    assert (answer.status, "is running and has no output yet" in answer.body["detail"]) == (409, True)
    let_go(tmp_path)
    await settled(viewer, execution)
    case = await editor.post(f"{path}/to-case", {"dataset_id": "data", "key": "k"})
    assert (case.status, case.body["expected_output"]) == (201, {"ask": "yes", "b": "b done"})


async def test_several_become_drafts_at_once(
    editor: Caller, viewer: Caller, server: RunningServer, model_server: ModelServer
) -> None:
    target = await target_of(server, model_server)
    ids = [(await invoked(editor, target, f"question {number}"))["id"] for number in range(3)]
    dataset = (await editor.post("/api/eval/datasets", {"name": "data"})).body["id"]
    reviewed = await editor.post(f"{PATH}/{ids[0]}/to-case", {"dataset_id": dataset, "status": "draft"})
    assert reviewed.body["status"] == "draft"
    done = await editor.post(f"{PATH}/to-cases", {"dataset_id": "data", "execution_ids": [*ids, ABSENT]})
    assert (done.status, done.body) == (
        200,
        {"dataset_id": dataset, "dataset_name": "data", "added": 2, "present": 1, "missing": [ABSENT], "unfit": []},
    )
    listed = (await viewer.get(f"/api/eval/datasets/{dataset}/cases", status="draft")).body
    assert [case["input"] for case in listed["items"]] == ["question 0", "question 1", "question 2"]
    many = [f"00000000-0000-7000-8000-{number:012x}" for number in range(201)]
    for wrong in ([], many):
        refused = await editor.post(f"{PATH}/to-cases", {"dataset_id": "data", "execution_ids": wrong})
        assert (refused.status, refused.body["errors"][0]["pointer"]) == (422, "/execution_ids")
    half = await editor.post(f"{PATH}/to-cases", {"dataset_id": "data", "execution_ids": ["\ud800"]})
    assert (half.status, half.body["missing"]) == (200, ["\ufffd"])
    assert (await editor.post(f"{PATH}/to-cases", {"dataset_id": "none", "execution_ids": ids})).status == 404


@pytest.mark.usefixtures("stepwise")
async def test_one_that_waits_is_no_case_yet(editor: Caller, tmp_path: Path) -> None:
    waits = await waiting_flow(editor, tmp_path, "ask")
    dataset = (await editor.post("/api/eval/datasets", {"name": "data"})).body["id"]
    done = await editor.post(f"{PATH}/to-cases", {"dataset_id": dataset, "execution_ids": [waits["id"]]})
    assert (done.body["added"], done.body["unfit"][0]["execution_id"]) == (0, waits["id"])
    assert "wait until it is over" in done.body["unfit"][0]["reason"]
