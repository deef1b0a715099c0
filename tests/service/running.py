"""Shortcuts for tests that start runs over the service layer."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.result import CaseResult
from aloi.core.run import Run, RunLimits, RunRequest
from aloi.service import datasets, runs, targets
from aloi.service.context import Context
from aloi.service.exporting import every_result
from aloi.targets.python import Python

CONTAINS = ({"kind": "contains", "text": "ok"},)


async def each(cases: Sequence[dict[str, Any]]) -> AsyncIterator[Case]:
    """The cases as a client gives them."""
    for case in cases:
        yield Case.model_validate(case)


def prompts(number: int) -> list[dict[str, Any]]:
    """So many cases with keys k0, k1, ..."""
    return [{"key": f"k{n}", "prompt": f"prompt {n}"} for n in range(number)]


async def save(
    context: Context,
    cases: Sequence[dict[str, Any]],
    evaluators: Sequence[dict[str, Any]] = CONTAINS,
    name: str = "data",
    **options: Any,
) -> str:
    """Save a dataset whose cases are exactly these; its id."""
    bindings = [Binding.model_validate(spec) for spec in evaluators]
    options.setdefault("replace", True)
    return (await datasets.save(context, name, each(cases), bindings, **options)).dataset_id


async def start(context: Context, target: Callable[..., Any], dataset: str = "data", **options: Any) -> Run:
    """Start a run of a callable on a saved dataset."""
    keys = options.pop("case_keys", None)
    version = await targets.save(context, "target", Python.of(target))
    limits = RunLimits.model_validate(options)
    request = RunRequest(target_version_id=version.id, dataset=dataset, limits=limits, case_keys=keys)
    return await runs.start(context, request)


async def finished(context: Context, run: Run) -> Run:
    """The run when it is finished; at most ten seconds."""
    return await runs.wait(context, run.id, 10)


async def results_of(context: Context, run: Run) -> dict[str, CaseResult]:
    """The results of a run's first trials by case key."""
    return {result.case_key: result async for result in every_result(context, run.id) if result.trial == 0}
