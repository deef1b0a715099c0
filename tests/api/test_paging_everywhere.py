"""Every list of the API has the same bounds."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.api.calls import Caller, RunningServer
from tests.api.made_runs import finished_run
from tests.model_server import ModelServer

DOCUMENT = json.loads((Path(__file__).parents[2] / "openapi.json").read_text(encoding="utf-8"))


def is_list(operation: dict[str, Any]) -> bool:
    return {"page", "size"} <= {parameter["name"] for parameter in operation.get("parameters", ())}


LISTS = [path for path, methods in DOCUMENT["paths"].items() if is_list(methods.get("get", {}))]


def test_there_are_lists() -> None:
    assert len(LISTS) >= 13


async def test_page_sizes_out_of_bounds(
    server: RunningServer, owner: Caller, model_server: ModelServer, subtests: pytest.Subtests
) -> None:
    run = await finished_run(owner, server, model_server)
    of = {"dataset_id": run["dataset_id"], "target_id": run["target_id"]}
    ids = {"run_id": run["id"], **of}
    timing = {"start": "2030-01-01T00:00:00Z", "recurrence": {"kind": "every", "n": 1, "unit": "days"}}
    made = await owner.post("/api/eval/schedules", {**timing, "name": "daily", **of})
    ids["schedule_id"] = made.body["id"]
    contains = {"kind": "contains", "text": "yes"}
    ids["evaluator_id"] = (await owner.post("/api/eval/evaluators", {"name": "yes", "spec": contains})).body["id"]
    rule = {"name": "yes", "evaluators": [contains]}
    ids["rule_id"] = (await owner.post(f"/api/targets/{ids['target_id']}/online-rules", rule)).body["id"]
    for template in LISTS:
        path = template.format_map(ids)
        with subtests.test(path):
            for query in ("size=0", "size=-1", "size=1000000000", "size=201", "page=0", "page=-1", "page=x"):
                answer = await owner.get(f"{path}?{query}")
                assert (answer.status, answer.body["code"]) == (422, "invalid_input"), query
            far = (await owner.get(f"{path}?page=1000000000&size=200")).body
            assert (far["items"], far["page"], far["size"]) == ([], 1_000_000_000, 200)
            first = (await owner.get(f"{path}?size=1")).body
            assert (len(first["items"]), first["pages"]) == (min(1, first["total"]), first["total"])
