"""An agent behind HTTP that runs elsewhere: it takes a `traceparent`, calls two tools, answers, and sends its spans.

`RemoteAgent` answers in the test's own loop; what it sends is up to the test. `SdkAgent` is traced by OpenTelemetry's
own SDK and exporter.
"""

import json
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

from aiohttp import web
from opentelemetry import context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from tests.otlp_requests import Json, span

TOOLS = (("search", {"city": "Paris"}), ("book", {"hotel": "Ritz"}))
# What becomes of the spans of one request: given the trace, the span of who asked, and how often it was asked before.
Sender = Callable[[str, str, int], Awaitable[None]]


async def send_nothing(trace_id: str, parent_id: str, number: int) -> None:
    """An agent that is not traced."""


class RemoteAgent:
    """What the agent was asked. `url` is where it is."""

    def __init__(self, send: Sender = send_nothing) -> None:
        self.send = send
        self.traceparents: list[str | None] = []
        self.url = ""

    async def answer(self, request: web.Request) -> web.Response:
        """Work, send the spans, answer."""
        header = request.headers.get("traceparent")
        number = len(self.traceparents)
        self.traceparents.append(header)
        if header is not None:
            _, trace_id, parent_id, _ = header.split("-")
            await self.send(trace_id, parent_id, number)
        return web.json_response({"answer": "Booked."})


A = TypeVar("A", bound=RemoteAgent)


@asynccontextmanager
async def serving(agent: A) -> AsyncGenerator[A]:
    """The agent, on a port of the loopback."""
    app = web.Application()
    app.router.add_post("/", agent.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        agent.url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
        yield agent
    finally:
        await runner.cleanup()


def spans_of(trace_id: str, parent_id: str, *, skew_ns: int = 0, first: int = 0) -> list[Json]:
    """The spans of one request: the server's own, the agent, a turn of the model, and two tools in order.

    Args:
        skew_ns: how far the agent's clock is ahead of ours.
        first: the number that the ids of the spans begin with.
    """
    start = time.time_ns() + skew_ns
    operation = "gen_ai__operation__name"
    model: Json = {"gen_ai__provider__name": "openai", "gen_ai__request__model": "gpt-5-mini"}
    tokens: Json = {"gen_ai__usage__input_tokens": 100, "gen_ai__usage__output_tokens": 20}
    ids = range(first, first + 3)
    root = span(trace_id, ids[0], name="POST /", startTimeUnixNano=start)
    work: Json = {operation: "invoke_agent"}
    agent = span(trace_id, ids[1], ids[0], name="invoke_agent", startTimeUnixNano=start + 1000, **work)
    asked: Json = {operation: "chat", **model, **tokens}
    turn = span(trace_id, ids[2], ids[1], name="chat", startTimeUnixNano=start + 2000, **asked)
    calls = [
        span(
            trace_id, first + 3 + at, ids[1], name=f"execute_tool {name}", startTimeUnixNano=start + 3000 + at * 1000,
            gen_ai__tool__name=name, gen_ai__tool__call__arguments=arguments, **{operation: "execute_tool"},
        )
        for at, (name, arguments) in enumerate(TOOLS)
    ]  # fmt: skip
    return [{**root, "parentSpanId": parent_id}, agent, turn, *calls]


@contextmanager
def above(trace_id: str, parent_id: str) -> Generator[None]:
    """Spans that are opened meanwhile by OpenTelemetry stand below the one that a `traceparent` named."""
    given = {"traceparent": f"00-{trace_id}-{parent_id}-01"}
    token = context.attach(TraceContextTextMapPropagator().extract(given))
    try:
        yield
    finally:
        context.detach(token)


class SdkAgent(RemoteAgent):
    """The same, traced by OpenTelemetry's SDK, which sends to a server of ours in the background.

    Args:
        server: the address of the server.
        key: an API key of it.
        delay_ms: how long the SDK collects spans before it sends them.
    """

    def __init__(self, server: str, key: str, delay_ms: int = 50) -> None:
        super().__init__(self._work)
        exporter = OTLPSpanExporter(f"{server}/v1/traces", headers={"Authorization": f"Bearer {key}"})
        self.provider = TracerProvider(resource=Resource.create({"service.name": "hotel-agent"}))
        self.provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=delay_ms))
        self._tracer = self.provider.get_tracer("hotel")

    async def _work(self, trace_id: str, parent_id: str, number: int) -> None:
        start = self._tracer.start_as_current_span
        with (
            above(trace_id, parent_id),
            start("POST /", kind=SpanKind.SERVER),
            start("invoke_agent hotel", attributes={"gen_ai.operation.name": "invoke_agent"}),
        ):
            turn = {
                "gen_ai.operation.name": "chat",
                "gen_ai.provider.name": "openai",
                "gen_ai.request.model": "gpt-5-mini",
                "gen_ai.usage.input_tokens": 100,
                "gen_ai.usage.output_tokens": 20,
            }
            with start("chat gpt-5-mini", attributes=turn):
                pass
            for name, arguments in TOOLS:
                call = {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": name,
                    "gen_ai.tool.call.arguments": json.dumps(arguments),
                }
                with start(f"execute_tool {name}", attributes=call):
                    pass
