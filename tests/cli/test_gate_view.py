"""What a gate says at 80 columns."""

from datetime import UTC, datetime
from io import StringIO

import pytest

from aloi.cli.gate_view import render_gate, render_overrides
from aloi.cli.terminal import console
from aloi.core.gate import DatasetGate, GateRun, GateState, Override, PolicyState, allows, policy_state

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def policy(name: str, passed: int, errors: int = 0, threshold: float = 0.8, enabled: bool = True) -> PolicyState:
    """What a policy says of a run of ten."""
    run = GateRun(
        run_id="01a22cf6-c74b-7f44-95b5-f1c722d9418e",
        passed=passed,
        failed=10 - passed - errors,
        errors=errors,
        finished_at=NOW,
    )
    given = DatasetGate(dataset_id=name, threshold=threshold, enabled=enabled)
    return policy_state(given, name, "bot@2", run if passed else None, None)


def state(*policies: PolicyState) -> GateState:
    return GateState(target_id="t", target_name="bot", version=2, allowed=allows(policies), policies=policies)


def shown(*parts: object) -> str:
    written = StringIO()
    paper = console(width=80, file=written)
    for part in parts:
        paper.print(part)
    return written.getvalue()


def test_each_policy_has_its_figures_and_its_reason() -> None:
    given = state(policy("Refunds", 9), policy("Orders", 7, 1), policy("Returns", 3, enabled=False), policy("New", 0))
    said = shown(*render_gate(given))
    assert [line.split()[:4] for line in said.splitlines()[4:] if line[0] != " "] == [
        ["Refunds", "9/10", "80%", "allowed"],
        ["Orders", "7/10", "80%", "undecided"],
        ["Returns", "3/10", "80%", "off"],
        ["New", "–", "80%", "undecided"],
    ]
    assert said.startswith("bot@2 may not become active.\n")
    words = " ".join(said.split())
    assert "re-run the errored cases" in words and "(run 01a22cf6-c74b)" in words


@pytest.mark.parametrize(
    ("policies", "said"),
    [((), "bot@2 may become active: its gate has no policy.\n"), ((policy("A", 9),), "bot@2 may become active.\n")],
)
def test_what_may_become_active(policies: tuple[PolicyState, ...], said: str) -> None:
    assert shown(*render_gate(state(*policies))).startswith(said)


def test_long_and_hostile_names_stay_within_80_columns() -> None:
    names = ("x" * 200, "a long name " * 10, "\x1b[31mred\n\u202e", "数据集" * 40)
    said = shown(*render_gate(state(*(policy(name, 8, threshold=0.87654) for name in names))))
    assert "\x1b" not in said and "\u202e" not in said
    assert all(len(line) <= 80 for line in said.splitlines())
    assert sum("87.654%" in line.split() for line in said.splitlines()) == len(names)


def test_overrides() -> None:
    made = Override(
        id="o", target_id="t", version=2, reason="urgent \x1b[31m", by="ann@example.org", at=NOW, state=state()
    )
    said = shown(render_overrides([made]))
    assert said.splitlines()[-1].split()[0] == "2"
    assert "ann@example.org" in said and "urgent \ufffd[31m" in said
