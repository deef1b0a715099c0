import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import HERE_AND_THERE, Aloi

CONTAINS = [{"kind": "contains", "text": "ok"}]
CASES = [{"key": key, "prompt": key} for key in "abcde"]


def words(text: str) -> str:
    """The text in one line, whatever the width of its columns."""
    return " ".join(text.split())


@pytest.fixture
def run(aloi: Aloi, tmp_path: Path) -> Any:
    """Runs the suite `Bot` on a version in which so many of its five cases pass."""

    def call(passed: int) -> None:
        outputs = {case["key"]: "ok" if number < passed else "no" for number, case in enumerate(CASES)}
        suite = {"name": "Bot", "target": {"kind": "replay", "outputs": outputs}, "evaluators": CONTAINS}
        path = tmp_path / "suite.json"
        path.write_text(json.dumps({**suite, "cases": CASES}))
        assert aloi("run", path).code == (0 if passed == 5 else 1)

    return call


@HERE_AND_THERE
def test_set_check_and_remove(aloi: Aloi, run: Any) -> None:
    run(3)
    ended = aloi("gate", "check", "Bot")
    assert (ended.code, ended.out) == (0, "Bot@1 may become active: its gate has no policy.\n")
    ended = aloi("gate", "set", "Bot", "Bot", "0.8")
    assert ended.code == 0 and "Bot@1 may not become active." in ended.out, ended.err
    ended = aloi("gate", "check", "Bot")
    assert ended.code == 1
    assert "Bot 3/5 80% refused 3/5 passed, the threshold is 80%; improve the target" in words(ended.out)
    run(4)
    assert aloi("gate", "check", "Bot").code == 0
    assert aloi("gate", "check", "Bot", "--version", "1").code == 1
    assert aloi("gate", "show", "Bot", "--version", "1").code == 0
    assert aloi("gate", "set", "Bot", "Bot", "0.9", "--off").code == 0
    assert aloi("gate", "check", "Bot").code == 0
    assert "off" in aloi("gate", "show", "Bot").out
    assert aloi("gate", "set", "Bot", "Bot", "0.9").code == 0
    assert aloi("gate", "check", "Bot").code == 1
    assert "its gate has no policy" in aloi("gate", "remove", "Bot", "Bot").out
    assert aloi("gate", "check", "Bot").code == 0


@HERE_AND_THERE
def test_policies_on_other_datasets_stay(aloi: Aloi, run: Any, tmp_path: Path) -> None:
    run(5)
    (tmp_path / "more.csv").write_text("key,prompt\nx,Hello\n")
    assert aloi("datasets", "import", tmp_path / "more.csv").code == 0
    aloi("gate", "set", "Bot", "Bot", "0.8")
    aloi("gate", "set", "Bot", "more", "0.5")
    state = json.loads(aloi("gate", "check", "Bot", "--json").out)
    assert [(policy["dataset_name"], policy["threshold"]) for policy in state["policies"]] == [
        ("Bot", 0.8),
        ("more", 0.5),
    ]
    aloi("gate", "set", "Bot", state["policies"][1]["dataset_id"], "0.6")
    aloi("gate", "remove", "Bot", state["policies"][0]["dataset_id"])
    state = json.loads(aloi("gate", "check", "Bot", "--json").out)
    assert [(policy["dataset_name"], policy["threshold"]) for policy in state["policies"]] == [("more", 0.6)]


@HERE_AND_THERE
def test_all_figures_as_json(aloi: Aloi, run: Any) -> None:
    run(3)
    aloi("gate", "set", "Bot", "Bot", "0.8")
    ended = aloi("gate", "check", "Bot", "--json")
    state = json.loads(ended.out)
    assert (ended.code, state["allowed"], state["version"]) == (1, False, 1)
    [policy] = state["policies"]
    assert policy["decision"] == {"ruling": "below", "passed": 3, "failed": 2, "errors": 0, "threshold": 0.8}


@HERE_AND_THERE
def test_an_activation_that_is_refused_and_overridden(aloi: Aloi, run: Any) -> None:
    run(5)
    run(3)
    aloi("gate", "set", "Bot", "Bot", "0.8")
    ended = aloi("targets", "activate", "Bot", "2")
    assert ended.code == 1
    assert "Bot@2 may not become active." in ended.out and "3/5" in ended.out
    assert "No version of Bot was let pass" in aloi("gate", "overrides", "Bot").out
    ended = aloi("targets", "activate", "Bot", "2", "--override", "")
    assert (ended.code, ended.out) == (2, "")
    assert "reason" in ended.err
    assert aloi("targets", "activate", "Bot", "2", "--override", "it is urgent").out == "Bot@2 is active.\n"
    assert "it is urgent" in aloi("gate", "overrides", "Bot").out
    assert "Page 2 of 1" not in aloi("gate", "overrides", "Bot", "--page", "1").out
    assert "active, gate overridden" in aloi("targets", "show", "Bot").out
    assert aloi("targets", "activate", "Bot", "1").out == "Bot@1 is active.\n"
    aloi("targets", "activate", "Bot", "2", "--override", "again")
    assert "Page 1 of 2, 2 overrides" in aloi("gate", "overrides", "Bot", "--size", "1").out


@HERE_AND_THERE
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "nobody"), "nobody"),
        (("check", "Bot", "--version", "9"), "9"),
        (("check", "Bot", "--version", "0"), "greater than or equal to 1"),
        (("show", "nobody"), "nobody"),
        (("overrides", "nobody"), "nobody"),
        (("set", "nobody", "Bot", "0.8"), "nobody"),
        (("set", "Bot", "nothing", "0.8"), "nothing"),
        (("set", "Bot", "Bot", "80"), "not a share"),
        (("set", "Bot", "Bot", "0"), "not a share"),
        (("set", "Bot", "Bot", "most"), "valid number"),
        (("remove", "Bot", "Bot"), "no policy on 'Bot'"),
        (("remove", "nobody", "Bot"), "nobody"),
    ],
)
def test_what_cannot_be_done(aloi: Aloi, run: Any, arguments: tuple[str, ...], said: str) -> None:
    run(5)
    ended = aloi("gate", *arguments)
    assert (ended.code, ended.out) == (2, ""), ended
    assert said in ended.err
