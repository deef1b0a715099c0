"""Spans of a target elsewhere are waited for by the kinds whose score hangs on them, and by no others."""

import inspect

import pytest

from aloi import plugins
from aloi.core.evaluator import Evaluator

# What of the context spans of the target tell. A function of one's own may read anything.
TOLD_BY_SPANS = ("ctx.trajectory", "ctx.outcome.usage", "ctx.outcome.trace")


@pytest.mark.parametrize("kind", sorted(plugins.kinds("evaluators")))
def test_exactly_the_kinds_that_read_the_trace_say_so(kind: str) -> None:
    evaluator = plugins.load("evaluators", kind, Evaluator)
    source = inspect.getsource(inspect.getmodule(evaluator) or evaluator)
    reads = evaluator.runs_code or any(told in source.replace("`ctx", "") for told in TOLD_BY_SPANS)
    assert evaluator.reads_trace is reads
