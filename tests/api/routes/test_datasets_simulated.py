"""The simulations of a dataset over HTTP."""

from typing import Any

import pytest

from tests.api.calls import Caller
from tests.api.routes.test_datasets import PATH, both, made, pointers

SIMULATED = {
    "lookup": {"kind": "static", "answers": [{"output": None, "when": [{"path": "$.id", "equals": None}]}]},
    "mail": {"kind": "generated", "description": "It is sent."},
}


@both
async def test_its_simulations(editor: Caller, viewer: Caller) -> None:
    dataset = await made(editor, simulations=SIMULATED)
    path = f"{PATH}/{dataset['id']}"
    assert dataset["simulations"] == SIMULATED
    read = await viewer.get(path)
    assert read.body["simulations"] == SIMULATED
    # Absent leaves them, another value replaces all of them, null clears.
    assert (await editor.put(path, {"description": "x"})).body["simulations"] == SIMULATED
    one = {"mail": SIMULATED["mail"]}
    changed = await editor.put(path, {"simulations": one})
    assert changed.body["simulations"] == one
    assert changed.headers["ETag"] != read.headers["ETag"]
    assert (await editor.put(path, {"simulations": None})).body["simulations"] == {}


@pytest.mark.parametrize(
    ("simulations", "pointer", "said"),
    [
        ({"a": {}}, "/simulations/a", "lacks its 'kind'"),
        ({"a": {"kind": "code"}}, "/simulations/a", "must be one of 'static', 'generated', not 'code'"),
        ({"a": {"kind": "static", "answers": []}}, "/simulations/a/answers", "at least one answer"),
        ({"a": {"kind": "generated", "description": "nul \0"}}, "/simulations/a/description", "NUL"),
    ],
)
async def test_simulations_that_do_not_fit_are_pointed_at(
    editor: Caller, simulations: Any, pointer: str, said: str
) -> None:
    dataset = await made(editor)
    for answer in (
        await editor.put(f"{PATH}/{dataset['id']}", {"simulations": simulations}),
        await editor.post(PATH, {"name": "other", "simulations": simulations}),
    ):
        assert pointers(answer) == [pointer]
        assert said in answer.body["detail"]
