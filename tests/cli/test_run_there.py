"""`aloi run` by a server: what a suite names of this machine comes along, and code does not run there unasked."""

import csv
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Aloi, Ended
from tests.cli.serving import ThreadServer, thread_server

PARIS = [{"kind": "contains", "text": "Paris"}]
CASES = [{"key": "a", "prompt": "Paris"}, {"key": "b", "prompt": "Lyon"}]
RECORDED = [{"key": "a", "output": "Paris"}, {"key": "é 😀", "output": "naïve", "tool_calls": [], "latency": 2.5}]
FILES = {
    "data/cases.csv": "key,prompt,expected_output\nfrom csv,Paris,x\n",
    "data/réponses.jsonl": "\n".join(json.dumps(line, ensure_ascii=False) for line in RECORDED),
    "code_beside_the_suite.py": "def answer(prompt):\n    return prompt\n\ndef grade(context):\n    return True\n",
}
RECORDED_HERE = {"kind": "replay", "outputs": {"a": "x"}}
WriteSuite = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WriteSuite:
    """Writes a suite in a folder of its own, beside the files that it may name; commands run somewhere else."""
    folder = tmp_path / "süite"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")

    def call(**suite: Any) -> Path:
        given = {"name": "Suite", "evaluators": PARIS, "cases": CASES, **suite}
        path = folder / "suite.json"
        path.write_text(json.dumps(given, ensure_ascii=False), encoding="utf-8")
        return path

    return call


@pytest.fixture
def permissive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadServer]:
    """A server that allows code, named in the environment."""
    with thread_server(tmp_path / "server", allow_code=True) as server:
        monkeypatch.setenv("ALOI_SERVER", server.url)
        monkeypatch.setenv("ALOI_API_KEY", server.key())
        yield server


def test_recorded_outcomes_in_a_file_come_along(aloi: Aloi, there: ThreadServer, write: WriteSuite) -> None:
    cases = [{"key": "a", "prompt": "x"}, {"key": "é 😀", "prompt": "Où ?"}, {"key": "c", "prompt": "y"}]
    ended = aloi("run", write(target={"kind": "replay", "path": "data/réponses.jsonl"}, cases=cases), "--json", "-")
    assert ended.code == 1, ended.err
    results = {result["case_key"]: result for result in json.loads(ended.out)["results"]}
    assert [results[key]["verdict"] for key in ("a", "é 😀", "c")] == ["pass", "fail", "error"]
    assert results["é 😀"]["outcome"]["latency"] == 2.5
    shown = aloi("targets", "show", "Suite").out
    assert "naïve" in shown and "data/" not in shown


@pytest.mark.parametrize(
    ("content", "said"), [(None, "No such file"), ("", "are empty"), ("{}", "line 1"), ("x" * 11_000_000, "line 1")]
)
def test_recorded_outcomes_that_cannot_be_read(
    aloi: Aloi, there: ThreadServer, write: WriteSuite, content: str | None, said: str
) -> None:
    path = write(target={"kind": "replay", "path": "data/other.jsonl"})
    if content is not None:
        (path.parent / "data/other.jsonl").write_text(content)
    ended = aloi("run", path)
    assert (ended.code, ended.out) == (2, "")
    assert "other.jsonl" in ended.err and said in ended.err


def test_more_than_the_server_takes(aloi: Aloi, there: ThreadServer, write: WriteSuite) -> None:
    ended = aloi("run", write(target={"kind": "replay", "outputs": {"a": "x" * 11_000_000}}))
    assert (ended.code, ended.out) == (2, "")
    assert "larger than 10 MB" in ended.err


@pytest.mark.parametrize(
    "suite",
    [
        {"target": {"kind": "python", "function": "code_beside_the_suite:answer"}},
        {
            "target": {"kind": "replay", "outputs": {"a": "x"}},
            "evaluators": [{"kind": "python", "function": "x:grade"}],
        },
    ],
)
def test_code_does_not_run_there_unasked(
    aloi: Aloi, there: ThreadServer, write: WriteSuite, suite: dict[str, Any]
) -> None:
    ended = aloi("run", write(**suite))
    assert (ended.code, ended.out) == (2, ""), ended.err
    assert "kind python run" in ended.err and "ALOI_ALLOW_CODE does not allow" in ended.err
    assert "There is no run here" in aloi("runs", "list").out


