"""The JSON report has everything, and gives back the values it was made of."""

import json

from hypothesis import given

from aloi.core.label import LabelledResult
from aloi.core.run import Run
from aloi.core.summary import Summary
from aloi.core.wording import headline
from aloi.reports.json import write
from tests.reports.runs import ANY_TEXT, answered, labelled, run_of, score, some, written


async def test_everything_is_in_it() -> None:
    run = run_of(some())
    report = json.loads(await written(write, run, some()))
    assert list(report) == ["headline", "run", "summary", "results"]
    found = [LabelledResult.model_validate(result) for result in report["results"]]
    assert found == [LabelledResult(**dict(result)) for result in some()]
    summary = Summary.model_validate(report["summary"])
    assert report["headline"] == headline(summary)
    assert Run.model_validate(report["run"]).model_copy(update={"summary": summary}) == run


async def test_a_run_without_figures_or_results() -> None:
    report = json.loads(await written(write, run_of([]).model_copy(update={"summary": None}), []))
    assert (report["headline"], report["summary"], report["results"]) == (None, None, [])


async def test_each_result_has_its_label_or_null() -> None:
    results = [labelled(answered("a", "x", score(True))), answered("b", "x", score(True))]
    first, second = json.loads(await written(write, run_of(results), results))["results"]
    assert (first["label"]["verdict"], first["label"]["note"], first["label"]["by"]) == ("fail", "so it is", "ann")
    assert second["label"] is None


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
