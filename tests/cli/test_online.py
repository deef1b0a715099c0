"""`aloi online`, here and with a server."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from aloi.core.execution import Invoke
from aloi.service import invoking
from aloi.service.context import Context
from aloi.service.online.grading import grade_due
from aloi.settings import Settings
from tests.cli.conftest import HERE_AND_THERE, Aloi

LATENCY = '{"kind": "latency", "max": 60}'


@pytest.fixture
def ready(aloi: Aloi, tmp_path: Path) -> Aloi:
    """With a target `bot`, and a dataset `data`."""
    (tmp_path / "data.csv").write_text("key,prompt\na,hello\n")
    target = {"kind": "workflow", "steps": [{"name": "say", "kind": "transform", "template": "Hello {{ input }}"}]}
    for call in (("datasets", "import", tmp_path / "data.csv"), ("targets", "save", "bot", json.dumps(target))):
        ended = aloi(*call)
        assert ended.code == 0, ended.err
    return aloi


@HERE_AND_THERE
def test_create_list_show_switch_delete(ready: Aloi, where: str) -> None:
    assert "There is no rule here" in ready("online", "list", "bot").out
    options = ("--share", "0.25", "--filters", '{"status": "ok"}', "--cost-per-day", "2", "--drafts", "data")
    made = ready("online", "create", "bot", "quick", "--evaluator", LATENCY, *options)
    assert (made.code, made.out) == (0, "quick: 25% of the executions of bot, by latency; on.\n"), made.err
    assert ("It grades while a server runs on this database: aloi serve" in made.err) is (where == "here")
    assert re.search(r"^quick +on +25% +latency +nothing graded", ready("online", "list", "bot").out, re.M)
    shown = ready("online", "show", "bot", "quick").out
    for text in (
        "25% of the executions",
        '{"status": "ok"}',
        "latency (weight 1)",
        "$2 for judges",
        "to data as drafts",
    ):
        assert text in shown
    assert ready("online", "disable", "bot", "quick").out == "quick is off.\n"
    assert re.search(r"^quick +off ", ready("online", "list", "bot").out, re.M)
    assert ready("online", "enable", "bot", "quick").out == "quick is on.\n"
    assert ready("online", "results", "bot", "quick").out == "There is no such result yet.\n"
    assert ready("online", "delete", "bot", "quick").out.startswith("The rule 'quick' is deleted")
    gone = ready("online", "show", "bot", "quick")
    assert (gone.code, gone.out) == (2, "") and "quick" in gone.err


def test_evaluators_are_kinds_json_or_files(ready: Aloi, tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text('{"kind": "latency", "max": 1, "name": "fast"}')
    given = ("--evaluator", f"@{tmp_path / 'one.json'}", "--evaluator", LATENCY, "--disabled")
    assert ready("online", "create", "bot", "n", *given).out.endswith("by fast, latency; off.\n")
    alone = ready("online", "create", "bot", "m", "--evaluator", "latency")
    assert alone.code == 2 and "/evaluators/0/max: Field required" in alone.err


@HERE_AND_THERE
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--evaluator", "absent"), "absent"),
        (("--evaluator", "exact_match"), "nothing that was expected"),
        (("--evaluator", "{"), "--evaluator is not JSON"),
        (("--evaluator", LATENCY, "--filters", "[]"), "--filters must be a JSON object"),
        (("--evaluator", LATENCY, "--filters", '{"verdict": "fail"}'), "verdict"),
        (("--evaluator", LATENCY, "--drafts", "absent"), "absent"),
        (("--evaluator", LATENCY, "--share", "0"), "share"),
    ],
)
def test_wrong_input(ready: Aloi, options: tuple[str, ...], said: str) -> None:
    ended = ready("online", "create", "bot", "x", *options)
    assert (ended.code, ended.out) == (2, "")
    assert said in " ".join(ended.err.split())


async def grade(home: Path) -> None:
    """Let the target answer in production, and the rules grade it."""
    context = await Context.open(Settings(home=home), {})
    try:
        await invoking.carry_out(await invoking.prepare(context, "bot", Invoke(input="Zoë")))
        while await grade_due(context):
            pass
    finally:
        await context.close()


def test_results(ready: Aloi, tmp_path: Path) -> None:
    for name, longest in (("slow", 60), ("strict", 1e-9)):
        given = json.dumps({"kind": "latency", "max": longest})
        assert ready("online", "create", "bot", name, "--evaluator", given).code == 0
    asyncio.run(grade(tmp_path / "home"))
    assert re.search(r"pass +Zoë +latency: ", ready("online", "results", "bot", "slow").out)
    failing = ready("online", "results", "bot", "strict", "--verdict", "fail").out
    assert re.search(r"fail +Zoë +latency: ", failing)
    assert "There is no such result" in ready("online", "results", "bot", "strict", "--verdict", "pass").out
    listed = " ".join(ready("online", "list", "bot").out.split())
    assert "1/1 passed (95% CI" in listed and "0/1 passed (95% CI" in listed
    assert "1 execution graded, 0 left out" in ready("online", "show", "bot", "slow").out
