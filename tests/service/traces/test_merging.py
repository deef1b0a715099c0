"""One execution of all that came of a trace."""

from aloi.core.trace import COST, Span
from aloi.service.traces import merging
from aloi.service.traces.merging import SPANS, Merged, merged
from aloi.store.observed import Known
from aloi.store.traces import MOST_SIZE, Claimed
from tests.store.samples import NOW

TRACE = "ab" * 16
CHAT = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": "gcp.gemini", "gen_ai.request.model": "gemini"}


def claimed(size: int = 100, left_out: int = 0) -> Claimed:
    return Claimed("w", TRACE, NOW, size, left_out, works=True, tries=0)


def body(*spans: Span) -> str:
    return SPANS.dump_json(list(spans)).decode()


def span(number: int, **attributes: object) -> Span:
    fields = {"span_id": f"{number:016x}", "name": "s", "start_ns": number, "end_ns": number}
    return Span.model_validate({**fields, "attributes": attributes})


def no_price(*_: object) -> float | None:
    return None


def known(found: Merged, size: int = 100) -> Known:
    return Known("e", NOW, found.outcome, size)


def test_prices_are_asked_for_by_the_names_that_they_are_listed_by():
    asked: list[tuple[object, ...]] = []

    def price(*given: object) -> float | None:
        asked.append(given)
        return 0.5

    turn = span(1, **CHAT, **{"gen_ai.usage.input_tokens": 7})
    told = span(2, **CHAT, **{COST: 0.25})
    found = merged(claimed(), [body(turn, told)], None, price)
    assert asked == [("google", "gemini", 7, None)]
    assert found.outcome.usage.cost == 0.75
    assert {model: used.calls for model, used in found.used.items()} == {"gcp.gemini:gemini": 2}


def test_the_later_word_on_a_span_stands():
    first = merged(claimed(), [body(span(1, a=1)), body(span(1, a=2))], None, no_price)
    assert first.outcome.trace is not None
    assert [one.attributes["a"] for one in first.outcome.trace.spans] == [2]
    again = merged(claimed(), [body(span(1, a=3))], known(first), no_price)
    assert again.outcome.trace is not None
    assert ([one.attributes["a"] for one in again.outcome.trace.spans], again.known_id) == ([3], "e")


def test_late_spans_do_not_make_an_execution_grow_for_ever():
    first = merged(claimed(), [body(span(1))], None, no_price)
    late = merged(claimed(size=MOST_SIZE), [body(span(1), span(2, **CHAT))], known(first), no_price)
    assert late.outcome.trace is not None
    assert (len(late.outcome.trace.spans), late.outcome.trace.left_out, late.newly_left_out) == (1, 1, 1)
    assert not late.outcome.trace.shows_tools


def test_what_was_left_out_stays_said():
    first = merged(claimed(left_out=3), [body(span(1))], None, no_price)
    late = merged(claimed(), [body(span(2))], known(first), no_price)
    assert late.outcome.trace is not None
    assert (late.outcome.trace.left_out, late.outcome.trace.shows_tools) == (3, False)


def test_names_of_models_are_such_as_a_database_holds():
    found = merged(claimed(), [body(span(1, **{**CHAT, "gen_ai.request.model": "a\0" + "b" * 999}))], None, no_price)
    [model] = found.used
    assert "\0" not in model
    assert len(model) < 2 * merging.MOST_NAME + 2
