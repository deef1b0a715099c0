"""`aloi run` in this process alone: functions beside the suite, and an end at once that leaves a run behind."""

import signal
from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Aloi, Started, WriteSuite

SLOW = {f"c{number}": f"Paris {number}" for number in range(40)}


def test_a_function_beside_the_suite(aloi: Aloi, tmp_path: Path) -> None:
    (tmp_path / "agent_beside_the_suite.py").write_text("def answer(prompt):\n    return prompt.upper()\n")
    (tmp_path / "suite.yaml").write_text(
        "target: {kind: python, function: 'agent_beside_the_suite:answer'}\n"
        "evaluators: [{kind: contains, text: PARIS}]\n"
        "cases: [{prompt: paris}]\n"
    )
    ended = aloi("run", tmp_path / "suite.yaml")
    assert ended.code == 0, ended.err + ended.out


def test_two_signals_end_it_at_once_and_it_can_be_resumed(
    aloi: Aloi, suite: WriteSuite, start: Callable[..., Started]
) -> None:
    started = start("run", suite("slow:0.2", **SLOW), "--concurrency", "2")
    started.until("40 cases of Capitals")
    # Two different signals: two that are alike may reach a process as one.
    started.process.send_signal(signal.SIGINT)
    started.process.send_signal(signal.SIGTERM)
    ended = started.ended()
    assert ended.code in (130, 143), ended.err
    assert ended.out == ""
    resumed = aloi("runs", "resume", "latest")
    assert resumed.code == 0, resumed.err
    assert "40/40 passed" in resumed.out
