import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import HERE_AND_THERE, Aloi

REPLAY = '{"kind": "replay", "outputs": {"": "from the record"}}'


@HERE_AND_THERE
def test_save_list_show_activate_and_delete(aloi: Aloi) -> None:
    assert "There is no target here" in aloi("targets", "list").out
    assert aloi("targets", "save", "bot", REPLAY).out == "bot@1\n"
    assert aloi("targets", "save", "bot", REPLAY).out == "bot@1\n"
    assert aloi("targets", "save", "bot", REPLAY.replace("the", "another")).out == "bot@2\n"
    assert re.search(r"^bot +replay +1 +2 ", aloi("targets", "list").out, re.M)
    assert "There is no target here" in aloi("targets", "list", "zebra").out
    shown = aloi("targets", "show", "bot").out
    assert "Version 1, active" in shown and "from the record" in shown
    assert aloi("targets", "activate", "bot", "2").out == "bot@2 is active.\n"
    assert "from another record" in aloi("targets", "show", "bot").out
    assert aloi("targets", "delete", "bot").out == "bot is deleted.\n"
    assert aloi("targets", "show", "bot").code == 2


@HERE_AND_THERE
def test_trying_one(aloi: Aloi, endpoint: str, tmp_path: Path) -> None:
    model = {"kind": "openai", "model": "echo", "base_url": endpoint}
    assert aloi("targets", "save", "échos", json.dumps(model)).code == 0
    ended = aloi("targets", "invoke", "échos", "Où est-ce ?")
    assert (ended.code, ended.out) == (0, "Où est-ce ?\n"), ended.err
    assert "échos@1" in ended.err and "tokens" in ended.err
    assert aloi("targets", "invoke", "échos", stdin=b"du tuyau").out == "du tuyau\n"
    (tmp_path / "input.json").write_text('{"q": 1}')
    assert '"q"' in aloi("targets", "invoke", "échos", f"@{tmp_path / 'input.json'}", "--json").out
    model["model"] = "status:400"
    assert aloi("targets", "save", "échos", json.dumps(model)).out == "échos@2\n"
    failed = aloi("targets", "invoke", "échos", "x", "--version", "2")
    assert (failed.code, failed.out) == (1, "")
    assert "No answer: " in failed.err


@HERE_AND_THERE
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "nobody"), "nobody"),
        (("show", ""), "''"),
        (("activate", "nobody", "1"), "nobody"),
        (("activate", "bot", "9"), "9"),
        (("delete", "nobody"), "nobody"),
        (("invoke", "nobody", "x"), "nobody"),
        (("invoke", "bot", "x", "--version", "9"), "9"),
        (("invoke", "bot", "x", "--json"), "not JSON"),
        (("save", "bot", "{}"), "kind"),
        (("save", "bot", '{"kind": "nope"}'), "no kind 'nope'"),
        (("save", "", REPLAY), "name"),
        (("save", "bot", '{"kind": "openai", "model": "x"}'), "of kind replay, not openai"),
        (("save", "bot", '{"kind": "replay", "path": "no.jsonl"}'), "no.jsonl"),
    ],
)
def test_what_cannot_be_done(aloi: Aloi, words: tuple[str, ...], said: str) -> None:
    aloi("targets", "save", "bot", REPLAY)
    ended = aloi("targets", *words)
    assert (ended.code, ended.out) == (2, ""), ended
    assert said in ended.err


@HERE_AND_THERE
def test_a_target_with_runs_is_kept(aloi: Aloi, tmp_path: Path) -> None:
    suite = {"name": "S", "target": json.loads(REPLAY), "cases": [{"prompt": "x", "expected_output": "y"}]}
    (tmp_path / "s.json").write_text(json.dumps({**suite, "evaluators": [{"kind": "exact_match"}]}))
    aloi("run", tmp_path / "s.json")
    ended = aloi("targets", "delete", "S")
    assert ended.code == 2
    assert "run" in ended.err


def test_a_function_in_the_present_folder(aloi: Aloi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "function_of_the_folder.py").write_text("def answer(given):\n    return given.upper()\n")
    monkeypatch.chdir(tmp_path)
    spec = '{"kind": "python", "function": "function_of_the_folder:answer"}'
    assert aloi("targets", "save", "f", spec).out == "f@1\n"
    assert aloi("targets", "invoke", "f", "hello").out == "HELLO\n"


def test_a_definition_in_yaml_is_saved(aloi: Aloi, tmp_path: Path) -> None:
    (tmp_path / "flow.yaml").write_text(
        "kind: workflow\nsteps:\n  - {name: a, kind: transform, template: 'x{{ input }}'}\n"
    )
    assert aloi("targets", "save", "flow", f"@{tmp_path / 'flow.yaml'}").out.strip() == "flow@1"
    assert aloi("targets", "invoke", "flow", "yz").out.strip() == "xyz"


def test_a_faulty_definition_is_told_line_by_line(aloi: Aloi, tmp_path: Path) -> None:
    first = "kind: workflow\nsteps:\n  - name: a\n    kind: transform\n    template: '{{ steps.b }}'\n"
    text = f"{first}  - kind: branhc\n    name: c\n"
    (tmp_path / "flow.yaml").write_text(text)
    ended = aloi("targets", "save", "flow", f"@{tmp_path / 'flow.yaml'}")
    assert ended.code == 2
    assert "flow.yaml:6: steps[1].kind: " in ended.err
    (tmp_path / "flow.yaml").write_text(text.replace("branhc", "transform\n    template: x"))
    assert "flow.yaml:5: steps[0].template: " in aloi("targets", "save", "flow", f"@{tmp_path / 'flow.yaml'}").err
