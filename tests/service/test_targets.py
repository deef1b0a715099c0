"""Targets and their versions."""

from typing import Any

import pytest

from aloi.core.errors import Conflict, InvalidInput, NotFound, NotPermitted
from aloi.core.target import Target
from aloi.plugins import build
from aloi.service import targets
from aloi.service.context import Context
from aloi.settings import Settings
from aloi.targets.python import Python


def replay(**outputs: Any) -> Target:
    return build("targets", {"kind": "replay", "outputs": outputs}, Target)


async def test_the_same_definition_is_the_same_version_and_another_the_next(context: Context) -> None:
    first = await targets.save(context, "bot", replay(a="1"))
    assert (first.number, first.kind, first.target_name) == (1, "replay", "bot")
    assert (await targets.save(context, "bot", replay(a="1"))).id == first.id
    second = await targets.save(context, "bot", replay(a="2"))
    assert second.number == 2
    assert await targets.version(context, "bot@2") == second


async def test_the_first_version_is_active_until_another_is_made_so(context: Context) -> None:
    first = await targets.save(context, "bot", replay(a="1"))
    await targets.save(context, "bot", replay(a="2"))
    assert await targets.version(context, "bot") == first
    assert await targets.version(context, first.target_id) == first


async def test_a_name_may_hold_an_at_sign(context: Context) -> None:
    saved = await targets.save(context, "bot@home", replay(a="1"))
    assert await targets.version(context, "bot@home") == saved
    assert await targets.version(context, "bot@home@1") == saved


@pytest.mark.parametrize(("reference", "said"), [("nope", "nope"), ("bot@3", "versions are 1 to 1"), ("bot@", "bot@3")])
async def test_what_is_not_there_is_said(context: Context, reference: str, said: str) -> None:
    await targets.save(context, "bot", replay(a="1"))
    with pytest.raises((NotFound, InvalidInput), match=said):
        await targets.version(context, reference)


async def test_a_version_that_is_no_number_is_refused(context: Context) -> None:
    await targets.save(context, "bot", replay(a="1"))
    with pytest.raises(InvalidInput, match="write bot@3, or bot for the active one"):
        await targets.version(context, "bot@latest")


async def test_a_target_keeps_its_kind(context: Context) -> None:
    await targets.save(context, "bot", replay(a="1"))
    with pytest.raises(Conflict, match="of kind replay, not python"):
        await targets.save(context, "bot", Python.of(str.upper))


async def test_functions_of_one_name_are_versions_of_their_own(context: Context) -> None:
    def made(number: int) -> Any:
        async def agent(given: Any) -> Any:
            return number

        return agent

    function = made(1)
    one, two = Python.of(function), Python.of(made(2))
    first, second = await targets.save(context, "agent", one), await targets.save(context, "agent", two)
    assert (first.number, second.number) == (1, 2)
    assert targets.built(context, first) is one
    assert targets.built(context, second) is two
    assert await targets.save(context, "agent", Python.of(function)) == first


@pytest.mark.parametrize("name", ["", "x" * 201])
async def test_names_have_1_to_200_characters(context: Context, name: str) -> None:
    with pytest.raises(InvalidInput, match="1 to 200"):
        await targets.save(context, name, replay(a="1"))


async def test_a_missing_module_is_refused_when_it_is_saved(context: Context) -> None:
    target = build("targets", {"kind": "python", "function": "no_such_module_of_ours:answer"}, Target)
    with pytest.raises(InvalidInput, match="no module no_such_module_of_ours"):
        await targets.save(context, "bot", target)


async def test_a_version_is_built_anew_or_held(context: Context) -> None:
    target = Python.of(str.upper)
    version = await targets.save(context, "held", target)
    assert targets.built(context, version) is target
    stored = await targets.save(context, "bot", replay(a="1"))
    context.in_memory.clear()
    assert targets.built(context, stored) == replay(a="1")


async def test_code_that_is_not_allowed_is_refused(context: Context) -> None:
    version = await targets.save(context, "held", Python.of(str.upper))
    context.settings = Settings(home=context.settings.home, allow_code=False)
    with pytest.raises(NotPermitted, match="ALOI_ALLOW_CODE"):
        targets.built(context, version)
