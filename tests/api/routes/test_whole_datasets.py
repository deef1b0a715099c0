"""Whole datasets over HTTP, as the command line and the SDK send them."""

from typing import Any

import pytest

from tests.api.calls import Caller
from tests.store.backends import BACKENDS

DATASETS = "/api/eval/datasets"
PATH = "/api/eval/suites/dataset"
both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


@both
async def test_a_whole_dataset(editor: Caller, viewer: Caller) -> None:
    cases = [{"key": "a", "prompt": "x"}, {"key": "b", "input": {"q": 1}, "id": "", "source": {"kind": "manual"}}]
    body = {"name": "Été", "cases": cases, "bindings": [{"kind": "contains", "text": "a"}], "judge_samples": 3}
    answer = await editor.post(PATH, body)
    assert answer.status == 200, answer.body
    saved = answer.body
    assert (saved["dataset_name"], saved["given"], saved["before"], saved["after"]) == ("Été", 2, 0, 2)
    path = f"{DATASETS}/{saved['dataset_id']}"
    dataset = (await viewer.get(path)).body
    assert (dataset["judge_samples"], [item["name"] for item in dataset["bindings"]]) == (3, ["contains"])
    answer = await editor.post(PATH, {"name": "Été", "cases": [{"key": "c", "prompt": "z"}], "replace": True})
    assert (answer.body["before"], answer.body["after"]) == (2, 1)
    unchanged = (await viewer.get(path)).body
    assert (unchanged["judge_samples"], unchanged["bindings"]) == (3, dataset["bindings"])


async def test_saved_evaluators_are_bound_as_they_are_now(editor: Caller) -> None:
    spec = {"kind": "contains", "text": "Paris"}
    saved = (await editor.post("/api/eval/evaluators", {"name": "capital", "spec": spec})).body
    old = {"name": "old", "spec": {"kind": "contains", "text": "old"}, "weight": 2, "evaluator_id": saved["id"]}
    answer = await editor.post(PATH, {"name": "x", "cases": [{"prompt": "a"}], "bindings": [old]})
    assert answer.status == 200, answer.body
    [bound] = (await editor.get(f"{DATASETS}/{answer.body['dataset_id']}/evaluators")).body
    assert bound == {"name": "capital", "spec": spec, "weight": 2, "evaluator_id": saved["id"], "version": 1}


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/name"),
        ([], ""),
        ({"name": "x"}, "/cases"),
        ({"name": "x", "cases": {}}, "/cases"),
        ({"name": "", "cases": []}, "/name"),
        ({"name": "x", "cases": [], "judge_samples": 9}, "/judge_samples"),
        ({"name": "x", "cases": [], "owner": 1}, "/owner"),
        ({"name": "x", "cases": [{"prompt": "a"}, 5]}, "/cases/1"),
        ({"name": "x", "cases": [{"prompt": "a"}, {"prompt": "nul \0"}]}, "/cases/1/prompt"),
        ({"name": "x", "cases": [{"prompt": "a", "tags": [5]}]}, "/cases/0/tags/0"),
        ({"name": "x", "cases": [], "bindings": [{"kind": "contains", "txet": ""}]}, "/bindings/0/txet"),
    ],
)
async def test_what_does_not_fit_is_pointed_at(editor: Caller, body: Any, pointer: str) -> None:
    answer = await editor.post(PATH, body)
    assert answer.status == 422, answer.body
    assert [fault["pointer"] for fault in answer.body["errors"]] == [pointer]
    assert (await editor.get(DATASETS)).body["total"] == 0


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"name": NaN}', b'{"name": "a", "name": "b"}', b"[" * 10_000])
async def test_what_is_no_json(editor: Caller, body: bytes) -> None:
    answer = await editor.call("POST", PATH, data=body)
    assert (answer.status, answer.body["code"]) == (422, "invalid_input")


async def test_a_large_one(editor: Caller) -> None:
    cases = [{"key": f"k{number}", "prompt": "x" * 2000} for number in range(6000)]
    answer = await editor.post(PATH, {"name": "large", "cases": cases})
    assert answer.status == 200, answer.body
    assert answer.body["after"] == 6000


async def test_it_takes_an_editor(viewer: Caller) -> None:
    assert (await viewer.post(PATH, {"name": "x", "cases": []})).status == 403


async def test_its_body_is_described(viewer: Caller) -> None:
    described = (await viewer.get("/api/openapi.json")).body["paths"][PATH]["post"]["requestBody"]
    schema = described["content"]["application/json"]["schema"]
    assert set(schema["properties"]) == {"name", "cases", "bindings", "judge_samples", "replace"}
    assert "$ref" not in str(schema)
