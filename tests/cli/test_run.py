import csv
import json
import signal
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import HERE_AND_THERE, Aloi, Started, WriteSuite

pytestmark = HERE_AND_THERE

OPTIONS = ("model", "base-url", "judge", "judge-samples", "concurrency", "trials", "seconds-per-case", "max-cost")
FURTHER = ("max-tokens", "case", "tag", "allow-side-effects", "min-pass-rate", "junit", "json", "csv", "html")
SLOW = {f"c{number}": f"Paris {number}" for number in range(40)}


def test_the_options_are_there(aloi: Aloi) -> None:
    ended = aloi("run", "--help")
    assert ended.code == 0
    assert all(f"--{option} " in ended.out for option in (*OPTIONS, *FURTHER))


def test_all_pass(aloi: Aloi, suite: WriteSuite) -> None:
    ended = aloi("run", suite(a="Paris", b="I see Paris"))
    assert ended.code == 0, ended.err
    assert "2/2 passed (95% CI 34–100%)" in ended.out
    assert "All passed, yet the true pass rate could be as low as 34% (95% confidence)" in ended.out
    assert "2 cases of Capitals against Capitals@1" in ended.err
    assert "\x1b" not in ended.out + ended.err
    assert max(map(len, ended.out.splitlines())) <= 80


def test_a_failed_case_is_code_1_and_says_why(aloi: Aloi, suite: WriteSuite) -> None:
    ended = aloi("run", suite(a="Paris", b="Lyon"))
    assert ended.code == 1
    assert "1/2 passed" in ended.out
    assert 'contains: the output does not contain "Paris"' in ended.out


def test_nothing_decided_is_code_3(aloi: Aloi, suite: WriteSuite) -> None:
    ended = aloi("run", suite("status:400", a="Paris"))
    assert ended.code == 3
    assert "no decided case, 1 error" in ended.out
    assert "aloi runs retry" in ended.out


@pytest.mark.parametrize(("share", "code"), [("0.5", 0), ("0.6", 1)])
def test_a_minimal_pass_rate_decides(aloi: Aloi, suite: WriteSuite, share: str, code: int) -> None:
    ended = aloi("run", suite(a="Paris", b="Lyon"), "--min-pass-rate", share)
    assert ended.code == code
    assert "allowed: 1/2" in ended.out or "refused: 1/2" in ended.out


def test_the_gate_of_the_suite_decides_unless_the_option_does(aloi: Aloi, suite: WriteSuite) -> None:
    path = suite(more="gate: {threshold: 0.5}\n", a="Paris", b="Lyon")
    assert aloi("run", path).code == 0
    assert aloi("run", path, "--min-pass-rate", "0.9").code == 1
    subset = aloi("run", path, "--case", "b")
    assert subset.code == 1
    assert "Gate" not in subset.out


def test_errors_that_could_change_the_answer_are_a_no(aloi: Aloi, suite: WriteSuite) -> None:
    ended = aloi("run", suite("status:400", a="Paris"), "--min-pass-rate", "0.1")
    assert ended.code == 1
    assert "undecided" in ended.out


def test_options_change_the_suite(aloi: Aloi, suite: WriteSuite) -> None:
    ended = aloi("run", suite(a="Lyon", b="Lyon"), "--model", "openai:fixed:Paris", "--trials", "3", "--case", "a")
    assert ended.code == 0, ended.err
    assert "3/3 trials passed" in ended.out


def test_a_side_effect_is_simulated_or_allowed(aloi: Aloi, tmp_path: Path, endpoint: str) -> None:
    model = 'openai:tool-once:calculator:{\\"expression\\": \\"1 + 1\\"}'
    path = tmp_path / "suite.yaml"
    agent = f'kind: agent, model: "{model}", base_url: "{endpoint}", tools: [calculator], side_effects: [calculator]'
    text = f"target: {{{agent}}}\nevaluators: [{{kind: contains, text: answer}}]\ncases: [{{key: a, prompt: Sum.}}]\n"
    path.write_text(text)
    refused = aloi("run", path)
    assert refused.code == 2
    assert "what changes the world is not simulated: calculator (case a)" in " ".join(refused.err.split())
    allowed = aloi("run", path, "--allow-side-effects")
    assert allowed.code == 0, allowed.err
    path.write_text(f"{text}simulations:\n  calculator: {{kind: static, answers: [{{output: 7}}]}}\n")
    simulated = aloi("run", path)
    assert simulated.code == 0, simulated.err
    shown = aloi("runs", "show", "latest", "a")
    assert "→ 7 [static]" in shown.out, shown.out + shown.err


