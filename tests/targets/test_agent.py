"""The definition of an agent: what is refused, and that describing one loads no engine. Its runs: tests/llm."""

import subprocess
import sys

import pytest

from aloi.core.errors import InvalidInput
from aloi.core.target import Target
from aloi.plugins import build, load
from aloi.targets.agent import Agent

SERVERS = [{"name": "one", "url": "http://127.0.0.1:1/mcp"}, {"name": "two", "command": "two-server"}]


def agent(**fields: object) -> Agent:
    built = build("targets", {"kind": "agent", "model": "openai:m", **fields}, Target)
    assert isinstance(built, Agent)
    return built


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"model": "m"}, "provider:model"),
        ({"tools": ["teleport"]}, "the kinds are: calculator"),
        ({"tools": [{"kind": "file_ops", "max_bytes": -1}]}, "max_bytes"),
        ({"tools": ["calculator", {"kind": "calculator"}]}, "listed twice: calculator"),
        ({"mcp_servers": [SERVERS[0], SERVERS[0]]}, "same name"),
        ({"limits": {"steps": 0}}, "limits.steps"),
        ({"output_schema": {"type": "string"}}, "an object"),
        ({"temprature": 1}, "temprature"),
        ({"tools": ["calculator"], "side_effects": ["mail"]}, "names mail, and the agent's tools are: calculator"),
        ({"side_effects": ["mail"]}, "the agent's tools are: none"),
    ],
)
def test_a_definition_that_cannot_work_is_refused_by_its_field(fields: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        agent(**fields)


def test_defaults() -> None:
    assert agent().limits.steps == 50
    assert agent().to_spec() == {"kind": "agent", "model": "openai:m"}


def test_a_definition_survives_its_stored_form() -> None:
    full = agent(
        base_url="http://127.0.0.1:1/v1",
        api_key_env="KEY",
        settings={"temperature": 0},
        instructions="Be brief.",
        tools=["calculator", {"kind": "file_ops", "max_bytes": 10}],
        mcp_servers=SERVERS,
        limits={"steps": 3, "tokens": 1000, "seconds": 2.5},
        output_schema={"type": "object"},
    )
    assert build("targets", full.to_spec(), Target) == full


def test_a_run_leaves_the_mcp_servers_out() -> None:
    assert agent(mcp_servers=SERVERS).skipped() == ("one", "two")
    assert agent().skipped() == ()


def test_it_needs_a_workspace_and_is_no_code() -> None:
    assert Agent.uses_workspace
    assert not Agent.runs_code


def test_describing_and_building_it_imports_no_engine() -> None:
    code = (
        "import sys; from aloi.core.target import Target; from aloi.plugins import build, load;"
        "load('targets', 'agent', Target).describe();"
        "build('targets', {'kind': 'agent', 'model': 'openai:m', 'tools': ['calculator']}, Target);"
        "print([name for name in ('pydantic_ai', 'mcp', 'openai', 'aiohttp') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_its_fields_are_documented() -> None:
    description = load("targets", "agent", Target).describe()
    properties = load("targets", "agent", Target).model_json_schema()["properties"]
    assert description["kind"] == "agent"
    assert all(field.get("description") for field in properties.values())


def test_its_tools_are_what_can_be_simulated() -> None:
    tools = agent(tools=["calculator", {"kind": "file_ops", "max_bytes": 10}], side_effects=["file_ops"]).components()
    assert [(tool.name, tool.kind, tool.side_effect) for tool in tools] == [
        ("calculator", "tool", False),
        ("file_ops", "tool", True),
    ]
    assert tools[0].output_schema == {"type": "number"}
    assert all(tool.description for tool in tools)


def test_it_knows_all_of_them_also_when_there_is_none() -> None:
    assert agent(mcp_servers=SERVERS).components() == ()
    assert agent().knows_components()
