"""Real agent SDKs send their traces to a real server over HTTP; pydantic-ai without OpenTelemetry's SDK too."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from pydantic_ai import Agent
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from aloi.core.access import Role
from aloi.core.execution import Execution
from aloi.core.trajectory import trajectory
from aloi.service.accounts import api_keys
from tests.api.calls import Caller, RunningServer
from tests.model_server import ModelServer
from tests.model_server.chat import ChatRequestBody
from tests.model_server.reply import Answer, ToolCall
from tests.service.observed import finish, only
from tests.tiny_otel import TinyProvider

PROGRAMS = ["pydantic_ai_agent", "langgraph_agent", "openai_agents_agent"]
ROOT = Path(__file__).parents[3]
SECONDS = 60


def two_tools(asked: ChatRequestBody) -> Answer:
    """A model that wants a calculator, then a page, and answers with that."""
    results = asked.tool_results
    if not results:
        return Answer(tool_calls=(ToolCall("calculator", '{"expression": "17*23"}'),))
    if len(results) == 1:
        return Answer(tool_calls=(ToolCall("web_fetch", '{"url": "http://example.test/a"}'),))
    return Answer(f"I read {results[-1]}.")


def check(found: Execution) -> None:
    """See that it is what the agent did."""
    assert (found.input, found.output) == ("what is 17*23?", "I read the page http://example.test/a.")
    assert found.outcome.trace is not None
    assert [(call.tool, call.args, call.output, call.error) for call in trajectory(found.outcome.trace).tool_calls] == [
        ("calculator", {"expression": "17*23"}, "17*23 = 391", None),
        ("web_fetch", {"url": "http://example.test/a"}, "the page http://example.test/a", None),
    ]
    assert found.outcome.usage.calls == 3
    assert found.outcome.usage.input_tokens


@pytest.mark.parametrize("program", PROGRAMS)
async def test_an_sdk_that_is_configured_by_its_environment(
    server: RunningServer, model_server: ModelServer, program: str
):
    model_server.reply = two_tools
    key = (await api_keys.create(server.context, program, Role.EDITOR)).secret
    environ = {
        **os.environ,
        "MODEL_URL": model_server.url,
        "OTEL_SERVICE_NAME": program,
        "OTEL_EXPORTER_OTLP_ENDPOINT": server.url,
        "OTEL_EXPORTER_OTLP_HEADERS": f"Authorization=Bearer%20{key}",
        "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip",
    }
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", f"tests.exporters.{program}", cwd=ROOT, env=environ, stderr=asyncio.subprocess.PIPE
    )
    _, said = await asyncio.wait_for(child.communicate(), SECONDS)
    assert child.returncode == 0, said.decode()
    await finish(server.context)
    found = await only(server.context)
    assert found.target_name == program
    check(found)


@pytest.mark.parametrize("version", [2, 3, 4, 5, 6])
async def test_pydantic_ai_in_each_of_its_formats(
    server: RunningServer, editor: Caller, model_server: ModelServer, version: int
):
    model_server.reply = two_tools
    provider = TinyProvider()
    settings = InstrumentationSettings(tracer_provider=provider, version=version)  # pyright: ignore[reportArgumentType]
    model = OpenAIChatModel("m", provider=OpenAIProvider(base_url=model_server.url, api_key="none"))
    agent = Agent(model, capabilities=[Instrumentation(settings=settings)])

    def calculator(expression: str) -> str:
        return f"{expression} = 391"

    def web_fetch(url: str) -> str:
        return f"the page {url}"

    agent.tool_plain(calculator)
    agent.tool_plain(web_fetch)
    await agent.run("what is 17*23?")
    assert (await editor.post("/v1/traces", provider.exported("helper"))).status == 200
    await finish(server.context)
    check(await only(server.context))
