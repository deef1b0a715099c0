"""How many more cases a run would need, over HTTP."""

import pytest

from tests.api.calls import Caller, RunningServer
from tests.api.made_runs import finished_run
from tests.model_server import ModelServer


async def test_the_usual_widths(
    server: RunningServer, viewer: Caller, editor: Caller, model_server: ModelServer
) -> None:
    run = await finished_run(editor, server, model_server)
    answer = await viewer.get(f"/api/eval/runs/{run['id']}/planning")
    assert answer.status == 200, answer.body
    low, high = run["interval"]
    found = answer.body
    assert (found["run_id"], found["rate"], found["assumed"], found["decided"]) == (run["id"], 1.0, False, 3)
    assert (found["half_width"], found["left_out"]) == ((high - low) / 2, [])
    assert [(width["half_width"], width["cases"], width["more"]) for width in found["widths"]] == [
        (0.2, 6, 3),
        (0.15, 9, 6),
        (0.1, 16, 13),
        (0.05, 35, 32),
    ]


async def test_chosen_widths(server: RunningServer, editor: Caller, model_server: ModelServer) -> None:
    run = await finished_run(editor, server, model_server)
    answer = await editor.get(f"/api/eval/runs/{run['id']}/planning?half_width=0.3&half_width=0.1")
    assert [width["half_width"] for width in answer.body["widths"]] == [0.3, 0.1]


@pytest.mark.parametrize("width", ["0", "1", "-0.1", "nan", "wide"])
async def test_a_width_outside_its_range(
    server: RunningServer, editor: Caller, model_server: ModelServer, width: str
) -> None:
    run = await finished_run(editor, server, model_server)
    answer = await editor.get(f"/api/eval/runs/{run['id']}/planning?half_width={width}")
    assert (answer.status, answer.body["code"]) == (422, "invalid_input")


async def test_no_such_run(viewer: Caller) -> None:
    assert (await viewer.get("/api/eval/runs/none/planning")).status == 404
