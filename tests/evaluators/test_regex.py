"""`regex`: search and full match, flags, bounded time."""

import asyncio
from typing import Any

import pytest

from aloi.core.errors import InvalidInput, StageFailure
from tests.evaluators.grading import evaluator, grade

# Takes exponential time on a run of a's that does not end well.
SLOW = r"(a|aa|b?a)+(a|aa)+c$"


@pytest.mark.parametrize(
    ("pattern", "output", "options", "value"),
    [
        (r"\b180\b", "You get 180 back", {}, 1),
        (r"\b180\b", "You get 1800 back", {}, 0),
        (r"\d+", "180 back", {"full": True}, 0),
        (r"\d+", "180", {"full": True}, 1),
        (r"\d+", "none", {"negate": True}, 1),
        (r"hello", "HELLO", {"flags": "i"}, 1),
        (r"hello", "HELLO", {"flags": ["ignorecase"]}, 1),
        (r"hello", "HELLO", {"flags": ["IGNORE_CASE"]}, 1),
        (r"^b.c$", "a\nb\nc", {"flags": "ms"}, 1),
        (r"^b.c$", "a\nb\nc", {}, 0),
        (r"b  # a letter", "b", {"flags": ["verbose"], "full": True}, 1),
        (r"^\w$", "é", {}, 1),
        (r"^\w$", "é", {"flags": "a"}, 0),
        (r'"a": 1', {"a": 1}, {}, 1),
        (r"", "", {"full": True}, 1),
        (r"^d$", {"c": "d"}, {"target_path": "$.c"}, 1),
        (r"x$", "y" * 20_000 + "x", {}, 1),
    ],
)
async def test_value(pattern: str, output: Any, options: dict[str, Any], value: float) -> None:
    assert (await grade(evaluator("regex", pattern=pattern, **options), output)).value == value


def test_a_bad_pattern_is_refused_with_its_position() -> None:
    with pytest.raises(InvalidInput, match=r"'a\(b'.*position 3"):
        evaluator("regex", pattern="a(b")


@pytest.mark.parametrize("flags", ["q", ["unknown"], 2, [2], {"i": True}])
def test_unknown_flags_are_refused(flags: Any) -> None:
    with pytest.raises(InvalidInput, match="flags"):
        evaluator("regex", pattern="a", flags=flags)


def test_flags_are_stored_by_name() -> None:
    assert evaluator("regex", pattern="a", flags="si").to_spec()["flags"] == ["dotall", "ignorecase"]


async def test_too_slow_a_pattern_is_an_error_and_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aloi.evaluators.regex.TIMEOUT_SECONDS", 0.1)
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.005)
            ticks += 1

    ticking = asyncio.create_task(tick())
    with pytest.raises(StageFailure, match=r"took more than 0\.1 seconds") as failure:
        await grade(evaluator("regex", pattern=SLOW), "a" * 60)
    ticking.cancel()
    assert failure.value.type == "timeout"
    assert ticks > 0


async def test_the_explanation_says_what_matched_and_where() -> None:
    score = await grade(evaluator("regex", pattern=r"\d+"), "costs 42")
    assert score.explanation == r"""the pattern '\d+' matches the output: "42" at character 7"""


@pytest.mark.parametrize("pattern", ["(" * 1000 + "a" + ")" * 1000, "a" * 10_001])
def test_a_pattern_that_is_too_deep_or_too_long_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidInput, match=r"nested too deeply|at most 10000 characters"):
        evaluator("regex", pattern=pattern)
