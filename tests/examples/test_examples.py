"""Every example runs, and says what it is there to show."""

import re
from pathlib import Path

import pytest
import yaml

from aloi.service.suites.suite import load_suite
from tests.examples.conftest import EXAMPLES, Call

SUITES = sorted(EXAMPLES.glob("*suite*.yaml"))
README = EXAMPLES.parent / "README.md"


@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.name)
def test_every_suite_is_valid(path: Path) -> None:
    load_suite(path)


def test_the_agent_suite(run_suite: Call, endpoint: str) -> None:
    """Its agent calls the calculator once and answers with 180; its judge passes everything."""
    model = 'openai:tool-once:calculator:{"expression": "240 - 60"}'
    judge = ("--judge", "openai:judge-pass", "--judge-url", endpoint)
    ended = run_suite("suite.yaml", "--model", model, "--base-url", endpoint, *judge, OPENAI_API_KEY="not-a-key")
    assert ended.returncode == 0, ended.stderr
    assert "5/5 passed" in ended.stdout
    assert "Gate" in ended.stdout


def test_the_judge_suite(run_suite: Call, endpoint: str) -> None:
    """With a judge that contradicts itself the report says so, and the gate refuses or not by the rate alone."""
    options = ("--base-url", endpoint, "--judge-url", endpoint, "--model", "openai:echo")
    ended = run_suite("judge_suite.yaml", *options, "--judge", "openai:judge-alternate")
    assert ended.returncode in (0, 1), ended.stderr
    assert "incl. judge noise" in ended.stdout
    assert run_suite("judge_suite.yaml", *options, "--judge", "openai:judge-pass").returncode == 0
    assert run_suite("judge_suite.yaml", *options, "--judge", "openai:judge-fail").returncode == 1


def test_the_replay_suite_needs_no_model(run_suite: Call) -> None:
    ended = run_suite("replay_suite.yaml")
    assert ended.returncode == 0, ended.stderr
    assert "4/5 passed (95% CI 38–96%), 1 error" in ended.stdout
    assert "allowed: 4/6 passed" in ended.stdout


def test_the_readme_shows_what_the_replay_suite_prints(run_suite: Call) -> None:
    """But for the run's id and how long it took."""
    shown = README.read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    printed = run_suite("replay_suite.yaml").stdout
    assert lasting(shown) == lasting(printed)


def lasting(report: str) -> list[str]:
    """The lines of a report without its run's id, its duration and blanks at the ends."""
    text = re.sub(r"after [\d.]+ m?s", "after", re.sub(r"\b[0-9a-f]{8}-[0-9a-f]{4}[-0-9a-f]*", "ID", report))
    return [line.rstrip() for line in text.strip().splitlines()]


def test_my_evaluator(run_suite: Call) -> None:
    ended = run_suite("my_evaluator_suite.yaml")
    assert ended.returncode == 1, ended.stderr
    assert "1/2 passed" in ended.stdout
    assert "looked_before_it_answered returned" in ended.stdout


def test_the_python_agent(python: Call) -> None:
    ended = python("examples/python_agent.py")
    assert ended.returncode == 0, ended.stderr
    assert "3/4 passed (95% CI 30–95%), 1 error" in ended.stdout
    assert "- two-items: fail" in ended.stdout
    assert "- no-price: error: the target raised KeyError" in ended.stdout


def test_the_workflow_suite(python: Call, endpoint: str, tmp_path: Path) -> None:
    """Its model classifies by what it is told here, and its agent reads the opening hours in its instructions."""
    suite = yaml.safe_load((EXAMPLES / "workflow_suite.yaml").read_text(encoding="utf-8"))
    steps = {step["name"]: step for step in suite["target"]["steps"]}
    told = (
        'When asked about 240: {"kind": "refund", "paid": 240, "months_used": 3}\n'
        'When asked about Saturday: {"kind": "other", "paid": 0, "months_used": 0}'
    )
    steps["classify"].update(model="openai:obey", base_url=endpoint, instructions=told)
    answering = {"instructions": "When asked about Saturday: At 9:00."}
    steps["ask"]["agent"].update(model="openai:obey", base_url=endpoint, **answering)
    changed = tmp_path / "workflow_suite.yaml"
    changed.write_text(yaml.safe_dump(suite), encoding="utf-8")
    ended = python("-m", "aloi.cli", "run", changed)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "2/2 passed" in ended.stdout


def test_the_simulated_workflow_suite_needs_no_model(run_suite: Call) -> None:
    ended = run_suite("simulated_workflow_suite.yaml")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "3/3 passed" in ended.stdout


def test_every_example_is_run_by_a_test() -> None:
    tests = Path(__file__).read_text(encoding="utf-8")
    read_by_suites = {"cases.csv", "recorded.jsonl", "my_evaluator.py"}
    names = {path.name for path in EXAMPLES.iterdir() if path.is_file()} - read_by_suites
    assert [name for name in sorted(names) if f'"{name}"' not in tests and f"/{name}" not in tests] == []
