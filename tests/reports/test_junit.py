"""The JUnit report is XML whatever is in it, and says what the run says."""

from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given

from aloi.core.errors import Conflict
from aloi.core.wording import headline
from aloi.reports.junit import write
from tests.reports.runs import ANY_TEXT, answered, run_of, score, silent, some, written


async def parsed() -> tuple[Element, dict[str, Element]]:
    run = run_of(some())
    root = fromstring((await written(write, run, some())).encode())
    return root, {str(case.get("name")): case for case in root.iter("testcase")}


async def test_counts_and_properties() -> None:
    root, _ = await parsed()
    (suite,) = root.findall("testsuite")
    for element in (root, suite):
        assert [element.get(name) for name in ("tests", "failures", "errors", "time")] == ["5", "1", "2", "90.500"]
    assert suite.get("name") == "agent <1>@3 on Refunds & more"
    assert suite.get("timestamp") == "2026-01-02T03:04:05+00:00"
    properties = {found.get("name"): found.get("value") for found in suite.iter("property")}
    summary = run_of(some()).summary
    assert summary is not None
    assert properties["aloi.headline"] == headline(summary)
    assert properties["aloi.interval.low"] == f"{summary.interval.low:.6g}"
    assert properties["aloi.run"] == "run-1"


async def test_a_pass_has_neither_failure_nor_error() -> None:
    _, cases = await parsed()
    assert [child.tag for child in cases["good"]] == ["system-out"]
    assert cases["good"].findtext("system-out") == "Paris"
    assert (cases["good"].get("classname"), cases["good"].get("time")) == ("Refunds & more", "1.250")


async def test_a_fail_is_a_failure_with_its_reason() -> None:
    _, cases = await parsed()
    failure = cases["bad"].find("failure")
    assert failure is not None
    assert (failure.get("type"), failure.get("message")) == ("fail", "contains: no Paris in Rome")
    assert failure.text == "contains: fail (0): no Paris in Rome\nlatency: fail (0), informs only: long"


async def test_an_error_is_an_error_with_its_type() -> None:
    _, cases = await parsed()
    slow, odd = cases["slow"].find("error"), cases["odd"].find("error")
    assert slow is not None
    assert odd is not None
    assert (slow.get("type"), slow.get("message")) == ("timeout", "no answer within 30 s")
    assert (odd.get("type"), odd.get("message")) == ("bad_reply", "judge sample 2 of 3: no verdict")
    assert cases["slow"].find("system-out") is None
    assert cases["odd"].findtext("system-out") == "kept"


async def test_trials_are_told_apart() -> None:
    results = [answered("a", "x", score(True), trial=trial) for trial in (0, 1)]
    root = fromstring(await written(write, run_of(results, trials=2), results))
    assert [case.get("name") for case in root.iter("testcase")] == ["a [trial 1]", "a [trial 2]"]


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
async def test_any_text_gives_xml(key: str, output: str, explanation: str) -> None:
    results = [answered(key, output, score(False, explanation)), silent(key, explanation)]
    text = await written(write, run_of(results).model_copy(update={"dataset_name": key}), results)
    root = fromstring(text.encode())
    case = next(root.iter("testcase"))
    assert case.get("name") == clean(key)
    assert (case.findtext("system-out") or "") == clean(output)


def clean(text: str) -> str:
    return "".join(character if allowed(ord(character)) else "\ufffd" for character in text)


def allowed(code: int) -> bool:
    return code in (9, 10, 13) or 32 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or code >= 0x10000


async def test_long_outputs_are_cut() -> None:
    results = [answered("a", "x" * 50_000, score(True))]
    assert "x… (50,000 characters)" in await written(write, run_of(results), results)
    assert len(await written(write, run_of(results), results)) < 15_000


async def test_a_run_without_figures_is_refused() -> None:
    with pytest.raises(Conflict, match="run run-1 has no figures yet"):
        await written(write, run_of([]).model_copy(update={"summary": None}), [])
