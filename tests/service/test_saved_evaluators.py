"""Saved evaluators, and how a change reaches the datasets and the runs."""

from typing import Any

import pytest

from aloi.core.errors import Conflict
from aloi.core.listing import EvaluatorFilter
from aloi.service import binding, datasets, saved_evaluators
from aloi.service.context import Context
from tests.service.started_runs import finished, prompts, results_of, save, start

OK: dict[str, Any] = {"kind": "contains", "text": "ok"}


async def answer(given: Any) -> str:
    """A target that always says the same."""
    return "ok"


async def test_a_run_grades_by_what_is_saved_at_its_start(context: Context) -> None:
    dataset_id = await save(context, prompts(1))
    saved = await saved_evaluators.create(context, {"name": "answer", "spec": OK})
    await binding.bind(context, dataset_id, [{"evaluator_id": saved.id}])
    before = await finished(context, await start(context, answer))
    await saved_evaluators.update(context, saved.id, {"name": "new", "spec": {**OK, "text": "no"}})
    after = await finished(context, await start(context, answer))
    for run, name, verdict in ((before, "answer", "pass"), (after, "new", "fail")):
        [score] = (await results_of(context, run))["k0"].scores
        assert (score.evaluator, score.verdict) == (name, verdict)


async def test_saving_it_does_not_make_another_revision(context: Context) -> None:
    dataset_id = await save(context, prompts(1), [{**OK, "name": "answer"}])
    inline = await start(context, answer)
    saved = await saved_evaluators.create(context, {"name": "answer", "spec": OK})
    await binding.bind(context, dataset_id, [{"evaluator_id": saved.id}])
    bound = await start(context, answer)
    assert bound.spec.revision_id == inline.spec.revision_id
    await finished(context, inline)
    await finished(context, bound)


async def test_a_refused_change_changes_nothing(context: Context) -> None:
    saved = await saved_evaluators.create(context, {"name": "answer", "spec": OK})
    for name in ("a", "b"):
        dataset_id = await save(context, prompts(1), name=name)
        others: list[Any] = [{**OK, "name": "taken"}] if name == "b" else []
        await binding.bind(context, dataset_id, [{"evaluator_id": saved.id}, *others])
    before = [await datasets.get(context, name) for name in ("a", "b")]
    with pytest.raises(Conflict, match="'b' has another evaluator named 'taken'"):
        await saved_evaluators.update(context, saved.id, {"name": "taken"})
    assert [await datasets.get(context, name) for name in ("a", "b")] == before
    assert (await saved_evaluators.read(context, saved.id)).name == "answer"
    assert (await saved_evaluators.page(context, EvaluatorFilter(), 1, 9)).items[0].datasets == 2
    with pytest.raises(Conflict, match="bound to datasets: a, b"):
        await saved_evaluators.delete(context, saved.id)
