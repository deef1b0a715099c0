"""The figures of judges over HTTP: the golden numbers from runs that were judged, and labels that were given."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from aloi.core.label import LabelVerdict
from aloi.core.run import Run
from tests.api.calls import Caller, RunningServer
from tests.model_server import ModelServer
from tests.service.judging import JUDGE, judged, label

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[2] / "golden" / "stats.json").read_text())
CALIBRATION = "/api/eval/calibration"


def close(value: Any) -> Any:
    """The value to the last bits."""
    return pytest.approx(value, abs=1e-9)


async def labelled_run(
    server: RunningServer, models: ModelServer, tp: int, fp: int, fn: int, tn: int, name: str = "labelled"
) -> Run:
    """A run whose judge agrees with the labels in so many cases."""
    cells: list[tuple[str, LabelVerdict, int]] = [
        ("1", "pass", tp),
        ("1", "fail", fp),
        ("0", "pass", fn),
        ("0", "fail", tn),
    ]
    votes = [vote for vote, _, number in cells for _ in range(number)]
    run = await judged(server.context, models, votes, name=name)
    await label(server.context, run, [said for _, said, number in cells for _ in range(number)])
    return run


def asking(scope: Mapping[str, str]) -> str:
    """The path with its query."""
    return f"{CALIBRATION}?{urlencode(scope)}"


async def the_judge(viewer: Caller, **scope: str) -> dict[str, Any]:
    """The figures of the only judge there is."""
    answer = await viewer.get(asking(scope))
    assert answer.status == 200, answer.body
    [figures] = answer.body["items"]
    return figures


@pytest.mark.parametrize("golden", GOLDEN["judge_vs_human"]["cases"], ids=lambda case: f"{case['tp']}-{case['fp']}")
async def test_judge_against_people(
    server: RunningServer, viewer: Caller, model_server: ModelServer, golden: dict[str, Any]
) -> None:
    counts = {cell: golden[cell] for cell in ("tp", "fp", "fn", "tn")}
    await labelled_run(server, model_server, **counts)
    figures = await the_judge(viewer)
    names = {"tp": "true_passes", "fp": "false_passes", "fn": "false_fails", "tn": "true_fails"}
    assert {cell: figures[name] for cell, name in names.items()} == counts
    assert figures["labelled"] == sum(counts.values())
    assert figures["sensitivity"]["rate"] == close(golden["tpr"])
    assert figures["sensitivity"]["interval"] == close(golden["tpr_ci"])
    assert figures["specificity"]["rate"] == close(golden["tnr"])
    assert figures["specificity"]["interval"] == close(golden["tnr_ci"])
    assert figures["kappa"] == close(golden["kappa"])
    expected = None if golden["lo"] is None else close([golden["lo"], golden["hi"]])
    assert figures["kappa_interval"] == expected
    assert (figures["self_agreement"], figures["resampled"]) == (None, 0)


async def test_judge_against_itself(server: RunningServer, viewer: Caller, model_server: ModelServer) -> None:
    golden = GOLDEN["krippendorff_nominal"]["cases"][0]
    run = await judged(server.context, model_server, ["".join(map(str, votes)) for votes in golden["votes"]])
    figures = await the_judge(viewer, run_id=run.id)
    assert figures["self_agreement"] == close(golden["alpha"])
    # The same votes, counted.
    [fleiss] = [case for case in GOLDEN["fleiss"]["cases"] if len(case["counts"][0]) == 2]
    assert [[sum(votes), 3 - sum(votes)] for votes in golden["votes"]] == fleiss["counts"]
    assert figures["fleiss_kappa"] == close(fleiss["kappa"])
    assert (figures["resampled"], figures["disagreed"], figures["unanimous"]) == (8, 3, False)
    assert figures["judge"]["samples"] == 3
    assert figures["labelled"] == 0


@pytest.mark.parametrize("golden", GOLDEN["rogan_gladen"]["cases"], ids=lambda case: f"{case['x']}-of-{case['n']}")
async def test_corrected_pass_rates(
    server: RunningServer, viewer: Caller, model_server: ModelServer, golden: dict[str, Any]
) -> None:
    tp, m1, tn, m0, x, n = (golden[name] for name in ("tp", "m1", "tn", "m0", "x", "n"))
    await labelled_run(server, model_server, tp=tp, fp=m0 - tn, fn=m1 - tp, tn=tn)
    run = await judged(server.context, model_server, ["1"] * x + ["0"] * (n - x), name="corrected")
    figures = await the_judge(viewer)
    assert (figures["sensitivity"]["total"], figures["specificity"]["total"]) == (m1, m0)
    found = figures["corrected"][0]
    assert (found["run_id"], found["judged"], found["observed"]) == (run.id, n, close(x / n))
    if min(m1, m0) < 20:
        assert (found["status"], found["rate"], found["interval"]) == ("too_few_labels", None, None)
        assert "at least 20" in found["reason"]
    else:
        assert (found["status"], found["rate"]) == (golden["status"], close(golden["est"]))
        assert found["interval"] == close([golden["lo"], golden["hi"]])


async def test_a_scope(server: RunningServer, viewer: Caller, model_server: ModelServer) -> None:
    one = await labelled_run(server, model_server, 2, 1, 0, 1, name="one")
    two = await labelled_run(server, model_server, 1, 0, 0, 0, name="two")
    assert (await the_judge(viewer))["labelled"] == 5
    scopes: tuple[tuple[dict[str, str], int], ...] = (
        ({"run_id": one.id}, 4),
        ({"dataset_id": two.dataset_id}, 1),
        ({"dataset_id": "one"}, 4),
        ({"target_id": "bot of two"}, 1),
        ({"target_id": "bot of two", "run_id": "latest"}, 1),
    )
    for scope, labelled in scopes:
        assert (await the_judge(viewer, **scope))["labelled"] == labelled, scope
    nothing = await viewer.get(CALIBRATION, target_id="bot of two", run_id=one.id)
    assert (nothing.status, nothing.body["items"]) == (200, [])
    for unknown in ({"run_id": "none"}, {"dataset_id": "none"}, {"target_id": "none"}):
        assert (await viewer.get(asking(unknown))).status == 404


async def test_pages_the_most_labelled_first(server: RunningServer, viewer: Caller, model_server: ModelServer) -> None:
    evaluators = [{**JUDGE, "rubric": f"Rubric {number}."} for number in range(3)]
    for number, evaluator in enumerate(evaluators):
        run = await judged(server.context, model_server, ["1"] * 3, evaluators=(evaluator,), name=f"data-{number}")
        said: list[LabelVerdict] = ["pass"]
        await label(server.context, run, said * number)
    page = (await viewer.get(CALIBRATION, size=2)).body
    assert [item["judge"]["spec"]["rubric"] for item in page["items"]] == ["Rubric 2.", "Rubric 1."]
    assert [item["labelled"] for item in page["items"]] == [2, 1]
    assert (page["total"], page["pages"]) == (3, 2)
    last = (await viewer.get(CALIBRATION, size=2, page=2)).body["items"]
    assert [item["judge"]["spec"]["rubric"] for item in last] == ["Rubric 0."]


async def test_where_nothing_was_judged(viewer: Caller, stranger: Caller) -> None:
    assert (await viewer.get(CALIBRATION)).body["items"] == []
    assert (await stranger.get(CALIBRATION)).body["items"] == []
