"""Run A against run B, with what differs in how they were made."""

import asyncio

from pydantic import JsonValue

from aloi.core.comparison import Comparison, ConfigurationDifference, compare
from aloi.core.json_values import text_of
from aloi.core.run import Run, TargetVersion
from aloi.core.simulation import simulations_content
from aloi.core.spec import JsonObject
from aloi.service.context import Context
from aloi.service.runs import get, revision_of
from aloi.store import result_pages, run_cases, targets

TITLED = 200
TITLE_LENGTH = 200
# Characters of a value in the list of differences, and how many of them stand before the first that differs.
VALUE_LENGTH, LEAD_LENGTH = 300, 60


async def compare_runs(context: Context, ref_a: str, ref_b: str) -> Comparison:
    """See `Client.compare`."""
    a, b = await get(context, ref_a), await get(context, ref_b)
    differences = await _differences(context, a, b)
    async with context.database.read() as rx:
        rows_a = [row async for row in result_pages.rows(rx, a.id)]
        rows_b = [row async for row in result_pages.rows(rx, b.id)]
    # In a thread: tens of thousands of rows take a while, and other work of this process must go on.
    compared = await asyncio.to_thread(compare, a.id, b.id, rows_a, rows_b, differences)
    return compared.model_copy(update={"titles": await _titles(context, compared)})


async def _titles(context: Context, compared: Comparison) -> dict[str, str]:
    """Titles of what stands first in the lists; the thousands behind are told by their keys."""
    paired = [pair.case_key for pair in compared.pairs[:TITLED]]
    async with context.database.read() as rx:
        in_a = await run_cases.shown(rx, compared.run_a, {*paired, *compared.removed[:TITLED]})
        in_b = await run_cases.shown(rx, compared.run_b, set(compared.added[:TITLED]))
    return {key: case.name or one_line(case.input) for key, case in {**in_b, **in_a}.items()}


def one_line(given: str | JsonObject) -> str:
    """The beginning of an input, in one line."""
    return " ".join(text_of(given)[: 2 * TITLE_LENGTH].split())[:TITLE_LENGTH]


async def _differences(context: Context, a: Run, b: Run) -> tuple[ConfigurationDifference, ...]:
    """What differs, by name: target and its fields, evaluators, judge and samples, limits, dataset."""
    view_a, view_b = await _view(context, a), await _view(context, b)
    names = dict.fromkeys([*view_a, *view_b])
    return tuple(
        ConfigurationDifference(what=name, a=a, b=b)
        for name in names
        if view_a.get(name) != view_b.get(name)
        for a, b in [told_apart(view_a.get(name), view_b.get(name))]
    )


def told_apart(a: JsonValue, b: JsonValue) -> tuple[str, str]:
    """Two values that differ, as texts; long ones from shortly before the place where they begin to differ."""
    texts = ["" if value is None else text_of(value) for value in (a, b)]
    start = next((place for place, (x, y) in enumerate(zip(*texts, strict=False)) if x != y), min(map(len, texts)))
    if max(map(len, texts)) <= VALUE_LENGTH or start <= LEAD_LENGTH:
        start = LEAD_LENGTH
    return _cut(texts[0], start - LEAD_LENGTH), _cut(texts[1], start - LEAD_LENGTH)


def _cut(text: str, start: int) -> str:
    end = start + VALUE_LENGTH
    return f"{'…' if start else ''}{text[start:end]}{'…' if len(text) > end else ''}"


async def _view(context: Context, run: Run) -> JsonObject:
    async with context.database.read() as rx:
        version = await targets.version_by_id(rx, run.spec.target_version_id)
    revision = await revision_of(context, run)
    judge = run.spec.judge
    return {
        "dataset": run.dataset_name,
        "target": run.target,
        **_definition(version),
        "simulations": simulations_content(revision.simulations),
        "evaluators": [binding.content() for binding in revision.bindings],
        "evaluator versions": {saved.name: saved.version for saved in run.spec.saved_evaluators} or None,
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
