"""Executions on the command line: listed, shown, answered, given up; here and by a server."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import HERE_AND_THERE, Aloi, Ended

pytestmark = HERE_AND_THERE
VERDICT = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
WORKFLOW = {
    "kind": "workflow",
    "steps": [
        {"name": "draft", "kind": "transform", "template": "Hello {{ input }}"},
        {"name": "approve", "kind": "human", "question": "Send “{{ steps.draft }}”?", "output_schema": VERDICT},
        {"name": "sign", "kind": "human", "question": "Who signs?", "needs": ["approve"]},
        {"name": "final", "kind": "transform", "template": "{{ steps.draft }}, {{ steps.sign }}"},
    ],
}


@pytest.fixture(autouse=True)
def _flow(aloi: Aloi) -> None:
    assert aloi("targets", "save", "flow", json.dumps(WORKFLOW)).out == "flow@1\n"


def invoked(aloi: Aloi, given: str = "Zoë") -> str:
    """The beginning of the id of an execution that waits."""
    ended = aloi("targets", "invoke", "flow", given)
    assert (ended.code, ended.out) == (0, ""), ended
    told = re.search(r"aloi executions answer (\S+) approve --json JSON", ended.err)
    assert told is not None and f"Send “Hello {given}”?" in ended.err, ended.err
    return told[1]


def test_a_person_is_asked_and_answers(aloi: Aloi) -> None:
    execution = invoked(aloi)
    listed = aloi("executions", "waiting").out
    assert re.search(rf"^{execution} +flow@1 .* approve +Send “Hello", listed, re.M)
    assert re.search(rf"^{execution} +flow@1 .* waiting +Zoë", aloi("executions", "list").out, re.M)
    unfit = aloi("executions", "answer", execution, "approve", '{"ok": 1}', "--json")
    assert (unfit.code, unfit.out) == (2, "") and "/answer/ok" in unfit.err
    waits = aloi("executions", "answer", execution, "approve", "--json", stdin=b'{"ok": true}')
    assert (waits.code, waits.out) == (0, "")
    assert "Who signs?" in waits.err and f"aloi executions answer {execution} sign TEXT" in waits.err
    assert aloi("executions", "answer", execution, "approve", "{}", "--json").code == 2
    done = aloi("executions", "answer", execution, "sign", "Ann")
    assert (done.code, done.out) == (0, "Hello Zoë, Ann\n"), done.err
    shown = aloi("executions", "show", execution).out
    for text in ("flow@1  ok", "Zoë", "Send “Hello Zoë”?", '{"ok": true}', "Who signs?", ": Ann", "step final"):
        assert text in shown
    assert aloi("executions", "waiting").out == "Nothing waits for anybody.\n"
    assert aloi("executions", "list", "--status", "ok", "--target", "flow").out.count(execution) == 1


def test_one_becomes_a_case(aloi: Aloi, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("key,prompt\na,hello\n")
    assert aloi("datasets", "import", tmp_path / "data.csv").code == 0
    assert aloi("targets", "save", "say", json.dumps({"kind": "workflow", "steps": WORKFLOW["steps"][:1]})).code == 0
    assert aloi("targets", "invoke", "say", "Zoë").out == "Hello Zoë\n"
    [execution] = re.findall(r"^(\S+) +say@1 ", aloi("executions", "list").out, re.M)
    made = aloi("executions", "to-case", execution, "data")
    assert re.fullmatch(rf"trace-{execution}\S+ is a case of 'data'\.\n", made.out), made.err
    options = ("--key", "b", "--name", "B", "--expected", '{"ok": 1}', "--json", "--draft")
    assert aloi("executions", "to-case", execution, "data", *options).out == "b is a case of 'data', as a draft.\n"
    exported = aloi("datasets", "export", "data").out
    assert "Hello Zoë" in exported and '{\\"ok\\": 1}' not in exported
    refused(aloi("executions", "to-case", execution, "data"), "trace-")
    refused(aloi("executions", "to-case", execution, "absent"), "absent")
    refused(aloi("executions", "to-case", "absent", "data"), "there is no execution absent")
    waits = invoked(aloi)
    refused(aloi("executions", "to-case", waits, "data"), "has no output yet")


def test_one_is_given_up(aloi: Aloi) -> None:
    execution = invoked(aloi)
    assert re.fullmatch(rf"{execution}\S+ is cancelled\.\n", aloi("executions", "cancel", execution).out)
    assert "No answer: cancelled: " in aloi("executions", "show", execution).out
    assert "cancelled: " in aloi("executions", "list", "--status", "error").out
    assert "There is no such execution here" in aloi("executions", "list", "--status", "waiting").out
    refused(aloi("executions", "answer", execution, "approve", '{"ok": true}', "--json"), "is over (error)")
    refused(aloi("executions", "cancel", execution), "nothing to cancel")


def test_pages(aloi: Aloi) -> None:
    first, _ = invoked(aloi, "a"), invoked(aloi, "b")
    assert "Page 2 of 2, 2 executions in all" in aloi("executions", "list", "--page", "2", "--size", "1").out
    waiting = aloi("executions", "waiting", "--size", "1").out
    assert first in waiting and "Page 1 of 2, 2 steps in all" in waiting


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "nothing"), "there is no execution nothing"),
        (("show", "01890a5d-ac96-774b-bcce-b302099a8057"), "there is no execution"),
        (("answer", "a/b", "approve", "x"), "there is no execution"),
        (("answer", "0", "absent", "x"), "asks nobody in a step 'absent'; the steps that do are: approve"),
        (("answer", "0", "approve", "x", "--json"), "ANSWER is not JSON"),
        (("answer", "0", "approve", "@absent.txt"), "absent.txt cannot be read"),
        (("cancel", "nothing"), "there is no execution nothing"),
        (("list", "--target", "absent"), "absent"),
        (("waiting", "--target", "absent"), "absent"),
    ],
)
def test_what_cannot_be_done(aloi: Aloi, words: tuple[str, ...], said: str) -> None:
    invoked(aloi)
    refused(aloi("executions", *words), said)


def test_a_beginning_of_several(aloi: Aloi) -> None:
    invoked(aloi)
    invoked(aloi)
    refused(aloi("executions", "show", "0"), "several executions begin with '0'")


def refused(ended: Ended, said: str) -> None:
    assert (ended.code, ended.out) == (2, ""), ended
    assert said in ended.err
