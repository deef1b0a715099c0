"""The outcome of an invocation of ours, joined by the spans that the service sent of its part in it."""

from collections.abc import Iterable, Mapping, Sequence

from aloi.core.outcome import Outcome
from aloi.core.served import merged_calls
from aloi.core.spec import JsonObject
from aloi.core.trace import Span, Trace
from aloi.core.trajectory import usage_of
from aloi.core.usage import NO_USAGE
from aloi.llm.secrets import masked
from aloi.service.traces.merging import MOST_SPANS, SPANS, Prices, priced
from aloi.tracing.otlp.joined import joined

NO_SECRETS: Mapping[str, str] = {}


def spans_in(bodies: Iterable[str], secrets: Mapping[str, str] = NO_SECRETS) -> list[Span]:
    """The spans that came (JSON lists of spans), each once, as it came last.

    Args:
        secrets: what the service was told, by the names of the variables, so that no span repeats it.
    """
    by_id = {span.span_id: _hiding(span, secrets) for body in bodies for span in SPANS.validate_json(body)}
    return list(by_id.values())


def _hiding(span: Span, secrets: Mapping[str, str]) -> Span:
    if not secrets:
        return span
    told: JsonObject = span.model_dump(mode="json")
    shown = masked(told, secrets)
    return span if shown is told else Span.model_validate(shown)


def with_spans(outcome: Outcome, came: Sequence[Span], prices: Prices, refused: int = 0) -> Outcome:
    """The outcome with the spans in its trace; the same one where none is new.

    What the model turns in them used is what the target used, unless its reply said that. Where the reply told no more
    than the answer, its tool calls can be graded from then on, unless spans are missing of which nobody knows what they
    were.

    Args:
        refused: how many more came than may wait.
    """
    before = outcome.trace
    assert before is not None
    known = {span.span_id for span in before.spans}
    new = [priced(span, prices) for span in came if span.span_id not in known]
    if not new:
        return outcome
    trace = merged_calls(joined(before, new, MOST_SPANS))
    if refused:
        trace = trace.model_copy(update={"left_out": trace.left_out + refused, "shows_tools": False})
    told = outcome.usage not in (NO_USAGE, usage_of(before))
    return outcome.model_copy(update={"trace": trace, "usage": outcome.usage if told else usage_of(trace)})


def left_out(outcome: Outcome, came: Sequence[Span]) -> int:
    """How many of the spans that came are not in the outcome's trace."""
    trace = outcome.trace or Trace(trace_id="")
    known = {span.span_id for span in trace.spans}
    return sum(span.span_id not in known for span in came)
