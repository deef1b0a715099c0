"""LangGraph, traced by OpenInference."""

# Its own agent, which LangChain wants to replace by one of another package.
# pyright: reportDeprecated=false
import os

from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from pydantic import SecretStr

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
LangChainInstrumentor().instrument(tracer_provider=provider)


@tool
def calculator(expression: str) -> str:
    """Works an expression out."""
    return f"{expression} = 391"


@tool
def web_fetch(url: str) -> str:
    """Reads a page."""
    return f"the page {url}"


model = ChatOpenAI(model="m", base_url=os.environ["MODEL_URL"], api_key=SecretStr("none"))
create_react_agent(model, [calculator, web_fetch]).invoke({"messages": [("user", "what is 17*23?")]})
provider.shutdown()
