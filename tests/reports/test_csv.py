"""The CSV report has one row per result, and no cell that a spreadsheet would run."""

import csv
import io

import pytest
from hypothesis import given

from aloi.reports.csv import COLUMNS, write
from tests.reports.runs import ANY_TEXT, answered, labelled, run_of, score, some, written


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


async def test_one_row_per_result() -> None:
    good, bad, slow, split, odd = rows(await written(write, run_of(some()), some()))
    assert tuple(good) == COLUMNS
    assert (good["key"], good["trial"], good["verdict"], good["score"], good["output"]) == (
        "good",
        "1",
        "pass",
        "1.0",
        "Paris",
    )
    assert bad["explanation"] == "contains: fail (0): no Paris in Rome\nlatency: fail (0), informs only: long"
    assert (slow["output"], slow["failure_stage"], slow["failure_type"]) == ("", "invoke", "timeout")
    assert slow["explanation"] == "invoke timeout: no answer within 30 s"
    assert (split["output"], split["judge_disagreed"], split["judge_tokens"]) == ('{"answer": "été"}', "true", "330")
    assert (odd["verdict"], odd["failure_message"], odd["score"]) == ("error", "judge sample 2 of 3: no verdict", "")
    assert (good["latency_seconds"], good["input_tokens"], good["cost"], good["carried_over"]) == (
        "1.25",
        "10",
        "0.001",
        "false",
    )


async def test_the_label_stands_beside_the_verdict() -> None:
    results = [labelled(answered("a", "x", score(True)), "=bad"), answered("b", "x", score(True))]
    first, second = rows(await written(write, run_of(results), results))
    assert (first["verdict"], first["label"], first["label_note"], first["labelled_by"]) == (
        "pass",
        "fail",
        "'=bad",
        "ann",
    )
    assert (second["label"], second["label_note"], second["labelled_by"]) == ("", "", "")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
async def test_formulas_are_guarded(start: str) -> None:
    results = [answered(f"{start}k", f"{start}cmd", score(False))]
    (row,) = rows(await written(write, run_of(results), results))
    assert (row["key"], row["output"]) == (f"'{start}k", f"'{start}cmd")


async def test_numbers_are_no_formulas() -> None:
    result = answered("k", -5, score(True))
    text = await written(write, run_of([result]), [result])
    assert rows(text)[0]["output"] == "'-5"
    assert rows(text)[0]["score"] == "1.0"


@given(ANY_TEXT)
async def test_any_text_is_one_cell(text: str) -> None:
    results = [answered("k", text, score(True, text))]
    (row,) = rows((await written(write, run_of(results), results)).encode().decode())
    assert row["output"].removeprefix("'") == text.replace("\ud800", "\ufffd").removeprefix("'")
