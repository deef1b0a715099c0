"""Evaluators bound to datasets."""

from typing import Any

import pytest

from aloi.core.binding import Binding
from aloi.core.errors import InvalidInput, NotFound, Stale
from aloi.core.identity import etag
from aloi.core.misfit import Misfit
from aloi.service import binding, datasets, saved_evaluators
from aloi.service.context import Context
from tests.service.started_runs import prompts, save

PARIS: dict[str, Any] = {"kind": "contains", "text": "Paris"}
ABSENT = "00000000-0000-7000-8000-00000000dead"


async def test_they_replace_what_was_bound(context: Context) -> None:
    dataset_id = await save(context, prompts(1))
    saved = await saved_evaluators.create(context, {"name": "capital", "spec": PARIS})
    given: list[Any] = [{"evaluator_id": saved.id, "weight": 0}, {**PARIS, "name": "capital"}]
    changed = await binding.bind(context, dataset_id, given)
    assert [(bound.name, bound.weight, bound.evaluator_id) for bound in changed.bindings] == [
        ("capital", 0, saved.id),
        ("capital-2", 1, None),
    ]
    assert await datasets.read(context, dataset_id) == changed


async def test_a_tag_that_is_old(context: Context) -> None:
    dataset_id = await save(context, prompts(1))
    tag = etag((await datasets.read(context, dataset_id)).edited())
    await binding.bind(context, dataset_id, [PARIS], tag)
    with pytest.raises(Stale):
        await binding.bind(context, dataset_id, [], tag)


async def test_no_such_dataset_and_no_such_evaluator(context: Context) -> None:
    with pytest.raises(NotFound):
        await binding.bind(context, ABSENT, [])
    dataset_id = await save(context, prompts(1))
    with pytest.raises(Misfit, match="/0/evaluator_id: there is no saved evaluator"):
        await binding.bind(context, dataset_id, [{"evaluator_id": ABSENT}])
    async with context.database.transaction() as tx:
        with pytest.raises(InvalidInput, match="evaluator 'old': there is no saved evaluator"):
            await binding.resolved(context, tx, [Binding(name="old", spec=PARIS, evaluator_id=ABSENT)])


@pytest.mark.parametrize(
    ("fields", "taken"),
    [
        (PARIS, PARIS),
        ({"name": None, "spec": PARIS, "kind": None}, {"name": "contains", "spec": PARIS}),
        ({"name": "x", "weight": 2, "spec": PARIS}, {"name": "x", "weight": 2, "spec": PARIS}),
        ({"kind": "contains", "text": None, "name": None}, {"kind": "contains", "text": None}),
        ({"spec": {}}, {"spec": {}}),
    ],
)
def test_forms_of_writing(fields: Any, taken: Any) -> None:
    assert binding.written(fields) == taken
    assert binding.spec_place(fields) == (("spec",) if "spec" in fields else ())
