"""An agent behind HTTP that is traced by OpenTelemetry's SDK: its spans join those of cases and of the Runner."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from aloi.core.access import Role
from aloi.service.accounts import api_keys
from aloi.service.traces import observing
from aloi.settings import Settings
from tests.api.calls import Caller, RunningServer
from tests.api.routes.test_traces_live import two_tools
from tests.model_server import ModelServer
from tests.remote_agent import SdkAgent, above, serving
from tests.service.observed import come_to_rest, waiting_rows
from tests.store.backends import BACKENDS

ORDER = {"kind": "tool_call_order", "tools": ["search", "book"], "mode": "exact"}
ARGS = {"kind": "tool_call_args", "calls": [{"tool": "book", "args": {"hotel": "Ritz"}}]}
both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


@pytest.fixture
async def server_settings(tmp_path: Path, database_address: str | None) -> Settings:
    return Settings(home=tmp_path / "home", database_url=database_address, trace_idle_seconds=0.1)


@pytest.fixture
async def agent(server: RunningServer) -> AsyncIterator[SdkAgent]:
    key = await api_keys.create(server.context, "exporter", Role.EDITOR)
    async with serving(SdkAgent(server.url, key.secret)) as found:
        yield found
        await asyncio.to_thread(found.provider.shutdown)


async def target(editor: Caller, agent: SdkAgent) -> dict[str, Any]:
    definition = {"kind": "http", "url": agent.url, "output": "$.answer"}
    return (await editor.post("/api/targets", {"name": "hotel", "definition": definition})).body


async def run(editor: Caller, target_id: str, evaluators: list[dict[str, Any]], cases: int) -> dict[str, Any]:
    """A finished run over so many cases."""
    dataset = (await editor.post("/api/eval/datasets", {"name": "stays"})).body
    path = f"/api/eval/datasets/{dataset['id']}"
    for number in range(cases):
        added = await editor.post(f"{path}/cases", {"key": f"k{number}", "prompt": f"A room for {number}"})
        assert added.status == 201, added.body
    bound = await editor.put(f"{path}/evaluators", evaluators)
    assert bound.status == 200, bound.body
    started = await editor.post("/api/eval/runs", {"target_id": target_id, "dataset_id": dataset["id"]})
    assert started.status == 202, started.body
    async with asyncio.timeout(30):
        while True:
            found = (await editor.get(f"/api/eval/runs/{started.body['id']}")).body
            if found["status"] not in ("pending", "running"):
                return found
            await asyncio.sleep(0.05)


@both
async def test_cases_are_graded_by_what_the_agent_itself_sent(server: RunningServer, editor: Caller, agent: SdkAgent):
    hotel = await target(editor, agent)
    done = await run(editor, hotel["id"], [ORDER, ARGS], cases=8)
    assert (done["status"], done["summary"]["passed"]) == ("completed", 8)
    assert done["summary"]["usage"]["input_tokens"] == 800
    await come_to_rest(server.context)
    while await observing.finish_due(server.context):
        await come_to_rest(server.context)
    assert await waiting_rows(server.context) == 0
    assert (await editor.get("/api/executions", source="production")).body["items"] == []


@both
async def test_the_runners_execution_gets_them_when_they_come(server: RunningServer, editor: Caller, agent: SdkAgent):
    hotel = await target(editor, agent)
    asked = await editor.post(f"/api/targets/{hotel['id']}/invoke", {"input": "A room", "source": "runner"})
    execution = asked.body
    assert (execution["outcome"]["output"], len(execution["outcome"]["trace"]["spans"])) == ("Booked.", 1)
    await asyncio.to_thread(agent.provider.force_flush)
    await come_to_rest(server.context)
    assert await observing.finish_due(server.context) == 1
    [entry] = (await editor.get("/api/executions")).body["items"]
    assert entry["id"] == execution["id"]
    found = (await editor.get(f"/api/executions/{entry['id']}")).body["outcome"]
    assert (found["output"], found["latency"]) == ("Booked.", execution["outcome"]["latency"])
    assert [span["name"] for span in found["trace"]["spans"]] == [
        "POST 127.0.0.1", "POST /", "invoke_agent hotel", "chat gpt-5-mini", "execute_tool search", "execute_tool book",
    ]  # fmt: skip
    assert (found["trace"]["shows_tools"], found["usage"]["input_tokens"]) == (True, 100)
    [used] = (await editor.get("/api/eval/usage")).body["models"]
    assert (used["model"], used["usage"]["calls"]) == ("openai:gpt-5-mini", 1)


async def test_a_framework_that_is_traced_by_its_own_instrumentation(
    editor: Caller, agent: SdkAgent, model_server: ModelServer
):
    model_server.reply = two_tools
    settings = InstrumentationSettings(tracer_provider=agent.provider)
    model = OpenAIChatModel("m", provider=OpenAIProvider(base_url=model_server.url, api_key="none"))
    thinker = Agent(model, capabilities=[Instrumentation(settings=settings)])

    def calculator(expression: str) -> str:
        return f"{expression} = 391"

    def web_fetch(url: str) -> str:
        return f"the page {url}"

    thinker.tool_plain(calculator)
    thinker.tool_plain(web_fetch)

    async def think(trace_id: str, parent_id: str, number: int) -> None:
        with above(trace_id, parent_id):
            await thinker.run("what is 17*23?")

    agent.send = think
    order = {"kind": "tool_call_order", "tools": ["calculator", "web_fetch"], "mode": "exact"}
    asked = {"kind": "tool_call_args", "calls": [{"tool": "calculator", "args": {"expression": "17*23"}}]}
    done = await run(editor, (await target(editor, agent))["id"], [order, asked], cases=2)
    assert (done["summary"]["passed"], done["summary"]["usage"]["calls"]) == (2, 6)
