"""The least that OpenTelemetry's API wants of an SDK, with OTLP/JSON: for where no real SDK is installed."""

import secrets
import time
from collections.abc import Iterator, Mapping
from typing import Any

from opentelemetry import trace
from opentelemetry.trace import SpanContext, Status, TraceFlags
from opentelemetry.util._decorator import _agnosticcontextmanager  # pyright: ignore[reportPrivateUsage]

from tests.otlp_requests import Json, any_value, attributes, document


class TinySpan(trace.Span):
    """A span that writes down what it is told."""

    def __init__(
        self, provider: "TinyProvider", name: str, parent: SpanContext | None, given: Mapping[str, Any]
    ) -> None:
        self.provider = provider
        self.name = name
        self.parent = parent
        self.given = dict(given)
        self.events: list[Json] = []
        self.status: Json = {}
        self.start = time.time_ns()
        trace_id = parent.trace_id if parent else secrets.randbits(128)
        self.context = SpanContext(trace_id, secrets.randbits(64), is_remote=False, trace_flags=TraceFlags(1))

    def get_span_context(self) -> SpanContext:
        return self.context

    def is_recording(self) -> bool:
        return True

    def set_attribute(self, key: str, value: Any) -> None:
        self.given[key] = value

    def set_attributes(self, attributes: Mapping[str, Any]) -> None:
        self.given.update(attributes)

    def add_event(self, name: str, attributes: Any = None, timestamp: int | None = None) -> None:
        pairs = [{"key": key, "value": any_value(value)} for key, value in (attributes or {}).items()]
        self.events.append({"name": name, "attributes": pairs})

    def update_name(self, name: str) -> None:
        self.name = name

    def set_status(self, status: Any, description: str | None = None) -> None:
        code = status.status_code if isinstance(status, Status) else status
        said = status.description if isinstance(status, Status) else description
        self.status = {"code": code.value, "message": said or ""}

    def record_exception(self, exception: BaseException, *_: Any, **__: Any) -> None:
        self.add_event("exception", {"exception.type": type(exception).__name__, "exception.message": str(exception)})

    def end(self, end_time: int | None = None) -> None:
        parent = {} if self.parent is None else {"parentSpanId": f"{self.parent.span_id:016x}"}
        self.provider.spans.append(
            {
                "traceId": f"{self.context.trace_id:032x}",
                "spanId": f"{self.context.span_id:016x}",
                "name": self.name,
                "attributes": attributes(**self.given),
                "events": self.events,
                "status": self.status,
                "startTimeUnixNano": str(self.start),
                "endTimeUnixNano": str(time.time_ns()),
                **parent,
            }
        )


class TinyTracer(trace.Tracer):
    """Opens spans below the present one."""

    def __init__(self, provider: "TinyProvider") -> None:
        self.provider = provider

    def start_span(self, name: str, context: Any = None, *_: Any, **more: Any) -> TinySpan:
        above = trace.get_current_span(context).get_span_context()
        return TinySpan(self.provider, name, above if above.is_valid else None, more.get("attributes") or {})

    @_agnosticcontextmanager
    def start_as_current_span(self, name: str, context: Any = None, *_: Any, **more: Any) -> Iterator[trace.Span]:
        span = self.start_span(name, context, attributes=more.get("attributes"))
        try:
            with trace.use_span(span, record_exception=True, set_status_on_exception=True):
                yield span
        finally:
            span.end()


class TinyProvider(trace.TracerProvider):
    """Keeps the spans that ended; `exported` is the request that sends them."""

    def __init__(self) -> None:
        self.spans: list[Json] = []

    def get_tracer(self, *_: Any, **__: Any) -> TinyTracer:
        return TinyTracer(self)

    def exported(self, service: str) -> Json:
        """An OTLP/JSON request of all spans."""
        return document(*self.spans, service=service)
