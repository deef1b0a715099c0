"""Results over HTTP: pages of light rows, whole ones, and one with everything."""

from typing import Any

import pytest

from aloi.core.run_view import CaseDetail
from tests.api.calls import Caller, RunningServer
from tests.api.made_runs import finished, finished_run, ready, started
from tests.model_server import ModelServer

RUNS = "/api/eval/runs"
MIXED = (
    {"key": "a/b", "name": "Slash", "prompt": "case é", "expected_output": "x"},
    {"key": "no", "prompt": "nothing here"},
    {"key": "last", "prompt": "case <b>"},
)


async def test_pages_in_the_order_of_the_cases(
    server: RunningServer, viewer: Caller, editor: Caller, model_server: ModelServer
) -> None:
    run = await finished_run(editor, server, model_server, cases=7)
    page = (await viewer.get(f"{RUNS}/{run['id']}/results", page=2, size=3)).body
    assert [row["case_key"] for row in page["items"]] == ["k3", "k4", "k5"]
    assert (page["total"], page["page"], page["size"], page["pages"]) == (7, 2, 3, 3)
    assert (await viewer.get(f"{RUNS}/{run['id']}/results", size=201)).status == 422


async def test_filters(server: RunningServer, viewer: Caller, editor: Caller, model_server: ModelServer) -> None:
    run = await finished_run(editor, server, model_server, cases=MIXED)
    path = f"{RUNS}/{run['id']}/results"
    ways: tuple[tuple[dict[str, Any], list[str]], ...] = (
        ({"verdict": "fail"}, ["no"]),
        ({"verdict": "pass"}, ["a/b", "last"]),
        ({"verdict": "error"}, []),
        ({"q": "SLASH"}, ["a/b"]),
        ({"q": "case é"}, ["a/b"]),
        ({"q": "nothing", "verdict": "pass"}, []),
    )
    for query, keys in ways:
        page = (await viewer.get(path, **query)).body
        assert [row["case_key"] for row in page["items"]] == keys, query
        assert page["total"] == len(keys)
    assert (await viewer.get(path, verdict="good")).status == 422


async def test_a_row_says_how_it_was_graded(
    server: RunningServer, viewer: Caller, editor: Caller, model_server: ModelServer
) -> None:
    run = await finished_run(editor, server, model_server, cases=MIXED)
    row = (await viewer.get(f"{RUNS}/{run['id']}/results", verdict="fail")).body["items"][0]
    assert (row["input"], row["output"], row["verdict"], row["score"]) == ("nothing here", "nothing here", "fail", 0.0)
    score = row["scores"][0]
    assert (score["evaluator"], score["verdict"], score["value"]) == ("contains", "fail", 0.0)
    assert score["explanation"]
    assert row["usage"]["calls"] == 1
    assert row["latency"] > 0


async def test_long_texts_are_cut_in_rows_alone(
    server: RunningServer, viewer: Caller, editor: Caller, model_server: ModelServer
) -> None:
    long = "case " + "x" * 10_000
    run = await finished_run(editor, server, model_server, cases=[{"key": "a", "prompt": long}])
    row = run["results"][0]
    assert len(row["input"]) == len(row["output"]) == 4001
    whole = (await viewer.get(f"{RUNS}/{run['id']}/results/a")).body
    assert (whole["case"]["input"], whole["result"]["outcome"]["output"]) == (long, long)


def whole_outcome(detail: dict[str, Any]) -> Any:
    """The outcome of a result with its own trace."""
    return CaseDetail.model_validate(detail).whole_result.outcome.model_dump(mode="json")


async def test_everything_of_one(
    server: RunningServer, viewer: Caller, editor: Caller, model_server: ModelServer
) -> None:
    run = await finished_run(editor, server, model_server, cases=MIXED)
    by_key = (await viewer.get(f"{RUNS}/{run['id']}/results/a%2Fb")).body
    by_id = (await viewer.get(f"{RUNS}/{run['id']}/results/{by_key['case']['id']}")).body
    assert by_key == by_id
    assert (by_key["case"]["name"], by_key["case"]["expected_output"]) == ("Slash", "x")
    assert by_key["result"]["outcome"]["trace"] is None, "it stands in the case's trace, once"
    case, target, *_ = by_key["trace"]["spans"]
    assert (case["name"], case["parent_id"], target["parent_id"]) == ("case a/b", None, case["span_id"])
    assert by_key["trace"]["spans"][-1]["name"] == "evaluator contains"
    assert by_key["result"]["scores"][0]["kind"] == "contains"
    frozen = await viewer.get(f"{RUNS}/{run['id']}/cases/a%2Fb")
    assert frozen.body == by_key["case"]
    execution = (await viewer.get(f"/api/executions/{by_key['execution_id']}")).body
    assert (execution["run_id"], execution["case_key"]) == (run["id"], "a/b")
    assert execution["outcome"] == whole_outcome(by_key)


async def test_a_trial(server: RunningServer, viewer: Caller, editor: Caller, model_server: ModelServer) -> None:
    body = await ready(server, model_server, cases=1)
    run = await finished(editor, await started(editor, {**body, "trials": 2}))
    second = await viewer.get(f"{RUNS}/{run['id']}/results/k0", trial=1)
    assert (second.status, second.body["result"]["trial"]) == (200, 1)
    assert (await viewer.get(f"{RUNS}/{run['id']}/results/k0", trial=2)).status == 404
    assert (await viewer.get(f"{RUNS}/{run['id']}/results/k0", trial=-1)).status == 422


@pytest.mark.parametrize("path", ["results/none", "cases/none"])
async def test_a_case_that_is_not_there(
    server: RunningServer, viewer: Caller, editor: Caller, model_server: ModelServer, path: str
) -> None:
    run = await finished_run(editor, server, model_server)
    assert (await viewer.get(f"{RUNS}/{run['id']}/{path}")).status == 404


async def test_whole_results(server: RunningServer, viewer: Caller, editor: Caller, model_server: ModelServer) -> None:
    run = await finished_run(editor, server, model_server, cases=MIXED)
    page = (await viewer.get(f"{RUNS}/{run['id']}/whole-results", verdict="pass", size=1)).body
    assert (page["total"], page["pages"]) == (2, 2)
    one = (await viewer.get(f"{RUNS}/{run['id']}/results/a%2Fb")).body
    assert page["items"] == [{**one["result"], "outcome": whole_outcome(one)}]
