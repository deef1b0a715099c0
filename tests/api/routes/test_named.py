"""What programs find by name."""

from typing import Any

import pytest

from tests.api.calls import Caller

DATASET, TARGET = "/api/eval/suites/dataset", "/api/eval/suites/target"
REPLAY = {"kind": "replay", "outputs": {"a": "1"}}
STRANGE = "a/b é?#&+%2F"


async def saved(caller: Caller, name: str = "bot", **definition: Any) -> Any:
    answer = await caller.post(TARGET, {"name": name, "definition": {**REPLAY, **definition}})
    assert answer.status == 200, answer.body
    return answer.body


async def test_a_dataset_by_name_or_id(editor: Caller, viewer: Caller) -> None:
    made = (await editor.post("/api/eval/datasets", {"name": STRANGE})).body
    for name in (STRANGE, made["id"]):
        found = (await viewer.get(DATASET, name=name)).body
        assert (found["id"], found["name"], found["bindings"]) == (made["id"], STRANGE, [])


async def test_a_version_by_its_targets_name(editor: Caller, viewer: Caller) -> None:
    first, second = await saved(editor, STRANGE), await saved(editor, STRANGE, outputs={"a": "2"})
    assert (first["number"], second["number"]) == (1, 2)
    assert await saved(editor, STRANGE) == first
    assert (await viewer.get(TARGET, name=STRANGE)).body == first
    assert (await viewer.get(TARGET, name=f"{STRANGE}@2")).body == second


async def test_another_workspace_has_its_own(editor: Caller, stranger: Caller) -> None:
    await editor.post("/api/eval/datasets", {"name": "data"})
    mine = await saved(editor)
    assert (await stranger.get(DATASET, name="data")).status == 404
    assert (await stranger.get(TARGET, name="bot")).status == 404
    assert (await saved(stranger))["id"] != mine["id"]


@pytest.mark.parametrize(
    ("path", "name", "status"),
    [
        (DATASET, "nope", 404),
        (DATASET, "", 404),
        (TARGET, "nope", 404),
        (TARGET, "bot@9", 404),
        (TARGET, "bot@x", 422),
        (TARGET, "bot@" + "9" * 30, 422),
    ],
)
async def test_what_is_not_there(editor: Caller, path: str, name: str, status: int) -> None:
    await saved(editor)
    answer = await editor.get(path, name=name)
    assert answer.status == status, answer.body
    assert (await editor.get(path)).status == 422


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"name": "", "definition": REPLAY}, 422, "name"),
        ({"name": "x" * 201, "definition": REPLAY}, 422, "name"),
        ({"name": "a\x00", "definition": REPLAY}, 422, "name"),
        ({"name": "x", "definition": {}}, 422, "kind"),
        ({"name": "x", "definition": {"kind": "nope"}}, 422, "no kind 'nope'"),
        ({"name": "bot", "definition": {"kind": "openai", "model": "x"}}, 409, "of kind replay, not openai"),
        ({"name": "x"}, 422, "definition"),
        ([], 422, ""),
    ],
)
async def test_what_is_not_saved(editor: Caller, body: Any, status: int, said: str) -> None:
    await saved(editor)
    answer = await editor.post(TARGET, body)
    assert (answer.status, answer.headers["Content-Type"]) == (status, "application/problem+json"), answer.body
    assert said in answer.body["detail"]
    assert (await editor.get("/api/targets")).body["total"] == 1