def test_a_judge_that_disagrees(aloi: Aloi, suite: WriteSuite, endpoint: str) -> None:
    path = suite(more="  - {key: j, prompt: Paris, expected_behavior: Greets.}\n")
    judge = ("--judge", "openai:judge-alternate", "--judge-url", endpoint, "--judge-samples", "3")
    ended = aloi("run", path, *judge)
    assert ended.code in (0, 1), ended.err
    assert "incl. judge noise" in ended.out
    assert "the judge disagreed with itself on 1 of 1 cases" in ended.out
    assert "the judge is unstable on this suite" in ended.out


def test_files(aloi: Aloi, suite: WriteSuite, tmp_path: Path) -> None:
    names = {form: tmp_path / f"out.{form}" for form in ("junit", "json", "csv", "html")}
    options = [text for form, path in names.items() for text in (f"--{form}", str(path))]
    assert aloi("run", suite(a="Paris", b="Lyon"), *options).code == 1
    root = ElementTree.parse(names["junit"]).getroot()
    assert len(list(root.iter("testcase"))) == 2
    assert len(list(root.iter("failure"))) == 1
    assert json.loads(names["json"].read_text())
    with names["csv"].open(newline="") as file:
        assert len(list(csv.reader(file))) == 3
    assert "<html" in names["html"].read_text()


def test_data_on_the_standard_output_moves_the_report(aloi: Aloi, suite: WriteSuite) -> None:
    ended = aloi("run", suite(a="Paris"), "--json", "-")
    assert ended.code == 0
    assert json.loads(ended.out)
    assert "1/1 passed" in ended.err


def test_a_bad_suite_names_line_and_field_and_nothing_runs(aloi: Aloi, suite: WriteSuite) -> None:
    ended = aloi("run", suite(more="judge: {model: 'openai:x', samples: 9}\n", a="Paris"))
    assert ended.code == 2
    assert "suite.yaml:6: judge.samples: must be at most 5" in ended.err
    assert ended.out == ""
    assert "There is no run here" in aloi("runs", "list").out


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--concurrency", "0"), "concurrency"),
        (("--max-cost", "-1"), "max_cost"),
        (("--judge-samples", "2"), "no judge to change"),
        (("--case", "nope"), "case"),
        (("--junit", "/no/such/folder/x.xml"), "--junit"),
        (("--json", "-", "--csv", "-"), "only one format"),
    ],
)
def test_wrong_options_are_named_and_nothing_runs(
    aloi: Aloi, suite: WriteSuite, options: tuple[str, ...], named: str
) -> None:
    ended = aloi("run", suite(a="Paris"), *options)
    assert ended.code == 2, ended.err
    assert named in ended.err
    assert "There is no run here" in aloi("runs", "list").out


def test_a_missing_suite(aloi: Aloi, tmp_path: Path) -> None:
    ended = aloi("run", tmp_path / "no.yaml")
    assert ended.code == 2
    assert "no.yaml" in ended.err


def test_ctrl_c_once_keeps_what_is_finished(
    aloi: Aloi, suite: WriteSuite, start: Callable[..., Started], tmp_path: Path
) -> None:
    path = suite("slow:0.2", **SLOW)
    started = start("run", path, "--concurrency", "2", "--json", tmp_path / "out.json")
    started.until("40 cases of Capitals")
    started.process.send_signal(signal.SIGINT)
    ended = started.ended()
    assert ended.code == 1, ended.err
    assert "cancelled" in ended.out
    assert "aloi runs resume" in ended.out
    assert "Traceback" not in ended.err
    assert json.loads((tmp_path / "out.json").read_text())
    listed = aloi("runs", "list")
    assert "cancelled" in listed.out
    resumed = aloi("runs", "resume", "latest", "--min-pass-rate", "1")
    assert resumed.code == 0, resumed.err
    assert "40/40 passed" in resumed.out


def test_columns_that_no_field_takes_are_named(aloi: Aloi, suite: WriteSuite, tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text("key,prompt,expected_ouput\na,Paris,x\n", encoding="utf-8")
    ended = aloi("run", suite(b="Paris", more="dataset: more.csv\n"))
    assert "2/2 passed" in ended.out
    assert "expected_ouput (did you mean expected_output?)" in ended.err


def test_a_cost_budget_that_cannot_be_kept_is_told(aloi: Aloi, suite: WriteSuite) -> None:
    ended = aloi("run", suite(a="Paris"), "--max-cost", "0.01")
    assert "max_cost cannot be kept: the price of 1 call is not known" in " ".join(ended.out.split())
