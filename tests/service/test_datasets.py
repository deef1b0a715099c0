"""Datasets: saving, listing, reading."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from aloi.core.case import Case
from aloi.core.errors import InvalidInput, NotFound, NotPermitted
from aloi.service import datasets
from aloi.service.context import Context
from aloi.settings import Settings
from tests.service.started_runs import each, prompts, save


async def keys(context: Context, name: str = "data") -> list[str]:
    return [case.key async for case in datasets.cases(context, name)]


async def test_a_new_dataset(context: Context) -> None:
    saved = await datasets.save(context, "data", each(prompts(3)))
    assert (saved.dataset_name, saved.given, saved.before, saved.after) == ("data", 3, 0, 3)
    dataset = await datasets.get(context, "data")
    assert (dataset.id, dataset.name, dataset.judge_samples, dataset.bindings) == (saved.dataset_id, "data", 1, ())
    assert await datasets.get(context, saved.dataset_id) == dataset
    assert await keys(context) == ["k0", "k1", "k2"]


async def test_cases_are_matched_by_key_and_the_others_stay(context: Context) -> None:
    await save(context, prompts(3))
    saved = await save_more(context, [{"key": "k1", "prompt": "changed"}, {"key": "new", "prompt": "x"}])
    assert (saved.given, saved.before, saved.after) == (2, 3, 4)
    found = {case.key: case.input async for case in datasets.cases(context, "data")}
    assert found == {"k0": "prompt 0", "k1": "changed", "k2": "prompt 2", "new": "x"}


async def save_more(context: Context, cases: list[dict[str, Any]], **options: Any) -> Any:
    return await datasets.save(context, "data", each(cases), **options)


async def test_replace_leaves_just_what_is_given(context: Context) -> None:
    await save(context, prompts(3))
    saved = await save_more(context, prompts(2)[::-1], replace=True)
    assert (saved.before, saved.after) == (3, 2)
    assert await keys(context) == ["k1", "k0"]


async def test_what_is_not_given_stays(context: Context) -> None:
    await save(context, prompts(1), judge_samples=3)
    await save_more(context, prompts(2))
    dataset = await datasets.get(context, "data")
    assert (dataset.judge_samples, [binding.name for binding in dataset.bindings]) == (3, ["contains"])
    await save_more(context, prompts(2), bindings=(), judge_samples=5)
    dataset = await datasets.get(context, "data")
    assert (dataset.judge_samples, dataset.bindings) == (5, ())


async def test_all_or_nothing(context: Context) -> None:
    async def broken() -> AsyncIterator[Case]:
        for position in range(700):
            yield Case(key=f"k{position}", input="x")
        raise InvalidInput("data.csv:702: the cell is not JSON")

    await save(context, prompts(1))
    before = await datasets.get(context, "data")
    with pytest.raises(InvalidInput, match="702"):
        await datasets.save(context, "data", broken(), bindings=(), judge_samples=5, replace=True)
    assert await keys(context) == ["k0"]
    assert await datasets.get(context, "data") == before
    with pytest.raises(InvalidInput):
        await datasets.save(context, "other", broken())
    assert [entry.name for entry in await datasets.listing(context)] == ["data"]


async def test_a_key_that_is_given_twice_is_refused(context: Context) -> None:
    with pytest.raises(InvalidInput, match="'k0' is used twice"):
        await save_more(context, [*prompts(1), *prompts(1)])
    with pytest.raises(NotFound):
        await datasets.get(context, "data")


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("", {}, "name"),
        ("x" * 201, {}, "name"),
        ("data", {"judge_samples": 6}, "judge_samples"),
        ("data", {"judge_samples": 0}, "judge_samples"),
    ],
)
async def test_what_does_not_fit_is_named(context: Context, name: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=f"the dataset .* does not fit: {said}"):
        await datasets.save(context, name, each(prompts(1)), **options)


async def test_bad_evaluators_are_refused_before_anything_is_stored(context: Context) -> None:
    with pytest.raises(InvalidInput, match="txet"):
        await save(context, prompts(1), evaluators=[{"kind": "contains", "txet": "a"}])
    context.settings = Settings(home=context.settings.home, allow_code=False)
    with pytest.raises(NotPermitted):
        await save(context, prompts(1), evaluators=[{"kind": "python", "function": "a:b"}])
    assert await datasets.listing(context) == []


async def test_the_list_has_the_last_changed_first(context: Context) -> None:
    for name, number in (("a", 1), ("b", 2), ("c", 3), ("a", 4)):
        await save(context, prompts(number), name=name)
    assert [(entry.name, entry.case_count) for entry in await datasets.listing(context)] == [
        ("a", 4),
        ("c", 3),
        ("b", 2),
    ]


@pytest.mark.parametrize("name", ["nope", ""])
async def test_an_unknown_dataset(context: Context, name: str) -> None:
    with pytest.raises(NotFound, match="aloi datasets list"):
        await datasets.get(context, name)
    with pytest.raises(NotFound):
        await keys(context, name)


@pytest.mark.parametrize("text", ["nul \0 nul", "😀 é ü", "x" * 1_000_000, "a\r\nb\t", " "])
async def test_odd_texts_come_back_as_they_were(context: Context, text: str) -> None:
    await save(context, [{"key": "k", "prompt": text, "expected_output": {text[:50]: [text]}, "tags": [text]}])
    [case] = [case async for case in datasets.cases(context, "data")]
    assert (case.input, case.expected_output, case.tags) == (text, {text[:50]: [text]}, (text,))
