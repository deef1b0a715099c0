"""Agents that a workflow names are written into it when it is saved."""

from typing import Any

import pytest

from aloi.core.errors import InvalidInput
from aloi.service import targets, versions
from aloi.service.context import Context


def flow(agent: Any, inside: bool = False, **fields: Any) -> dict[str, Any]:
    step = {"name": "ask", "kind": "agent", "agent": agent, **fields}
    steps = [{"name": "each", "kind": "map", "items": ["a"], "steps": [step]}] if inside else [step]
    return {"kind": "workflow", "steps": steps}


async def an_agent(context: Context, name: str = "helper", model: str = "openai:one") -> None:
    await targets.create(context, name, "", {"kind": "agent", "model": model})


def step_of(definition: Any) -> Any:
    step = definition["steps"][0]
    return step["steps"][0] if "steps" in step else step


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("named", ["helper", "helper@1"])
async def test_the_version_is_written_in(context: Context, named: str, inside: bool) -> None:
    await an_agent(context)
    await versions.add(context, "helper", {"model": "openai:two"})  # not active
    saved = await targets.save_definition(context, "flow", flow(named, inside))
    step = step_of(saved.definition)
    assert step["agent"] == "helper@1"
    assert (step["pinned"]["number"], step["pinned"]["definition"]["model"]) == (1, "openai:one")
    assert targets.built(context, saved).models()[0].model == "openai:one"


async def test_another_version_gives_another_hash_and_the_same_gives_the_same(context: Context) -> None:
    await an_agent(context)
    await versions.add(context, "helper", {"model": "openai:two"})
    one = await targets.save_definition(context, "flow", flow("helper@1"))
    two = await targets.save_definition(context, "flow", flow("helper@2"))
    again = await targets.save_definition(context, "flow", one.definition)
    assert (one.number, two.number, again.number) == (1, 2, 1)


@pytest.mark.parametrize("inside", [False, True])
async def test_what_is_written_in_must_be_what_it_is_called(context: Context, inside: bool) -> None:
    await an_agent(context)
    forged = {"name": "helper", "number": 1, "definition": {"kind": "agent", "model": "openai:evil"}}
    with pytest.raises(InvalidInput, match="what is pinned as helper@1 is not that version"):
        await targets.save_definition(context, "flow", flow("helper@1", inside, pinned=forged))
    elsewhere = {**forged, "name": "stranger"}
    saved = await targets.save_definition(context, "flow", flow("stranger@1", inside, pinned=elsewhere))
    assert targets.built(context, saved).models()[0].model == "openai:evil"


@pytest.mark.parametrize("named", ["nobody", "helper@7", "other@1"])
async def test_what_cannot_be_pinned_is_told(context: Context, named: str) -> None:
    await an_agent(context)
    await targets.create(context, "other", "", {"kind": "openai", "model": "openai:m"})
    with pytest.raises(InvalidInput, match=named.partition("@")[0]):
        await targets.save_definition(context, "flow", flow(named))
