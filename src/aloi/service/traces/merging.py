"""One execution of all that came of a trace: at once or in parts, late, again, out of order, by a wrong clock."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import reduce
from operator import add
from typing import NamedTuple

from pydantic import TypeAdapter

from aloi.core.outcome import Outcome
from aloi.core.spec import JsonObject
from aloi.core.trace import COST, INPUT_TOKENS, OUTPUT_TOKENS, REQUEST_MODEL, Span, Trace
from aloi.core.trajectory import usage_of
from aloi.core.usage import NO_USAGE, Usage, known_tokens
from aloi.service.traces.observed_targets import usable
from aloi.store.observed import Known
from aloi.store.traces import MOST_SIZE, Claimed
from aloi.tracing.otlp.whole import observed, target_name

MOST_SPANS = 50_000  # of one execution
MOST_NAME = 200  # characters of a model's or a provider's
SPANS = TypeAdapter(list[Span])
# How far an exporter's clock may be behind ours; an execution of the future is put at the time of its coming.
MOST_SKEW = timedelta(days=1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
PROVIDER_NAMES = ("gen_ai.provider.name", "gen_ai.system", "llm.provider", "llm.system")
# The names of providers in the conventions, and where prices are listed under another one.
PRICED_AS = {
    "aws.bedrock": "aws",
    "azure.ai.inference": "azure",
    "azure.ai.openai": "azure",
    "az.ai.openai": "azure",
    "gcp.gemini": "google",
    "gcp.gen_ai": "google",
    "gcp.vertex_ai": "google",
    "google-gla": "google",
    "google-vertex": "google",
    "mistral_ai": "mistral",
    "x_ai": "x-ai",
    "vertexai": "google",
}
# The price in US dollars by provider, model, input and output tokens; null when it is not known.
Prices = Callable[[str, str, int | None, int | None], float | None]


class Merged(NamedTuple):
    """An execution as it is now. `known_id`: of the one that the trace has already; null for a new one.

    `used`: by model. `spans`: how many waited; `newly_left_out`: how many of them there is no room for.
    """

    known_id: str | None
    trace_id: str
    target: str
    created_at: datetime
    input: str | JsonObject
    outcome: Outcome
    used: dict[str, Usage]
    spans: int
    newly_left_out: int


def merged(claimed: Claimed, bodies: Sequence[str], known: Known | None, prices: Prices) -> Merged:
    """The execution of a trace: what is known of it already, and what came since (JSON lists of spans)."""
    came = [span for body in bodies for span in SPANS.validate_json(body)]
    before = _before(known)
    kept, rest = _bounded(before.spans, came, has_room(claimed, known))
    found = observed(claimed.trace_id, [priced(span, prices) for span in kept])
    assert found.outcome.trace is not None
    trace = found.outcome.trace.model_copy(
        update={
            "left_out": before.left_out + claimed.left_out + len(rest),
            # Of those that were refused nobody knows what they were.
            "shows_tools": before.shows_tools and not claimed.left_out and not any(span.operation for span in rest),
        }
    )
    fallback = claimed.first_at if known is None else known.created_at
    return Merged(
        known_id=None if known is None else known.execution_id,
        trace_id=claimed.trace_id,
        target=usable(target_name(trace.spans)),
        created_at=_created_at(found.start_ns, claimed.first_at, fallback),
        input=found.input,
        outcome=found.outcome.model_copy(update={"trace": trace}),
        used=used_by_model(trace.spans),
        spans=len(came),
        newly_left_out=len(rest),
    )


def _before(known: Known | None) -> Trace:
    trace = None if known is None else known.outcome.trace
    return trace or Trace(trace_id="")


def has_room(claimed: Claimed, known: Known | None) -> bool:
    """Whether what came may be added in full; late spans must not make an execution grow for ever."""
    return known is None or known.size + claimed.size <= MOST_SIZE


def _bounded(before: Sequence[Span], came: Sequence[Span], has_room: bool) -> tuple[list[Span], list[Span]]:
    """Each span once, as it came last, and those left out: of too many, late ones, and others than an agent's work."""
    by_id = {span.span_id: span for span in before}
    if not has_room and by_id:
        return list(by_id.values()), [span for span in came if span.span_id not in by_id]
    by_id |= {span.span_id: span for span in came}
    spans = list(by_id.values())
    if len(spans) <= MOST_SPANS:
        return spans, []
    spans.sort(key=lambda span: (span.operation is None, span.parent_id is not None, span.start_ns))
    return spans[:MOST_SPANS], spans[MOST_SPANS:]


def _created_at(start_ns: int, received: datetime, fallback: datetime) -> datetime:
    """When it began, by the exporter's clock, unless that cannot be right."""
    start = EPOCH + timedelta(microseconds=start_ns // 1000)
    return start if received - MOST_SKEW <= start <= received else fallback


def priced(span: Span, prices: Prices) -> Span:
    """A model turn with what it cost, where that is known and not told."""
    given = span.attributes
    if span.operation != "chat" or COST in given:
        return span
    provider, model = _model(span)
    tokens = known_tokens(given.get(INPUT_TOKENS)), known_tokens(given.get(OUTPUT_TOKENS))
    cost = prices(PRICED_AS.get(provider, provider), model, *tokens) if provider and model else None
    return span if cost is None else span.model_copy(update={"attributes": {**given, COST: cost}})


def _model(span: Span) -> tuple[str, str]:
    """Provider and model; empty texts where they are not told."""
    said = [str(span.attributes[name]).lower() for name in PROVIDER_NAMES if span.attributes.get(name)]
    model = span.attributes.get("gen_ai.response.model") or span.attributes.get(REQUEST_MODEL) or ""
    return _word(said[0] if said else ""), _word(str(model))


def _word(text: str) -> str:
    """A name as every database holds it."""
    return text.replace("\0", "")[:MOST_NAME]


def used_by_model(spans: Iterable[Span]) -> dict[str, Usage]:
    """What each model used, by `provider:model`; an empty text where it is not told."""
    turns: dict[str, list[Span]] = {}
    for span in spans:
        if span.operation == "chat":
            turns.setdefault(":".join(filter(None, _model(span))), []).append(span)
    return {
        model: reduce(add, (usage_of(Trace(trace_id="", spans=(span,))) for span in some), NO_USAGE)
        for model, some in turns.items()
    }
