"""Kinds for forms, and definitions checked while they are written."""

import pytest
from pydantic import JsonValue

from tests.api.calls import Caller

CHECK = "/api/target-kinds/workflow/check"


async def test_every_kind_has_its_schema(viewer: Caller) -> None:
    for path in ("/api/target-kinds", "/api/eval/evaluator-kinds", "/api/tool-kinds"):
        found = (await viewer.get(path)).body
        assert all(kind["schema"]["properties"] is not None and kind["title"] for kind in found)


async def test_a_definition_is_checked_line_by_line_and_not_saved(editor: Caller) -> None:
    first = "steps:\n  - {name: a, kind: transform, template: x}\n"
    text = first + "  - {name: b, kind: transform, template: '{{ steps.c }}'}\n"
    answer = await editor.post(CHECK, {"text": text})
    assert answer.status == 200
    assert [(fault["line"], fault["pointer"]) for fault in answer.body["faults"]] == [(3, "/steps/1/template")]
    assert [step["name"] for step in answer.body["steps"]] == ["a", "b"]
    assert answer.body["definition"]["steps"][0]["name"] == "a"
    assert (await editor.get("/api/targets")).body["total"] == 0


@pytest.mark.parametrize("body", [{}, {"text": 3}, {"text": None}, {"text": "x", "more": 1}])
async def test_a_body_that_does_not_fit(editor: Caller, body: JsonValue) -> None:
    assert (await editor.post(CHECK, body)).status == 422


async def test_an_unknown_kind(editor: Caller) -> None:
    answer = await editor.post("/api/target-kinds/nope/check", {"text": "a: 1"})
    assert (answer.status, "'nope'" in answer.body["detail"]) == (404, True)
