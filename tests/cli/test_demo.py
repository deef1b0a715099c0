import json
import re
import signal
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from aloi.cli import demo
from aloi.cli.demo import HOW_TO_GO_ON, SUITE, WHAT_IT_IS, filled_in
from aloi.core.errors import InvalidInput
from aloi.core.run import JudgeSpec
from aloi.core.spec import JsonObject
from aloi.sdk import open_suite
from aloi.service.files import read_cases
from aloi.settings import Settings
from tests.cli.conftest import Aloi, Started

SMALL = "http://127.0.0.1:9/v1"


def filled(settings: Settings, small: str | None = None) -> tuple[JsonObject, JudgeSpec]:
    """The target and the judge of the demo's suite under the settings."""
    suite = filled_in(open_suite(SUITE), settings, small)
    assert isinstance(suite.target, dict)
    assert suite.judge is not None
    return suite.target, suite.judge


class TestSuite:
    def test_it_has_a_dozen_cases_of_both_sorts(self) -> None:
        suite = open_suite(SUITE)
        assert suite.dataset is not None
        judged = [case for case in read_cases(SUITE.parent / suite.dataset).cases if case.expected_behavior]
        kinds = {str(binding.spec["kind"]) for case in suite.cases for binding in case.evaluators}
        assert len(suite.cases) + len(judged) == 12
        assert len(judged) == 5
        assert kinds == {"contains", "exact_match", "json_schema", "json_similarity", "regex"}
        assert suite.judge is not None
        assert suite.judge.samples == 3


class TestFilledIn:
    def test_the_small_model_is_target_and_judge(self) -> None:
        target, judge = filled(Settings(), SMALL)
        assert (target["kind"], target["base_url"], judge.base_url) == ("openai", SMALL, SMALL)
        assert target["model"] == judge.model == "openai:smollm2-135m-instruct"
        assert judge.samples == 3
        assert judge.settings["temperature"] == 1

    def test_a_model_that_is_named_takes_both_places_with_no_settings_of_ours(self) -> None:
        settings = Settings(model="openai:gpt-x", base_url="http://127.0.0.1:8/v1", api_key_env="MY_KEY")
        target, judge = filled(settings)
        assert (target["model"], target["base_url"], target["api_key_env"]) == (
            "openai:gpt-x",
            "http://127.0.0.1:8/v1",
            "MY_KEY",
        )
        assert "settings" not in target
        assert (judge.model, judge.base_url, judge.api_key_env) == (
            "openai:gpt-x",
            "http://127.0.0.1:8/v1",
            "MY_KEY",
        )
        assert (judge.settings, judge.samples) == ({}, 3)

    def test_a_judge_may_be_another_one(self) -> None:
        target, judge = filled(Settings(model="openai:a", judge_model="openai:b"))
        assert (target["model"], judge.model) == ("openai:a", "openai:b")

    def test_a_real_judge_of_the_small_model(self) -> None:
        target, judge = filled(Settings(judge_model="openai:b"), SMALL)
        assert (target["base_url"], judge.model, judge.base_url) == (SMALL, "openai:b", None)

    def test_other_providers_are_reached_as_an_agent(self) -> None:
        target, _ = filled(Settings(model="anthropic:claude"))
        assert target["kind"] == "agent"

    def test_a_name_that_is_none_is_told(self) -> None:
        with pytest.raises(InvalidInput, match=r"ALOI_MODEL or ALOI_JUDGE_MODEL.*provider:model"):
            filled(Settings(model="gpt"))


SHORT_SUITE = """\
name: short
target: {kind: openai, model: "openai:filled-in"}
judge: {model: "openai:filled-in", samples: 3}
cases:
  - {key: plain, prompt: What is the capital of France?, evaluators: [{kind: contains, text: Paris}]}
  - {key: judged, prompt: Good morning!, expected_behavior: Greets back.}
"""


def test_the_small_model_is_run_and_explained(aloi: Aloi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For real, on two cases; the demo's own suite is run on a quicker model below."""
    short = tmp_path / "short.yaml"
    short.write_text(SHORT_SUITE)
    monkeypatch.setattr(demo, "SUITE", short)
    ended = aloi("demo")
    assert ended.code in (0, 3), ended.err  # 3 if it answers nothing that can be graded, which is its own affair
    assert "judge openai:smollm2-135m-instruct (3 samples)" in ended.err
    assert "Judge " in ended.out
    run_id = json.loads(aloi("runs", "export", "latest", "--format", "json").out)["run"]["id"]
    said = " ".join(ended.out.split())
    assert f"{WHAT_IT_IS} {HOW_TO_GO_ON}" in said
    assert said.endswith(f"Look at the run in a browser, with: aloi serve http://127.0.0.1:8080/runs/{run_id}")
    assert max(map(len, ended.out.splitlines())) <= 80
    run = json.loads(aloi("runs", "export", "latest", "--format", "json").out)
    results = {result["case_key"]: result for result in run["results"]}
    assert all(result["outcome"]["usage"]["output_tokens"] for result in results.values())
    (score,) = results["judged"]["scores"]
    assert score["kind"] == "behavior_judge"
    assert score["usage"]["calls"] >= 3
    assert len(score["samples"]) == 3 or score["verdict"] == "error"


def test_a_named_model_is_used_and_the_small_one_left_alone(
    aloi: Aloi, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALOI_MODEL", "openai:echo")
    monkeypatch.setenv("ALOI_JUDGE_MODEL", "openai:judge-alternate")
    monkeypatch.setenv("ALOI_BASE_URL", endpoint)
    ended = aloi("demo")
    assert ended.code == 0, ended.err
    assert "judge openai:judge-alternate (3 samples)" in ended.err
    assert "12 cases of aloi-demo against aloi-demo@1" in ended.err
    assert "/12 passed (95% CI incl. judge noise" in ended.out
    assert "the judge disagreed with itself on 5 of 5 cases" in ended.out
    assert "Starting" not in ended.err
    assert WHAT_IT_IS[:20] not in ended.out


def test_a_model_that_never_answers_is_no_success(aloi: Aloi, endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALOI_MODEL", "openai:status:401")
    monkeypatch.setenv("ALOI_BASE_URL", endpoint)
    assert aloi("demo").code == 3


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("ALOI_BASE_URL", SMALL, "name the one to use there in ALOI_MODEL"),
        ("ALOI_MODEL", "gpt", "provider:model"),
    ],
)
def test_wrong_settings_are_told(name: str, value: str, said: str, aloi: Aloi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    ended = aloi("demo")
    assert ended.code == 2
    assert said in ended.err


def test_ctrl_c_ends_it_and_keeps_what_is_finished(start: Callable[..., Started]) -> None:
    started = start("demo")
    started.until("12 cases of aloi-demo")
    started.process.send_signal(signal.SIGINT)
    ended = started.ended()
    assert ended.code == 1, ended.err
    assert "cancelled" in ended.out


def test_at_its_end_the_run_can_be_looked_at(start: Callable[..., Started], endpoint: str) -> None:
    started = start("demo", "--serve", ALOI_MODEL="openai:echo", ALOI_BASE_URL=endpoint)
    assert started.process.stdout is not None
    line = next(line for line in started.process.stdout if "Look at the run in a browser: " in line)
    address = re.search(r"(?P<server>http://127\.0\.0\.1:\d+)/sign-in\?token=[\w-]+&next=(?P<page>/runs/[\w-]+)$", line)
    assert address is not None, line
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(f"{address['server']}/api/eval{address['page']}", timeout=10)
    started.process.send_signal(signal.SIGINT)
    assert started.ended().code == 0
