"""No case, a case without input, a key twice: refused with the place and the mend, before anything is stored or run."""

from pathlib import Path
from subprocess import CompletedProcess

import pytest

from aloi.client import Client
from aloi.core.errors import InvalidInput
from tests.e2e.command import Command
from tests.e2e.suites import Json, evaluate, write_suite

TARGET = {"kind": "python", "function": "answers:answer"}


@pytest.fixture(autouse=True)
def answers(tmp_path: Path) -> Path:
    """A target that leaves a mark when it is called."""
    called = tmp_path / "called"
    (tmp_path / "answers.py").write_text(
        f"from pathlib import Path\ndef answer(given):\n    Path({str(called)!r}).touch()\n    return given\n",
        encoding="utf-8",
    )
    return called


def refused(run: CompletedProcess[str], aloi: Command, called: Path) -> str:
    """Assert that a command was refused as wrong input and left no run behind; what it said."""
    assert run.returncode == 2, run.stdout + run.stderr
    assert run.stdout == ""
    assert "Traceback" not in run.stderr
    assert not called.exists()
    if (aloi.home / "aloi.db").exists():
        assert aloi.rows("SELECT count(*) FROM runs") == [(0,)]
    return run.stderr


def inline(folder: Path, cases: list[Json]) -> Path:
    return write_suite(folder, TARGET, cases)


def from_csv(folder: Path, text: str) -> Path:
    (folder / "cases.csv").write_text(text, encoding="utf-8")
    return write_suite(folder, TARGET, [], dataset="cases.csv")


@pytest.mark.parametrize("in_file", [False, True])
def test_no_case(aloi: Command, tmp_path: Path, answers: Path, in_file: bool) -> None:
    suite = from_csv(tmp_path, "key,prompt\n") if in_file else inline(tmp_path, [])
    said = refused(aloi.run("run", str(suite)), aloi, answers)
    assert said == "Error: there is no case to run; add at least one that is enabled and ready\n"


def test_no_case_that_is_enabled_and_ready(aloi: Command, tmp_path: Path, answers: Path) -> None:
    cases = [{"prompt": "case", "enabled": False}, {"prompt": "case 2", "status": "draft"}]
    said = refused(aloi.run("run", str(inline(tmp_path, cases))), aloi, answers)
    assert "there is no case to run" in said


async def test_no_case_leaves_the_dataset_as_it_was(client: Client) -> None:
    def answer(given: str) -> str:
        return given

    await evaluate(client, answer, [{"key": "a", "prompt": "case"}], name="kept")
    with pytest.raises(InvalidInput, match="no case to run"):
        await evaluate(client, answer, [], name="kept")
    assert [case.key async for case in client.cases("kept")] == ["a"]


def test_a_case_without_input(aloi: Command, tmp_path: Path, answers: Path) -> None:
    cases = [{"key": "a", "prompt": "case"}, {"key": "b", "expected_output": "x"}, {"key": "c", "prompt": None}]
    said = refused(aloi.run("run", str(inline(tmp_path, cases))), aloi, answers)
    assert "suite.json:1: cases[1]: a case needs a prompt (text) or an input (text or a JSON object)" in said
    assert "cases[2]: " in said


def test_a_row_without_input(aloi: Command, tmp_path: Path, answers: Path) -> None:
    suite = from_csv(tmp_path, "key,prompt,expected_output\na,case,\nb,,x\n")
    said = refused(aloi.run("run", str(suite)), aloi, answers)
    assert said == "Error: cases.csv:3: column prompt: is blank; a case needs a prompt or an input\n"


def test_a_key_twice(aloi: Command, tmp_path: Path, answers: Path) -> None:
    cases = [{"key": "a", "prompt": "case 1"}, {"key": "b", "prompt": "case 2"}, {"key": "a", "prompt": "case 3"}]
    said = refused(aloi.run("run", str(inline(tmp_path, cases))), aloi, answers)
    assert "cases[2].key: 'a' is already the key of cases[0]" in said


def test_a_row_with_the_key_of_another(aloi: Command, tmp_path: Path, answers: Path) -> None:
    said = refused(aloi.run("run", str(from_csv(tmp_path, "key,prompt\na,case\na,other\n"))), aloi, answers)
    assert "cases.csv:3: key: 'a' is already the key of line 2; keys are unique in a dataset" in said


def test_a_key_in_the_file_and_in_the_suite(aloi: Command, tmp_path: Path, answers: Path) -> None:
    (tmp_path / "cases.csv").write_text("key,prompt\na,case\n", encoding="utf-8")
    suite = write_suite(tmp_path, TARGET, [{"key": "a", "prompt": "other"}], dataset="cases.csv")
    said = refused(aloi.run("run", str(suite)), aloi, answers)
    assert "the key 'a' is used twice; keys are unique in a dataset" in said


@pytest.mark.parametrize(
    ("rows", "words", "options"),
    [
        ("a,changed\nb,\n", "cases.csv:3: column prompt", ()),
        ("a,changed\nb,x\nb,y\n", "cases.csv:4: key: 'b'", ("--replace",)),
    ],
    ids=["without input", "key twice"],
)
def test_a_bad_import_leaves_the_dataset_as_it_was(
    aloi: Command, tmp_path: Path, rows: str, words: str, options: tuple[str, ...]
) -> None:
    path = tmp_path / "cases.csv"
    path.write_text("key,prompt\na,first\n", encoding="utf-8")
    assert aloi.run("datasets", "import", str(path)).returncode == 0
    path.write_text(f"key,prompt\n{rows}", encoding="utf-8")
    said = aloi.run("datasets", "import", str(path), *options)
    assert said.returncode == 2
    assert words in said.stderr
    assert "first" in aloi.run("datasets", "export", "cases", "--format", "csv").stdout


@pytest.mark.parametrize(
    ("cases", "words"),
    [
        ([], "there is no case to run; add at least one that is enabled and ready"),
        ([{"prompt": "case"}, {"key": "b"}], "needs a prompt"),
        ([{"prompt": None}], "needs a prompt"),
        ([{"key": "a", "prompt": "case"}, {"key": "a", "prompt": "x"}], "case 2: the key 'a' is used twice"),
    ],
)
async def test_bad_cases_from_python(client: Client, cases: list[Json], words: str) -> None:
    calls: list[str] = []
    with pytest.raises(InvalidInput, match=words):
        await evaluate(client, calls.append, cases)
    assert calls == []
    assert (await client.runs()).total == 0


async def test_an_empty_prompt_and_equal_prompts_are_cases(client: Client) -> None:
    """An empty text is an input, and two cases may ask the same: their made keys are told apart."""

    def answer(given: str) -> str:
        return f"case {given}"

    report = await evaluate(client, answer, [{"prompt": ""}, {"prompt": "x"}, {"prompt": "x"}])
    assert report.summary.passed == 3
    assert len({result.case_key for result in report.results}) == 3
