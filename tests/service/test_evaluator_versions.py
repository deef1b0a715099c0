"""Versions of saved evaluators: what makes one, what brings one back, and which of them graded a run."""

from typing import Any

import pytest

from aloi.core.binding import Binding
from aloi.core.errors import NotFound, Stale
from aloi.core.identity import etag
from aloi.core.run import RunRequest
from aloi.core.saved_evaluator import EvaluatorVersion
from aloi.core.score import Verdict
from aloi.core.spec import JsonObject
from aloi.service import again, binding, comparing, evaluator_versions, runs, saved_evaluators
from aloi.service.context import Context
from tests.service.started_runs import finished, prompts, save, start

OK: dict[str, Any] = {"kind": "contains", "text": "ok"}
NO: dict[str, Any] = {"kind": "contains", "text": "no"}


async def answer(given: Any) -> str:
    """A target that always says the same."""
    return "ok"


async def history(context: Context, evaluator_id: str) -> list[EvaluatorVersion]:
    """All versions, the first first."""
    return list(reversed((await evaluator_versions.listing(context, evaluator_id, 1, 100)).items))


async def test_only_another_spec_is_a_new_version(context: Context) -> None:
    saved = await saved_evaluators.create(context, {"name": "answer", "spec": {**OK, "ignore_case": True}})
    no_changes: list[JsonObject] = [
        {"name": "new"},
        {"description": "Why"},
        {"spec": {"ignore_case": True, **OK}},
        {"note": "None"},
    ]
    for changes in no_changes:
        assert (await saved_evaluators.update(context, saved.id, changes)).version == 1
    changed = await saved_evaluators.update(context, saved.id, {"spec": NO, "note": "Stricter"})
    assert changed.version == 2
    first, second = await history(context, saved.id)
    assert (first.number, first.spec, first.note) == (1, saved.spec, "")
    assert (second.number, second.spec, second.note) == (2, NO, "Stricter")
    assert (second.created_by, second.created_at) == (context.principal.name, changed.updated_at)
    assert await evaluator_versions.get(context, saved.id, 1) == first


async def test_a_threshold_of_1_is_one_of_1_0(context: Context) -> None:
    """What a browser sends back for 1.0 changes neither the version nor what runs freeze."""
    spec: JsonObject = {"kind": "json_similarity", "expected": 4, "threshold": 1.0}
    saved = await saved_evaluators.create(context, {"name": "answer", "spec": spec})
    changed = await saved_evaluators.update(context, saved.id, {"spec": {**spec, "threshold": 1}, "description": "x"})
    assert changed.version == 1
    assert isinstance(changed.spec["threshold"], float)


async def test_restored(context: Context) -> None:
    saved = await saved_evaluators.create(context, {"name": "answer", "spec": OK, "description": "Why"})
    dataset_id = await save(context, prompts(1))
    await binding.bind(context, dataset_id, [{"evaluator_id": saved.id, "weight": 2}])
    second = await saved_evaluators.update(context, saved.id, {"spec": NO})
    with pytest.raises(Stale):
        await evaluator_versions.restore(context, saved.id, 1, etag(saved.edited()))
    third = await evaluator_versions.restore(context, saved.id, 1, etag(second.edited()))
    assert (third.version, third.spec, third.description) == (3, OK, "Why")
    assert [(one.number, one.spec, one.restores) for one in await history(context, saved.id)] == [
        (1, OK, None),
        (2, NO, None),
        (3, OK, 1),
    ]
    assert (await evaluator_versions.restore(context, saved.id, 3)).version == 3
    assert (await evaluator_versions.restore(context, saved.id, 1)).version == 3
    for absent in (4, 0):
        with pytest.raises(NotFound, match=f"no version {absent}"):
            await evaluator_versions.restore(context, saved.id, absent)
    [bound] = (await bound_in_a_run(context)).values()
    assert bound == Binding(name="answer", weight=2, spec=OK, evaluator_id=saved.id, version=3)


async def bound_in_a_run(context: Context) -> dict[str, Binding]:
    run = await finished(context, await start(context, answer))
    return {bound.name: bound for bound in await evaluator_versions.of_run(context, run.id)}


async def test_a_run_tells_its_version_though_its_revision_is_shared(context: Context) -> None:
    dataset_id = await save(context, prompts(1), [{**OK, "name": "answer"}, {**OK, "name": "own"}])
    found = [await finished(context, await start(context, answer))]
    saved = await saved_evaluators.create(context, {"name": "answer", "spec": OK})
    await binding.bind(context, dataset_id, [{"evaluator_id": saved.id}, {**OK, "name": "own"}])
    found.append(await finished(context, await start(context, answer)))
    await saved_evaluators.update(context, saved.id, {"spec": NO})
    found.append(await finished(context, await start(context, answer)))
    await evaluator_versions.restore(context, saved.id, 1)
    found.append(await finished(context, await start(context, answer)))
    versions = [[bound.version for bound in await evaluator_versions.of_run(context, run.id)] for run in found]
    assert versions == [[None, None], [1, None], [2, None], [3, None]]
    assert len({run.spec.revision_id for run in found}) == 2
    retried = await finished(context, await again.retry(context, found[2].id, [Verdict.FAIL, Verdict.PASS]))
    assert [bound.version for bound in await evaluator_versions.of_run(context, retried.id)] == [2, None]
    regraded = await finished(context, await again.regrade(context, found[2].id))
    assert [bound.version for bound in await evaluator_versions.of_run(context, regraded.id)] == [3, None]
    differences = (await comparing.compare_runs(context, found[1].id, found[2].id)).configuration
    assert [(one.what, one.a, one.b) for one in differences if one.what == "evaluator versions"] == [
        ("evaluator versions", '{"answer": 1}', '{"answer": 2}')
    ]
    with pytest.raises(NotFound):
        await evaluator_versions.of_run(context, saved.id)


async def test_a_version_that_a_caller_claims_is_looked_up(context: Context) -> None:
    """A run with evaluators of its own cannot say that it was graded by what did not grade it."""
    await save(context, prompts(1))
    saved = await saved_evaluators.create(context, {"name": "answer", "spec": NO})
    await saved_evaluators.update(context, saved.id, {"spec": OK})
    run = await start(context, answer)
    claims = [
        Binding(name="a", spec=OK, evaluator_id=saved.id, version=1),
        Binding(name="b", spec={**OK, "negate": True}, evaluator_id=saved.id, version=2),
    ]
    request = RunRequest(target_version_id=run.spec.target_version_id, dataset="data", evaluators=tuple(claims))
    claimed = await finished(context, await runs.start(context, request))
    assert [bound.version for bound in await evaluator_versions.of_run(context, claimed.id)] == [2, None]
    await finished(context, run)


async def test_they_outlive_their_evaluator(context: Context) -> None:
    saved = await saved_evaluators.create(context, {"name": "answer", "spec": OK})
    await saved_evaluators.update(context, saved.id, {"spec": NO})
    before = await history(context, saved.id)
    await saved_evaluators.delete(context, saved.id)
    assert await history(context, saved.id) == before
    assert await evaluator_versions.get(context, saved.id, 2) == before[1]
    with pytest.raises(NotFound):
        await evaluator_versions.restore(context, saved.id, 1)
    with pytest.raises(NotFound):
        await evaluator_versions.listing(context, "x", 1, 9)
