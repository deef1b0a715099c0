"""The tools of the agent behind an `http` target: declared, simulated elsewhere, and never believed to be all."""

from typing import Any

import pytest

from aloi.core.errors import InvalidInput
from aloi.core.spec import JsonObject
from aloi.core.target import Component, Invocation, Reply, Target
from aloi.plugins import build
from tests.targets.http_calls import Call

URL = "http://server/mcp/token"
SCHEMA: JsonObject = {"type": "object", "properties": {"city": {"type": "string"}}}


def target(**fields: Any) -> Target:
    return build("targets", {"kind": "http", "url": "https://example.org/answer", **fields}, Target)


async def invoked(call: Call, given: Any = "Hi", url: str | None = URL) -> Reply:
    return await call.target.invoke(Invocation(input=given), call.context()._replace(mcp_url=url))


def test_its_tools_are_components() -> None:
    tools = [{"name": "weather", "input_schema": SCHEMA}, {"name": "pay", "description": "Pays.", "side_effect": True}]
    assert target(tools=tools).components() == (
        Component(name="weather", description="", input_schema=SCHEMA),
        Component(name="pay", description="Pays.", input_schema={"type": "object"}, side_effect=True),
    )


def test_it_runs_elsewhere_and_has_no_other_tools() -> None:
    assert target().elsewhere() == "example.org"
    assert target().knows_components()


def test_tools_stand_in_the_stored_form_as_they_were_given() -> None:
    tools = [{"name": "weather", "output_schema": {"type": "number"}}]
    assert target(tools=tools).to_spec()["tools"] == tools


@pytest.mark.parametrize(
    ("tools", "words"),
    [
        ([{"name": "a"}, {"name": "a"}], "two tools named a"),
        ([{"name": "a", "input_schema": {"type": "string"}}], "the arguments of a tool are an object"),
        ([{"name": "a", "input_schema": {"type": "object", "properties": 7}}], "input_schema"),
        ([{"name": "a", "output_schema": {"type": "nonsense"}}], "output_schema"),
        ([{"name": "a b"}], "name"),
        ([{"name": ""}], "name"),
    ],
)
def test_tools_that_cannot_be_served_are_refused(tools: Any, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        target(tools=tools)


async def test_the_address_is_sent_where_something_is_served() -> None:
    call = Call(body={"q": "{{input}}", "mcp": "{{mcp_url}}", "text": "Tools: {{mcp_url}}."})
    await invoked(call)
    assert call.request.headers["Aloi-Mcp-Url"] == URL
    assert call.body == {"q": "Hi", "mcp": URL, "text": f"Tools: {URL}."}


async def test_nothing_is_sent_where_nothing_is_served() -> None:
    call = Call(body={"mcp": "{{mcp_url}}", "text": "Tools: {{mcp_url}}."})
    await invoked(call, url=None)
    assert "Aloi-Mcp-Url" not in call.request.headers
    assert call.body == {"mcp": None, "text": "Tools: ."}


async def test_the_address_may_stand_in_the_url() -> None:
    call = Call(url="https://example.org/answer?mcp={{mcp_url}}", method="GET")
    await invoked(call)
    assert call.request.url == "https://example.org/answer?mcp=http%3A%2F%2Fserver%2Fmcp%2Ftoken"
    await invoked(call, url=None)
    assert call.request.url == "https://example.org/answer?mcp="


async def test_our_header_stands_in_the_place_of_one_in_the_definition() -> None:
    call = Call(headers={"aloi-mcp-url": "http://own", "X": "y"})
    await invoked(call)
    assert {name.lower(): text for name, text in call.request.headers.items()}["aloi-mcp-url"] == URL
    assert sum(name.lower() == "aloi-mcp-url" for name in call.request.headers) == 1


@pytest.mark.parametrize(
    ("only", "url", "shows"), [(True, URL, True), (False, URL, False), (True, None, False), (False, None, False)]
)
async def test_served_calls_are_all_there_were_only_where_the_target_says_so(
    only: bool, url: str | None, shows: bool
) -> None:
    assert (await invoked(Call(only_served_tools=only), url=url)).shows_tools is shows
