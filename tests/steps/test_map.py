"""The step `map`: the same steps for every item. Its faults as a part of a workflow: tests/core/flow/test_checks.py."""

import asyncio
from typing import Any

import pytest
from pydantic import JsonValue

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.spec import JsonObject
from aloi.core.step import Step, StepContext
from aloi.plugins import build
from aloi.steps.map import Map
from aloi.workflow.trying import StepFailure
from tests.steps.step_calls import step
from tests.workflow.probes import Probe, Ran, asks, probe

INNER: dict[str, Any] = {"name": "inner", "kind": "transform", "value": "{{ item }}-{{ index }}"}


def each(*inner: Probe, **fields: Any) -> Map:
    """A map whose steps are made by the test; its list is what `list` gives."""
    made = Map.model_validate({"name": "each", "items": "{{ steps.list }}", "steps": [INNER], **fields})
    if inner:
        made._flow = Ran(inner).flow
    return made


def listing(items: JsonValue) -> Probe:
    async def give(ctx: StepContext) -> JsonValue:
        return items

    return probe("list", work=give)


async def test_every_item_in_its_place() -> None:
    ran = await Ran([listing(["a", "b", "c"]), each()]).done()
    assert ran.outputs["each"] == ["a-0", "b-1", "c-2"]
    names = [span.name for span in ran.recorder.spans()]
    assert names == ["step list", "step each", "step each[0].inner", "step each[1].inner", "step each[2].inner"]
    assert ran.progress.state()["steps"] == {"list": ["a", "b", "c"], "each": ["a-0", "b-1", "c-2"]}


async def test_no_item_gives_an_empty_list() -> None:
    assert (await Ran([listing([]), each()]).done()).outputs["each"] == []


async def test_the_output_of_an_item_can_be_said() -> None:
    ran = await Ran(
        [listing([1]), each(output={"i": "{{ index }}", "v": "{{ steps.inner }}", "in": "{{ input }}"})]
    ).done()
    assert ran.outputs["each"] == [{"i": 0, "v": "1-0", "in": "given"}]


@pytest.mark.parametrize("concurrency", [1, 3, 20])
async def test_as_many_at_once_as_may_be_and_never_more(concurrency: int) -> None:
    now: set[str] = set()
    most: list[int] = []

    async def work(ctx: StepContext) -> JsonValue:
        now.add(ctx.path)
        most.append(len(now))
        for _ in range(30):
            await asyncio.sleep(0)
        now.discard(ctx.path)
        return ctx.document["item"]

    items: list[JsonValue] = [*range(10)]
    ran = await Ran([listing(items), each(probe("inner", work=work), concurrency=concurrency)]).done()
    assert max(most) == min(concurrency, 10)
    assert ran.outputs["each"] == items


async def test_one_that_fails_fails_the_map_and_says_where() -> None:
    async def work(ctx: StepContext) -> JsonValue:
        if ctx.document["item"] == 3:
            raise StageFailure("invoke", "broken", "no")
        return 1

    with pytest.raises(StepFailure, match=r"^step each\[3\]\.inner: no$"):
        await Ran([listing([0, 1, 2, 3, 4]), each(probe("inner", work=work))]).done()


@pytest.mark.parametrize(
    ("items", "said"),
    [("text", "items are text"), (None, "null"), ({"a": 1}, "an object"), ([0] * 10_001, "10,001 items, and 10,000")],
)
async def test_what_is_no_list_or_too_long_a_one(items: JsonValue, said: str) -> None:
    with pytest.raises(StepFailure, match=said) as caught:
        await Ran([listing(items), each()]).done()
    assert caught.value.type == "bad_items"


async def test_items_that_wait_for_people_hold_up_no_others_and_do_not_run_again() -> None:
    steps = [listing(["a", "b", "c"]), each(probe("first"), probe("ask", "first", work=asks), probe("last", "ask"))]
    parked = await Ran(steps).done()
    assert [question.step for question in parked.questions] == ["each[0].ask", "each[1].ask", "each[2].ask"]
    second = await Ran(steps, {"each[1].ask": 1}, parked.progress.state()).done()
    assert [question.step for question in second.questions] == ["each[0].ask", "each[2].ask"]
    assert [span.name for span in second.recorder.spans() if "first" in span.name] == []
    state = second.progress.state()
    assert isinstance(state["steps"], dict) and state["steps"]["each[1]"] == "each[1].last"
    last = await Ran(steps, {"each[0].ask": 1, "each[2].ask": 1}, state).done()
    assert last.outputs["each"] == ["each[0].last", "each[1].last", "each[2].last"]


async def test_maps_within_maps() -> None:
    inner = {"name": "deep", "kind": "map", "items": "{{ item }}", "steps": [INNER]}
    ran = await Ran([listing([["a"], ["b", "c"]]), each(steps=[inner])]).done()
    assert ran.outputs["each"] == [["a-0"], ["b-0", "c-1"]]
    assert "step each[1].deep[1].inner" in [span.name for span in ran.recorder.spans()]


@pytest.mark.parametrize(
    "fields",
    [
        {"items": "text"},
        {"items": "{{ a }} and {{ b }}"},
        {"items": {"a": 1}},
        {"concurrency": 0},
        {"concurrency": 101},
        {"steps": []},
        {"output": "{{"},
    ],
)
def test_what_is_refused(fields: JsonObject) -> None:
    spec = {"kind": "map", "name": "each", "items": "{{ input }}", "steps": [INNER], **fields}
    with pytest.raises(InvalidInput):
        build("steps", spec, Step)


def test_it_answers_for_the_steps_inside() -> None:
    agent = {
        "name": "ask",
        "kind": "agent",
        "agent": {"model": "openai:m", "api_key_env": "KEY", "tools": ["calculator"]},
    }
    human = {"name": "ok", "kind": "human", "question": "?"}
    one = step(Map, items=[1], steps=[agent, human, {"name": "other", "kind": "agent", "agent": "saved@2"}])
    assert {component.name for component in one.components()} == {"ask", "calculator", "ok", "other"}
    assert [model.name for model in one.models()] == ["m"] or [str(model.model) for model in one.models()] == [
        "openai:m"
    ]
    assert one.uses_workspace() and not one.runs_code() and one.files() == ()
    assert one.references() == ("saved@2",)
