"""pydantic-ai, traced by itself."""

import os

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from pydantic_ai import Agent
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
agent = Agent(
    OpenAIChatModel("m", provider=OpenAIProvider(base_url=os.environ["MODEL_URL"], api_key="none")),
    capabilities=[Instrumentation(settings=InstrumentationSettings(tracer_provider=provider))],
)


@agent.tool_plain
def calculator(expression: str) -> str:
    """Works an expression out."""
    return f"{expression} = 391"


@agent.tool_plain
def web_fetch(url: str) -> str:
    """Reads a page."""
    return f"the page {url}"


agent.run_sync("what is 17*23?")
provider.shutdown()
