"""Executions over HTTP: of runs, of the Runner, of production; and as cases."""

from datetime import UTC, datetime
from typing import Any

import pytest

from aloi.service import audit
from tests.api.calls import Caller, RunningServer
from tests.api.made_runs import finished_run, prompts, target_of
from tests.model_server import ModelServer
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
