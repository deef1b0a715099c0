"""The step `agent`: written in the workflow or pinned, what it is given, and how it fails. The engine: tests/llm."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from aloi.core.errors import InvalidInput
from aloi.core.step import NOTHING_KNOWN, Step
from aloi.core.target import PinnedTarget
from aloi.core.trajectory import trajectory, usage_of
from aloi.plugins import build
from aloi.steps.agent import Agent
from tests.model_server import ModelServer
from tests.steps.step_calls import StepCalls, step

SCHEMA = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}
SERVER = {"name": "shop", "url": "http://127.0.0.1:1/mcp", "headers_env": {"X-Key": "TOKEN"}}
CALL = 'tool-once:calculator:{"expression": "17 * 23"}'

Make = Callable[..., Agent]


@pytest.fixture
def make(model_server: ModelServer) -> Make:
    def agent(model: str, **fields: Any) -> Agent:
        given = {name: fields.pop(name) for name in ("input", "retries") if name in fields}
        return step(Agent, agent={"model": f"openai:{model}", "base_url": model_server.url, **fields}, **given)

    return agent


def saved(number: int = 3, name: str = "support-agent", **fields: Any) -> PinnedTarget:
    definition = {"kind": "agent", "model": "openai:echo", **fields}
    return PinnedTarget(name=name, number=number, definition=definition)


async def test_the_output_is_its_answer(calls: StepCalls, make: Make) -> None:
    one = make(CALL, tools=["calculator"])
    assert await calls.run(one) == "The answer is 391."
    (call,) = trajectory(calls.trace).tool_calls
    assert (call.tool, call.output) == ("calculator", 391)
    assert [span.name.partition(" ")[0] for span in calls.trace.spans] == [
        "invoke_agent",
        "chat",
        "execute_tool",
        "chat",
    ]
    assert calls.used.calls == 2
    assert calls.used == usage_of(calls.trace)


@pytest.mark.parametrize(
    ("given", "put"),
    [
        ("{{ input.q }}", "Why?"),
        ("Say: {{ input.q }}", "Say: Why?"),
        ({"question": "{{ input.q }}", "n": "{{ input.n }}"}, '{"question": "Why?", "n": [1, null]}'),
        ("{{ input.n }}", "[1, null]"),
    ],
)
async def test_its_input_is_text_or_json(calls: StepCalls, make: Make, given: Any, put: str) -> None:
    calls.document = {"input": {"q": "Why?", "n": [1, None]}, "steps": {}}
    assert await calls.run(make("echo", input=given)) == put


async def test_by_default_it_gets_the_input_of_the_workflow(calls: StepCalls, make: Make) -> None:
    assert await calls.run(make("echo")) == "Hi there"
    assert [read.path for read in make("echo").reads()] == [("input",)]


def test_what_it_is(make: Make) -> None:
    one = make("echo", tools=["calculator", "file_ops"], mcp_servers=[SERVER], output_schema=SCHEMA)
    assert [(part.name, part.kind) for part in one.components()] == [
        ("one", "step"),
        ("calculator", "tool"),
        ("file_ops", "tool"),
    ]
    assert one.answer_schema(NOTHING_KNOWN) == SCHEMA
    assert make("echo").answer_schema(NOTHING_KNOWN) == {"type": "string"}
    assert one.skipped() == ("shop",)
    assert [key.variable for key in one.named_keys()] == ["TOKEN"]
    assert [spec.model for spec in one.models()] == ["openai:echo"]
    assert one.uses_workspace()
    assert one.references() == ()
    assert one.tool_name() is None


@pytest.mark.parametrize("name", ["support-agent", "support-agent@3"])
def test_a_saved_agent_is_written_into_the_step(name: str) -> None:
    one = step(Agent, agent=name, input="{{ steps.a }}")
    assert one.references() == (name,)
    assert (one.models(), one.answer_schema(NOTHING_KNOWN)) == ((), None)
    pinned = one.pinned({name: saved(output_schema=SCHEMA)})
    assert pinned.references() == ()
    assert pinned.to_spec() == {
        "kind": "agent",
        "name": "one",
        "agent": "support-agent@3",
        "input": "{{ steps.a }}",
        "pinned": saved(output_schema=SCHEMA).model_dump(mode="json"),
    }
    assert pinned.answer_schema(NOTHING_KNOWN) == SCHEMA
    assert [spec.model for spec in pinned.models()] == ["openai:echo"]
    again = build("steps", pinned.to_spec(), Step)
    assert (again, again.pinned({})) == (pinned, pinned)


@pytest.mark.parametrize("name", ["support-agent", "support-agent@4", "other@3"])
def test_another_version_is_pinned_when_another_is_named(name: str) -> None:
    one = step(Agent, agent=name, pinned=saved(3))
    assert one.references() == (name,)
    pinned = one.pinned({name: saved(4, name="support-agent", model="openai:new")})
    assert pinned.agent == "support-agent@4"
    assert [spec.model for spec in pinned.models()] == ["openai:new"]


async def test_a_pinned_agent_runs(calls: StepCalls, model_server: ModelServer) -> None:
    one = step(Agent, agent="support-agent@3", pinned=saved(base_url=model_server.url))
    assert await calls.run(one) == "Hi there"


async def test_an_agent_that_is_only_named_does_not_run(calls: StepCalls) -> None:
    failure = await calls.failure(step(Agent, agent="support-agent", pinned=saved()))
    assert failure.type == "not_pinned"
    assert "support-agent" in failure.message


def test_only_an_agent_can_be_pinned() -> None:
    other = PinnedTarget(name="flow", number=1, definition={"kind": "workflow", "steps": []})
    with pytest.raises(InvalidInput, match="the step one names flow, a target of kind workflow; only"):
        step(Agent, agent="flow").pinned({"flow": other})
    with pytest.raises(InvalidInput, match="only a target of kind agent"):
        step(Agent, agent="flow@1", pinned=other)


@pytest.mark.parametrize(
    ("fields", "kind", "words"),
    [
        ({"model": "refusal"}, "no_answer", "refusal"),
        ({"model": "empty-choices"}, "no_answer", "no choice"),
        ({"model": "null-content"}, "no_answer", "null-content"),
        ({"model": "malformed"}, "bad_reply", "malformed"),
        ({"model": "status:429"}, "rate_limited", "429"),
        ({"model": "status:500"}, "http_status", "500"),
        ({"model": "fixed:text", "output_schema": SCHEMA}, "bad_reply", ""),
        ({"model": "tools:9", "tools": ["calculator"], "limits": {"steps": 2}}, "step_limit", "limit of 2"),
        ({"model": "hang", "limits": {"seconds": 0.05}}, "timeout", "limits.seconds"),
        ({"model": "echo", "api_key_env": "NO_SUCH_KEY"}, "no_key", "NO_SUCH_KEY"),
    ],
)
async def test_an_agent_that_fails(calls: StepCalls, make: Make, fields: dict[str, Any], kind: str, words: str) -> None:
    failure = await calls.failure(make(**fields))
    assert failure.type == kind
    assert words in failure.message


async def test_what_a_failed_agent_used_is_known(calls: StepCalls, make: Make) -> None:
    await calls.failure(make("tools:9", tools=["calculator"], limits={"steps": 2}))
    assert (calls.used.calls, calls.used) == (2, usage_of(calls.trace))
    assert calls.used.tokens is not None


async def test_a_tool_that_fails_ends_nothing(calls: StepCalls, make: Make) -> None:
    one = make('tool-once:calculator:{"expression": "1 / 0"}', tools=["calculator"])
    assert "divides by zero" in str(await calls.run(one))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"agent": {"model": "gpt"}}, "provider:model"),
        ({"agent": {"model": "openai:m", "tools": ["teleport"]}}, "the kinds are: calculator"),
        ({"agent": {"kind": "http", "url": "http://127.0.0.1/"}}, "only a target of kind agent"),
        ({"agent": 3}, "agent"),
        ({"agent": {"model": "openai:m"}, "input": "{{ input"}, "input"),
        ({"agent": {"model": "openai:m"}, "version": 3}, "version"),
    ],
)
def test_a_definition_that_does_not_fit(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        build("steps", {"kind": "agent", "name": "one", **fields}, Step)


def test_a_definition_survives_its_stored_form(make: Make) -> None:
    one = make("echo", tools=["calculator"], input={"q": "{{ input }}"}, retries=1)
    assert build("steps", one.to_spec(), Step) == one


def test_building_steps_imports_no_engine() -> None:
    code = (
        "import sys; from aloi.core.step import Step; from aloi.plugins import build;"
        "[build('steps', {'name': 'a', **spec}, Step) for spec in ("
        "{'kind': 'agent', 'agent': {'model': 'openai:m', 'tools': ['calculator']}},"
        "{'kind': 'prompt', 'model': 'openai:m', 'prompt': '{{ input }}'},"
        "{'kind': 'http', 'url': 'https://example.org/{{ input }}'},"
        "{'kind': 'tool', 'tool': 'calculator'}, {'kind': 'human', 'question': '?'})];"
        "print([name for name in ('pydantic_ai', 'mcp', 'openai', 'aiohttp') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
