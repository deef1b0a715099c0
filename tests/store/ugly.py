"""Values with any text that a database must keep: NUL, other scripts, quotes, long numbers."""

from hypothesis import strategies as st
from pydantic import JsonValue

from aloi.core.case import Case
from aloi.core.outcome import Failure, Outcome
from aloi.core.result import CaseResult
from aloi.core.score import JudgeSample, Score, Verdict
from aloi.core.trace import Span, Trace
from aloi.core.usage import Usage
from aloi.store.connection import Connection


def takes(rx: Connection, *texts: str) -> bool:
    """Whether texts can be stored outside of JSON."""
    return rx.dialect.name != "postgresql" or not any("\x00" in text for text in texts)


TEXT = st.text(max_size=20) | st.sampled_from(["\x00", "a\x00b", "é", "🙂", '"', "\\", "'", "\u2028", "null", "{}"])
NAMES = TEXT.filter(bool)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SHARES = st.floats(0, 1)
JSON: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | FLOATS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
OBJECTS = st.dictionaries(TEXT, JSON, max_size=3)
COUNTS = st.none() | st.integers(0, 2**40)
COSTS = st.none() | st.floats(0, 1e300)  # whose sums are numbers too
USAGES = st.builds(Usage, calls=st.integers(0, 9), input_tokens=COUNTS, output_tokens=COUNTS, cost=COSTS)
FAILURES = st.builds(Failure, stage=st.sampled_from(["invoke", "grade"]), type=TEXT, message=TEXT)
SPANS = st.builds(
    Span, span_id=TEXT, name=TEXT, start_ns=st.integers(0, 2**62), end_ns=st.integers(0, 2**62), attributes=OBJECTS
)
TRACES = st.builds(Trace, trace_id=TEXT, spans=st.lists(SPANS, max_size=2).map(tuple), shows_tools=st.booleans())
OUTCOMES = st.builds(
    Outcome, output=JSON, failure=st.none() | FAILURES, usage=USAGES, latency=FLOATS, trace=st.none() | TRACES
)
SAMPLES = st.builds(JudgeSample, value=SHARES, passed=st.booleans(), reasoning=TEXT, details=OBJECTS)
SCORES = st.builds(
    Score,
    evaluator=TEXT,
    kind=TEXT,
    weight=st.sampled_from([0.0, 1.0, 2.5]),
    value=st.none() | SHARES,
    verdict=st.sampled_from(Verdict),
    explanation=TEXT,
    details=JSON,
    samples=st.lists(SAMPLES, max_size=3).map(tuple),
    failure=st.none() | FAILURES,
    usage=USAGES,
    seconds=FLOATS,
)
RESULTS = st.builds(
    CaseResult,
    case_id=st.just(""),
    case_key=st.just(""),
    verdict=st.sampled_from(Verdict),
    score=st.none() | SHARES,
    outcome=OUTCOMES,
    scores=st.lists(SCORES, max_size=2).map(tuple),
    not_applicable=st.lists(TEXT, max_size=2).map(tuple),
    failure=st.none() | FAILURES,
)
CASES = st.builds(
    Case,
    key=NAMES,
    name=TEXT,
    input=TEXT | OBJECTS,
    expected_output=JSON,
    expected_behavior=st.none() | TEXT,
    assertions=st.lists(TEXT, max_size=2).map(tuple),
    criteria=st.dictionaries(TEXT, OBJECTS, max_size=2),
    tags=st.lists(TEXT, max_size=2).map(tuple),
    enabled=st.booleans(),
)
