import io

from aloi.cli.exit_codes import ruling_on
from aloi.cli.report import Report, next_steps, render, summary_facts
from aloi.cli.terminal import console
from aloi.core.gate import Decision
from aloi.core.result import CaseResult
from aloi.core.run import Run, RunStatus
from aloi.core.summary import summarise
from tests.cli.made import erring, failing, judged, made_run, passing

LONG = "it is " + "very " * 60 + "wrong"


def text_of(run: Run, *shown: CaseResult, troubled: int | None = None, decision: Decision | None = None) -> str:
    file = io.StringIO()
    report = Report(run, shown, len(shown) if troubled is None else troubled)
    for part in render(report, decision):
        console(width=80, file=file).print(part)
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def test_a_report_says_it_all_within_80_columns() -> None:
    bad, broken = failing("a-case-with-quite-a-long-key-to-fold", LONG), erring("b")
    run = made_run(passing("p"), passing("q"), judged("j", True, True, False), bad, broken, skipped=("github",))
    text = text_of(run, bad, broken, decision=ruling_on(run, 0.9))
    assert max(map(len, text.splitlines())) <= 80
    assert text.startswith("\nRefunds · support-agent@3\n3/4 passed (95% CI incl. judge noise")
    assert "The true pass rate could be as low as" in text
    assert "a-case-with-quite-a-long" in text
    assert "contains: it is very" in text
    assert LONG not in text
    assert "timeout: no answer within 5 s" in text
    assert "Latency       p50 1.2 s, p95 1.2 s" in text
    assert "4,936 tokens in 4 calls (4,000 in, 936 out), cost $0.0492" in text
    assert "110 tokens in 3 calls (100 in, 10 out), cost unknown" in text
    assert "the judge disagreed with itself on 1 of 1 cases (100%)" in text
    assert "the judge is unstable on this suite" in text
    assert "1 timeout" in text
    assert "MCP servers github" in text
    assert "refused: 3/5 passed" in text
    assert f"Run {run.id} completed after 1 min 15 s" in text
    assert "aloi runs retry 01a22bad-96b0" in text


def test_more_troubled_results_than_shown() -> None:
    bad = failing("a")
    assert "… and 41 more: aloi runs show 01a22bad-96b0 --all" in text_of(made_run(bad), bad, troubled=42)


def test_a_clean_run_is_short() -> None:
    text = text_of(made_run(passing("a")))
    assert "Verdict" not in text
    assert "Warning" not in text
    assert "retry" not in text


def test_a_cancelled_run_says_what_is_missing_and_how_to_go_on() -> None:
    run = made_run(passing("a"), status=RunStatus.CANCELLED, total=60, reason="cancelled")
    text = text_of(run)
    assert "Only 1 of 60 results are there" in text
    assert "cancelled after 1 min 15 s\n  aloi runs resume 01a22bad-96b0" in text
    budget = made_run(passing("a"), status=RunStatus.CANCELLED, total=60, reason="the budget of $1 is spent")
    assert "cancelled (the budget of $1 is spent)" in text_of(budget)


def test_a_run_without_results() -> None:
    assert "There are no results." in text_of(made_run(status=RunStatus.FAILED, reason="no space left"))


def test_next_steps_depend_on_what_happened() -> None:
    def commands(run: Run) -> list[str]:
        return [command.split()[2] for command, _ in next_steps(run)]

    assert commands(made_run(passing("a"))) == []
    assert commands(made_run(failing("a"))) == ["show"]
    assert commands(made_run(erring("a"))) == ["retry", "show"]
    assert commands(made_run(passing("a"), status=RunStatus.FAILED)) == ["resume"]


def test_trials_are_told_apart() -> None:
    results = (passing("a", 0), failing("a", trial=1))
    run = made_run(*results, trials=2)
    text = text_of(run, results[1])
    assert "a #2" in text
    assert "In 2 trials" in text


def test_facts_leave_out_what_there_is_not() -> None:
    names = [name for name, _ in summary_facts(summarise([passing("a").row()]))]
    assert names == ["Mean score", "Latency", "Target"]


def test_nothing_of_a_target_commands_the_terminal() -> None:
    bad = failing("a\x1b[2J", "reads \x1b]0;title\x07 so")
    assert "\x1b" not in text_of(made_run(bad), bad)
