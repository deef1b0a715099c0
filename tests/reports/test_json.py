"""The JSON report has everything, and gives back the values it was made of."""

import json

from hypothesis import given

from aloi.core.result import CaseResult
from aloi.core.run import Run
from aloi.core.summary import Summary
from aloi.core.wording import headline
from aloi.reports.json import write
from tests.reports.runs import ANY_TEXT, answered, run_of, score, some, written


async def test_everything_is_in_it() -> None:
    run = run_of(some())
    report = json.loads(await written(write, run, some()))
    assert list(report) == ["headline", "run", "summary", "results"]
    assert [CaseResult.model_validate(result) for result in report["results"]] == some()
    summary = Summary.model_validate(report["summary"])
    assert report["headline"] == headline(summary)
    assert Run.model_validate(report["run"]).model_copy(update={"summary": summary}) == run


async def test_a_run_without_figures_or_results() -> None:
    report = json.loads(await written(write, run_of([]).model_copy(update={"summary": None}), []))
    assert (report["headline"], report["summary"], report["results"]) == (None, None, [])


@given(ANY_TEXT)
async def test_any_text_comes_back(text: str) -> None:
    results = [answered("k", {"a": [text]}, score(True, text))]
    encoded = (await written(write, run_of(results), results)).encode()
    (result,) = json.loads(encoded)["results"]
    assert result["outcome"]["output"] == {"a": [text]}


async def test_non_ascii_is_kept_and_numbers_that_json_lacks_are_null() -> None:
    results = [answered("été", {"a": [float("nan"), float("inf"), 1.5]}, score(True))]
    text = await written(write, run_of(results), results)
    assert '"été"' in text
    assert json.loads(text)["results"][0]["outcome"]["output"] == {"a": [None, None, 1.5]}
