import json
from pathlib import Path

import pytest

from tests.cli.conftest import HERE_AND_THERE, Aloi, WriteSuite

pytestmark = HERE_AND_THERE


@pytest.fixture
def run(aloi: Aloi, suite: WriteSuite) -> str:
    """The id of a finished run of one passed and one failed case."""
    ended = aloi("run", suite(a="Paris", b="Lyon"), "--json", "-")
    assert ended.code == 1, ended.err
    return ended.err.split("run ")[1].split()[0]


def test_list_and_show(aloi: Aloi, run: str) -> None:
    listed = aloi("runs", "list")
    assert f"{run}  Capitals  Capitals@1  completed  1/2 50%" in listed.out
    assert aloi("runs", "list", "--dataset", "nope").code == 2
    shown = aloi("runs", "show", run)
    assert shown.code == 0
    assert "1/2 passed" in shown.out


def test_results_and_one_of_them(aloi: Aloi, run: str) -> None:
    everything = aloi("runs", "show", run, "--all").out
    assert "2 of 2 results in run" in everything
    passed = aloi("runs", "show", run, "--verdict", "pass").out
    assert "1 of 2 results with verdict pass" in passed
    assert "Lyon" not in passed
    one = aloi("runs", "show", "latest", "b")
    assert one.code == 0
    assert one.out.startswith("b  fail  score 0.00\n\nInput\n  Lyon\n\nAnswer\n  Lyon\n")
    assert aloi("runs", "show", run, "nope").code == 2


def test_export(aloi: Aloi, run: str, tmp_path: Path) -> None:
    assert json.loads(aloi("runs", "export", run).out)
    assert aloi("runs", "export", run, "--format", "junit").out.startswith("<?xml")
    assert aloi("runs", "export", run, "-o", tmp_path / "x.csv").code == 0
    assert (tmp_path / "x.csv").read_text().count("\n") == 3
    assert aloi("runs", "export", "nope", "-o", tmp_path / "y.csv").code == 2
    assert not (tmp_path / "y.csv").exists()


def test_retry_runs_the_errored_cases_alone(aloi: Aloi, suite: WriteSuite, where: str) -> None:
    assert aloi("run", suite("flaky:400x1", a=f"Paris at first {where}", b=f"Paris at last {where}")).code == 3
    retried = aloi("runs", "retry", "latest")
    assert retried.code == 0, retried.err + retried.out
    assert "2/2 passed" in retried.out
    assert aloi("runs", "list").out.count("completed") == 2


def test_regrading_uses_the_present_evaluators(aloi: Aloi, run: str) -> None:
    regraded = aloi("runs", "regrade", run, "--min-pass-rate", "0.5")
    assert regraded.code == 0, regraded.err
    assert "1/2 passed" in regraded.out


def test_what_is_completed_is_neither_resumed_nor_cancelled(aloi: Aloi, run: str) -> None:
    for command in ("resume", "cancel"):
        ended = aloi("runs", command, run)
        assert ended.code == 2
        assert "completed" in ended.err


def test_deleting_asks_first(aloi: Aloi, run: str) -> None:
    refused = aloi("runs", "delete", run)
    assert refused.code == 2
    assert "--yes" in refused.err
    assert "completed" in aloi("runs", "list").out
    assert aloi("runs", "delete", run, "--yes").code == 0
    assert "There is no run here" in aloi("runs", "list").out


def test_label_results(aloi: Aloi, run: str) -> None:
    assert "Nobody labelled a result of this run." in aloi("runs", "labels", run).out
    said = aloi("runs", "label", run, "b", "pass", "--note", "it is right after all")
    assert (said.code, said.out) == (0, "b is labelled pass: it is right after all\n")
    assert aloi("runs", "label", run, "b", "fail").out == "b is labelled fail.\n"
    aloi("runs", "label", "latest", "a", "pass")
    listed = aloi("runs", "labels", run)
    assert [line.split()[:3] for line in listed.out.splitlines()[2:4]] == [["a", "1", "pass"], ["b", "1", "fail"]]
    assert "Page 1 of 2, 2 labels in all" in aloi("runs", "labels", run, "--size", "1").out
    assert aloi("runs", "label", run, "b", "none").out == "b has no label any more.\n"
    assert "b" not in aloi("runs", "labels", run).out.split("\n", 2)[2].split()


def test_what_cannot_be_labelled(aloi: Aloi, run: str) -> None:
    assert aloi("runs", "label", run, "nope", "pass").code == 2
    assert aloi("runs", "label", run, "a", "pass", "--trial", "2").code == 2
    assert aloi("runs", "label", run, "a", "maybe").code == 2
    assert aloi("runs", "label", run, "a", "none").code == 2
    assert aloi("runs", "label", run, "a", "pass", "--note", "x" * 10_001).code == 2
