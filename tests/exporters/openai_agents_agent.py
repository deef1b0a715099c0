"""OpenAI Agents, traced by OpenInference; its own exporter, which sends to its vendor, is switched off."""

import os

from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_trace_processors
from openai import AsyncOpenAI
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

set_trace_processors([])
provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)


@function_tool
def calculator(expression: str) -> str:
    """Works an expression out."""
    return f"{expression} = 391"


@function_tool
def web_fetch(url: str) -> str:
    """Reads a page."""
    return f"the page {url}"


model = OpenAIChatCompletionsModel("m", AsyncOpenAI(base_url=os.environ["MODEL_URL"], api_key="none"))
Runner.run_sync(Agent(name="helper", tools=[calculator, web_fetch], model=model), "what is 17*23?")
provider.shutdown()