def test_code_runs_where_the_operator_allows_it(aloi: Aloi, permissive: ThreadServer, write: WriteSuite) -> None:
    graded = [{"kind": "python", "function": "code_beside_the_suite:grade"}]
    target = {"kind": "python", "function": "code_beside_the_suite:answer"}
    ended = aloi("run", write(target=target, evaluators=graded))
    assert ended.code == 0, ended.err
    assert "2/2 passed" in ended.out


def test_a_function_that_the_server_lacks(aloi: Aloi, permissive: ThreadServer, write: WriteSuite) -> None:
    ended = aloi("run", write(target={"kind": "python", "function": "only_here:answer"}))
    assert (ended.code, ended.out) == (2, "")
    assert "there is no module only_here" in ended.err


SAME: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "passes and fails": ({}, ()),
    "a gate that allows": ({"gate": {"threshold": 0.4}}, ()),
    "a gate that refuses": ({"gate": {"threshold": 0.9}}, ()),
    "a subset": ({}, ("--case", "a")),
    "trials": ({"run": {"trials": 3}}, ()),
    "a dataset file and cases": ({"dataset": "data/cases.csv"}, ()),
    "errors": ({"target": {"model": "openai:status:400"}}, ()),
    "a judge": (
        {"cases": [*CASES, {"key": "j", "prompt": "Paris", "expected_behavior": "Greets."}]},
        ("--judge", "openai:judge-pass", "--judge-samples", "3"),
    ),
    "a wrong judge": ({"judge": {"model": "nope"}}, ()),
    "a case twice": ({"cases": [CASES[0], CASES[0]]}, ()),
    "an unknown case": ({}, ("--case", "zz")),
    "no evaluator": ({"evaluators": []}, ()),
    "an unknown kind": ({"evaluators": [{"kind": "contanis"}]}, ()),
    "a saved target that is not there": ({"target": "nobody"}, ()),
}


@pytest.mark.parametrize("name", SAME)
def test_the_same_suite_gives_the_same_report(
    aloi: Aloi, server: ThreadServer, write: WriteSuite, endpoint: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes, options = SAME[name]
    echo = {"kind": "openai", "model": "openai:echo", "base_url": endpoint}
    target = changes.get("target", {})
    suite = write(**{**changes, "target": target if isinstance(target, str) else {**echo, **target}})
    if "--judge" in options:
        options = (*options, "--judge-url", endpoint)
    here = reported(aloi, suite, options)
    monkeypatch.setenv("ALOI_SERVER", server.url)
    monkeypatch.setenv("ALOI_API_KEY", server.key())
    assert reported(aloi, suite, options) == here


def reported(aloi: Aloi, suite: Path, options: tuple[str, ...]) -> tuple[Ended, dict[str, str]]:
    """What a run says and writes, without what differs between any two runs."""
    files = {form: suite.parent / f"out.{form}" for form in ("junit", "csv", "html", "json")}
    for path in files.values():
        path.unlink(missing_ok=True)
    wanted = [text for form, path in files.items() for text in (f"--{form}", str(path))]
    ended = aloi("run", suite, *options, *wanted)
    texts = {form: path.read_text(encoding="utf-8") for form, path in files.items() if path.exists()}
    if "csv" in texts:
        rows = list(csv.DictReader(texts["csv"].splitlines()))
        texts["csv"] = repr([{**row, "latency_seconds": "*"} for row in rows])
    texts = {form: steady(text) for form, text in texts.items()}
    return Ended(ended.code, steady(ended.out), steady(ended.err)), texts


UNSTEADY = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}(-[0-9a-f-]+)?|\b[0-9a-f]{16,32}\b"  # ids
    r"|\d{4}-\d\d-\d\d[ T][\d:.]+Z?|\d+\.\d{3,}(e-\d+)?|\d+(\.\d+)? m?s\b|\d{19}"  # times
    r"|(?<=number'>)\d+\.\d\d(?=</td><td>)|(?<=\"latency\": )[^,]+|(?<=\"seconds\": )[^,}\s]+"
    r"|(?<=\"p[59][05]\": )[^,}\s]+"
    r'|(?<="started_by": )"[^"]+"|(?<= ) +'
)


def steady(text: str) -> str:
    """The text without ids, times and durations, and without who started the run."""
    return UNSTEADY.sub("*", text)
