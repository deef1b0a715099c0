"""What callers may write, made into values."""

import functools
from typing import Any

import pytest

from aloi.core.binding import Binding
from aloi.core.errors import InvalidInput
from aloi.core.run import JudgeSpec, RunLimits
from aloi.core.simulation import StaticSimulation
from aloi.sdk.given import as_binding, as_case, as_judge, as_limits, as_simulations, as_target, name_of
from aloi.targets.python import Python
from aloi.targets.replay import Replay


class Agent:
    def __call__(self, given: Any) -> str:
        return "ok"

    def answer(self, given: Any) -> str:
        return "ok"


REPLAY = Replay(outputs={"a": "1"})


@pytest.mark.parametrize(
    ("target", "kind", "name"),
    [
        (str.upper, Python, "str.upper"),
        (Agent(), Python, "Agent"),
        (Agent().answer, Python, "Agent.answer"),
        (functools.partial(str.replace, "a"), Python, "partial"),
        (REPLAY, Replay, "replay"),
        ({"kind": "replay", "outputs": {"a": "1"}}, Replay, "replay"),
    ],
)
def test_a_target(target: Any, kind: type, name: str) -> None:
    made = as_target(target)
    assert isinstance(made, kind)
    assert name_of(target) == name


@pytest.mark.parametrize("target", [None, 4, ["a"], {"kind": "nope"}, {"outputs": {}}, {"kind": "replay"}])
def test_what_is_no_target(target: Any) -> None:
    with pytest.raises(InvalidInput):
        as_target(target)


def test_a_case() -> None:
    case = as_case({"prompt": "question", "expected_output": [1]})
    assert (case.input, case.expected_output) == ("question", [1])
    assert as_case(case) is case


@pytest.mark.parametrize("case", ["question", None, 4, [], {}, {"promt": "x"}, {"prompt": "a", "tags": 4}])
def test_what_is_no_case_is_named(case: Any) -> None:
    with pytest.raises(InvalidInput, match=r"the case .* does not fit"):
        as_case(case)


def test_a_long_case_is_not_told_whole() -> None:
    with pytest.raises(InvalidInput) as refused:
        as_case({"promt": "x" * 100_000})
    assert len(str(refused.value)) < 1000


def test_an_evaluator() -> None:
    binding = as_binding({"kind": "contains", "text": "a", "weight": 0, "name": "mine"})
    assert binding == Binding(name="mine", weight=0, spec={"kind": "contains", "text": "a"})
    assert as_binding(binding) is binding


@pytest.mark.parametrize("evaluator", ["contains", None, [], {}, {"text": "a"}, {"kind": "contains", "weight": -1}])
def test_what_is_no_evaluator_is_named(evaluator: Any) -> None:
    with pytest.raises(InvalidInput, match=r"the evaluator .* does not fit"):
        as_binding(evaluator)


def test_a_judge() -> None:
    assert as_judge(None, 3) is None
    assert as_judge("openai:m", None) == JudgeSpec(model="openai:m")
    assert as_judge("openai:m", 3) == JudgeSpec(model="openai:m", samples=3)
    assert as_judge({"model": "openai:m", "samples": 5}, None) == JudgeSpec(model="openai:m", samples=5)
    assert as_judge(JudgeSpec(model="openai:m", samples=5), 2) == JudgeSpec(model="openai:m", samples=2)


@pytest.mark.parametrize(
    ("judge", "samples"), [("gpt", None), ("openai:m", 0), ("openai:m", 6), ({"modle": "a"}, None)]
)
def test_what_is_no_judge(judge: Any, samples: int | None) -> None:
    with pytest.raises(InvalidInput, match="the judge does not fit"):
        as_judge(judge, samples)


def test_limits() -> None:
    assert as_limits(7, 2, 1.5, None, 100) == RunLimits(concurrency=7, trials=2, seconds_per_case=1.5, max_tokens=100)
    for given in ((0, 1, 1, None, None), (1, 0, 1, None, None), (1, 1, 0, None, None), (1, 1, 1, -1, None)):
        with pytest.raises(InvalidInput, match="the run does not fit"):
            as_limits(*given)


def test_simulations() -> None:
    fixed = {"kind": "static", "answers": [{"output": 42}]}
    found = as_simulations({"lookup": fixed})
    assert isinstance(found["lookup"], StaticSimulation)
    assert as_simulations(found) == found
    assert as_simulations({}) == {}
    with pytest.raises(InvalidInput, match=r"a simulation does not fit: lookup: lacks its 'kind'"):
        as_simulations({"lookup": {}})
