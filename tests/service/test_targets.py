"""Targets and their versions."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from aloi.core.errors import Conflict, InvalidInput, NotFound, NotPermitted
from aloi.core.spec import JsonObject
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


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Context]:
    """The context of a server whose operator lists one host and has a model of the default."""
    settings = Settings(
        home=tmp_path,
        key_hosts=frozenset({"*.example.org"}),
        base_url="https://own.example.com/v1",
        api_key_env="OWN_KEY",
    )
    opened = await Context.open(settings, {}, served=True)
    yield opened
    await opened.close()


def model(**fields: Any) -> JsonObject:
    return {"kind": "openai", "model": "m", **fields}


def agent(**server: Any) -> JsonObject:
    return {"kind": "agent", "model": "openai:m", "mcp_servers": [{"name": "shop", **server}]}


def service(url: str, header: str) -> JsonObject:
    return {"kind": "http", "url": url, "headers": {"X-Api-Key": header}}


REFUSED = [
    model(api_key_env="DATABASE_PASSWORD"),
    model(api_key_env="ALOI_API_KEY"),
    model(api_key_env="OPENAI_API_KEY", base_url="https://evil.test/v1"),
    {**model(api_key_env="OPENAI_API_KEY", base_url="https://evil.test/v1"), "kind": "agent", "model": "openai:m"},
    agent(url="https://evil.test/mcp", headers_env={"X": "OPENAI_API_KEY"}),
    agent(url="https://mcp.example.org", headers_env={"X": "HOME"}),
    agent(command="shop", env=["DATABASE_PASSWORD"]),
    service("https://evil.test/", "${OPENAI_API_KEY}"),
    service("https://api.example.org/", "${PATH}"),
]
TAKEN = [
    model(),
    model(base_url="https://anywhere.test/v1"),
    model(api_key_env="OTHER_API_KEY"),
    model(api_key_env="OTHER_API_KEY", base_url="https://api.example.org/v1"),
    model(api_key_env="OTHER_API_KEY", base_url="http://127.0.0.1:1/v1"),
    model(api_key_env="OWN_KEY", base_url="https://own.example.com/v1"),
    agent(url="https://anywhere.test/mcp"),
    agent(url="https://mcp.example.org", headers_env={"X": "SHOP_TOKEN"}),
    agent(command="shop", env=["SHOP_TOKEN"]),
    service("https://api.example.org/", "${SHOP_TOKEN}"),
]


@pytest.mark.parametrize("definition", REFUSED)
async def test_a_server_refuses_a_key_that_its_operator_does_not_let_go(
    served: Context, context: Context, definition: JsonObject
) -> None:
    with pytest.raises(NotPermitted, match=r"ALOI_KEY_(NAMES|HOSTS)"):
        await targets.create(served, "bot", "", definition)
    with pytest.raises(NotPermitted):
        await targets.save_definition(served, "bot", definition)
    # What was saved before, or by the operator, is not carried out either.
    version = await targets.save_definition(context, "bot", definition)
    with pytest.raises(NotPermitted):
        targets.built(served, version)
    assert targets.built(context, version)


@pytest.mark.parametrize("definition", TAKEN)
async def test_a_server_takes_what_its_operator_allows(served: Context, definition: JsonObject) -> None:
    created = await targets.create(served, "bot", "", definition)
    assert created.active_version is not None
    assert targets.built(served, created.active_version)


async def test_a_provider_without_a_named_key_counts_as_naming_its_own(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, key_names=frozenset({"TEAM_*"}))
    strict = await Context.open(settings, {}, served=True)
    try:
        for definition in (model(), {**model(), "kind": "agent", "model": "anthropic:m"}):
            with pytest.raises(NotPermitted, match=r"(OPENAI|ANTHROPIC)_API_KEY may not be named"):
                await targets.create(strict, "bot", "", definition)
    finally:
        await strict.close()


async def test_a_server_reads_no_file_for_a_target(served: Context, context: Context, tmp_path: Path) -> None:
    file = tmp_path / "recorded.jsonl"
    file.write_text('{"key": "a", "output": "secret"}')
    definition: JsonObject = {"kind": "replay", "path": str(file)}
    with pytest.raises(NotPermitted, match="reads none of its own files"):
        await targets.create(served, "bot", "", definition)
    assert (await targets.create(served, "bot", "", {"kind": "replay", "outputs": {"a": "1"}})).active == 1
    assert (await targets.create(context, "local", "", definition)).active == 1


async def test_a_server_imports_no_module_where_code_is_not_allowed(tmp_path: Path) -> None:
    strict = await Context.open(Settings(home=tmp_path, allow_code=False), {}, served=True)
    try:
        with pytest.raises(NotPermitted, match="ALOI_ALLOW_CODE"):
            await targets.create(strict, "bot", "", {"kind": "python", "function": "no.such.module:answer"})
    finally:
        await strict.close()
