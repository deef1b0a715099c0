"""The evaluators of a target over HTTP."""

from typing import Any

from tests.api.calls import Caller
from tests.api.routes.test_evaluators import ABSENT, DATASETS, PARIS, PATH, both, bound, made

TARGETS = "/api/targets"
KINDS = ["output_judge", "trajectory_judge", "exact_match", "json_similarity", "tool_call_order"]


async def bot(editor: Caller, name: str = "bot") -> str:
    given: dict[str, Any] = {"name": name, "definition": {"kind": "openai", "model": "m"}}
    answer = await editor.post(TARGETS, given)
    assert answer.status == 201, answer.body
    return answer.body["id"]


@both
async def test_defaults_are_made_once(editor: Caller, viewer: Caller) -> None:
    target_id = await bot(editor)
    path = f"{TARGETS}/{target_id}/default-evaluators"
    assert (await viewer.post(path)).status == 403
    first = await editor.post(path)
    assert first.status == 201
    assert [saved["spec"]["kind"] for saved in first.body["created"]] == KINDS
    assert first.body["dataset_created"] is True
    again = await editor.post(path)
    assert (again.status, again.body) == (200, {"created": [], "dataset": None, "dataset_created": False})
    listed = (await viewer.get(PATH, target=target_id)).body["items"]
    assert listed == first.body["created"]
    [dataset] = (await viewer.get(f"{TARGETS}/{target_id}/evaluators")).body["items"]
    assert dataset == first.body["dataset"]
    assert [binding["name"] for binding in dataset["evaluators"]] == ["output_judge · bot"]
    assert (await viewer.get(DATASETS, target=target_id)).body["items"][0]["name"] == "bot cases"
    versions = (await viewer.get(f"{TARGETS}/{target_id}/versions")).body
    assert versions["total"] == 1


async def test_reading_makes_nothing(editor: Caller, viewer: Caller) -> None:
    target_id = await bot(editor)
    page = (await viewer.get(f"{TARGETS}/{target_id}/evaluators")).body
    assert (page["items"], page["total"]) == ([], 0)
    assert (await viewer.get(PATH)).body["total"] == 0


async def test_listed_by_target(editor: Caller, viewer: Caller) -> None:
    target_id, other_id = await bot(editor), await bot(editor, "other")
    own = await made(editor, "own", target_id="bot")
    assert own["target_id"] == target_id
    moved = await editor.put(f"{PATH}/{own['id']}", {"target_id": other_id})
    assert (moved.body["target_id"], moved.body["version"]) == (other_id, 1)
    assert (await viewer.get(PATH, target=other_id)).body["total"] == 1
    freed = await editor.put(f"{PATH}/{own['id']}", {"target_id": None})
    assert freed.body["target_id"] is None
    data = await bound(editor, "data", {"evaluator_id": own["id"]})
    await editor.put(data, {"target_id": target_id})
    assert [saved["name"] for saved in (await viewer.get(PATH, target=target_id)).body["items"]] == ["own"]
    assert (await viewer.get(PATH, target=ABSENT)).body["total"] == 0


async def test_no_such_target(editor: Caller, stranger: Caller) -> None:
    target_id = await bot(editor)
    for caller, ref in ((editor, ABSENT), (stranger, target_id)):
        assert (await caller.get(f"{TARGETS}/{ref}/evaluators")).status == 404
        assert (await caller.post(f"{TARGETS}/{ref}/default-evaluators")).status == 404
        assert (await caller.post(PATH, {"name": "a", "spec": PARIS, "target_id": ref})).status == 404
