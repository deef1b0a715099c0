import json
from pathlib import Path

import pytest

from tests.cli.conftest import HERE_AND_THERE, Aloi

pytestmark = HERE_AND_THERE

SUITE = """\
name: Manners
target: {{kind: replay, outputs: {{a: dear, b: you}}}}
judge: {{model: 'openai:judge-unless:you', base_url: '{endpoint}', samples: 2}}
evaluators: [{{kind: llm_judge, name: polite, rubric: Be polite.}}]
cases:
  - {{key: a, prompt: hello}}
  - {{key: b, prompt: hello}}
"""


@pytest.fixture
def run(aloi: Aloi, tmp_path: Path, endpoint: str) -> str:
    """The id of a finished run of two cases that a judge judged: a passes, b fails."""
    path = tmp_path / "suite.yaml"
    path.write_text(SUITE.format(endpoint=endpoint))
    ended = aloi("run", path, "--json", "-")
    assert ended.code == 1, ended.err
    return ended.err.split("run ")[1].split()[0]


def test_where_nothing_was_judged(aloi: Aloi) -> None:
    assert "No judge judged here." in aloi("calibration").out
    assert aloi("calibration", "--run", "none").code == 2


def test_the_figures_of_a_judge(aloi: Aloi, run: str) -> None:
    aloi("runs", "label", run, "a", "pass")
    aloi("runs", "label", run, "b", "pass")
    shown = aloi("calibration", "--dataset", "Manners")
    assert shown.code == 0, shown.err
    assert "polite  llm_judge by openai:judge-unless:you" in shown.out
    assert "1/2, 50%" in shown.out
    assert "always: all samples of 2 results agree" in shown.out
    assert "too few labels" in shown.out


def test_as_json(aloi: Aloi, run: str) -> None:
    aloi("runs", "label", run, "a", "fail")
    [found] = json.loads(aloi("calibration", "--json", "--run", run, "--target", "Manners").out)
    assert (found["labelled"], found["false_passes"], found["judge"]["samples"]) == (1, 1, 2)
    assert found["corrected"][0]["run_id"].startswith(run)


def test_pages(aloi: Aloi, run: str) -> None:
    assert run
    assert json.loads(aloi("calibration", "--json", "--page", "2", "--size", "1").out) == []
