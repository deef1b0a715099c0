"""Run A against run B, with what differs in how they were made."""

from aloi.core.comparison import Comparison, ConfigurationDifference, compare
from aloi.core.json_values import shortened
from aloi.core.run import Run, TargetVersion
from aloi.core.spec import JsonObject
from aloi.service.context import Context
from aloi.service.runs import get, revision_of
from aloi.store import result_pages, targets


async def compare_runs(context: Context, ref_a: str, ref_b: str) -> Comparison:
    """See `Client.compare`."""
    a, b = await get(context, ref_a), await get(context, ref_b)
    differences = await _differences(context, a, b)
    async with context.database.read() as rx:
        rows_a = [row async for row in result_pages.rows(rx, a.id)]
        rows_b = [row async for row in result_pages.rows(rx, b.id)]
    return compare(a.id, b.id, rows_a, rows_b, differences)


async def _differences(context: Context, a: Run, b: Run) -> tuple[ConfigurationDifference, ...]:
    """What differs, by name: target and its fields, evaluators, judge and samples, limits, dataset."""
    view_a, view_b = await _view(context, a), await _view(context, b)
    names = dict.fromkeys([*view_a, *view_b])
    return tuple(
        ConfigurationDifference(what=name, a=shortened(view_a.get(name)), b=shortened(view_b.get(name)))
        for name in names
        if view_a.get(name) != view_b.get(name)
    )


async def _view(context: Context, run: Run) -> JsonObject:
    async with context.database.read() as rx:
        version = await targets.version_by_id(rx, run.spec.target_version_id)
    revision = await revision_of(context, run)
    judge = run.spec.judge
    return {
        "dataset": run.dataset_name,
        "target": run.target,
        **_definition(version),
        "evaluators": [binding.model_dump(mode="json") for binding in revision.bindings],
        "judge": judge.model if judge else None,
        "judge address": judge.base_url if judge else None,
        "judge settings": judge.model_dump(mode="json")["settings"] if judge else None,
        "judge samples": judge.samples if judge else None,
        "judge prompts": dict(run.spec.judge_prompts),
        "trials": run.spec.limits.trials,
    }


def _definition(version: TargetVersion) -> JsonObject:
    """The fields of a target, and what else decides how it behaves (a source's hash, say)."""
    return {f"target {name}": value for name, value in {**version.definition, **version.fingerprint}.items()}
