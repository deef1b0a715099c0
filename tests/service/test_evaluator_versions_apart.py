"""Evaluations live apart from the target: whatever changes in them, no version of it is made, and no history changes.

What a run was graded with is told as it was, also when the evaluators and the dataset are gone.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aloi.core.binding import Binding
from aloi.core.listing import CaseFilter
from aloi.core.result import CaseResult
from aloi.core.run import Run, TargetVersion
from aloi.core.saved_evaluator import EvaluatorVersion, SavedEvaluator
from aloi.service import binding, cases, datasets, evaluator_versions, runs, saved_evaluators, versions
from aloi.service.context import Context
from aloi.settings import Settings
from aloi.store import revisions
from tests.service.started_runs import finished, prompts, results_of, save, start
from tests.store.backends import BACKENDS, fresh

SIMULATED: dict[str, Any] = {"search": {"kind": "static", "answers": [{"output": "found"}]}}
Grades = tuple[tuple[Binding, ...], dict[str, CaseResult], str, list[str]]


async def answer(given_: Any) -> str:
    """A target that always says the same."""
    return "ok"


def saying(text: str) -> dict[str, Any]:
    return {"kind": "contains", "text": text}


@dataclass
class Suite:
    """A target with a dataset, two evaluators and what was noted of all of it so far."""

    context: Context
    dataset_id: str
    first: SavedEvaluator
    second: SavedEvaluator
    versions: list[TargetVersion] = field(default_factory=list[TargetVersion])
    graded: dict[str, Grades] = field(default_factory=dict[str, Grades])
    history: dict[str, list[EvaluatorVersion]] = field(default_factory=dict[str, list[EvaluatorVersion]])
    count: int = 0

    def next(self) -> int:
        """A number that was not used yet."""
        self.count += 1
        return self.count


async def suite(context: Context) -> Suite:
    dataset_id = await save(context, prompts(2), [])
    first, second = [
        await saved_evaluators.create(context, {"name": name, "spec": saying("ok")}) for name in ("first", "second")
    ]
    await binding.bind(context, dataset_id, [{"evaluator_id": first.id}])
    made = Suite(context, dataset_id, first, second)
    await run_it(made)
    made.versions = await all_versions(made)
    return made


async def all_versions(suite: Suite) -> list[TargetVersion]:
    return list((await versions.listing(suite.context, "target", 1, 100)).items)


async def run_it(suite: Suite) -> None:
    """A run, with all that it was graded with as it is told at its end."""
    run = await finished(suite.context, await start(suite.context, answer))
    suite.graded[run.id] = await told(suite, run)


async def told(suite: Suite, run: Run) -> Grades:
    async with suite.context.database.read() as rx:
        revision = await revisions.get(rx, run.spec.revision_id)
        frozen = [case.model_dump_json() for _, case in await revisions.cases(rx, revision.id)]
    bound = await evaluator_versions.of_run(suite.context, run.id)
    return bound, await results_of(suite.context, run), revision.content_hash, frozen


async def edit_evaluator(suite: Suite) -> None:
    text = ("ok", "no")[suite.next() % 2]
    await saved_evaluators.update(suite.context, suite.first.id, {"spec": saying(text), "note": f"now {text}"})


async def rename_evaluator(suite: Suite) -> None:
    await saved_evaluators.update(suite.context, suite.first.id, {"name": f"first {suite.next()}"})


async def restore_evaluator(suite: Suite) -> None:
    await evaluator_versions.restore(suite.context, suite.first.id, 1)


async def bind_both(suite: Suite) -> None:
    given_: list[Any] = [{"evaluator_id": suite.first.id, "weight": suite.next()}, {"evaluator_id": suite.second.id}]
    await binding.bind(suite.context, suite.dataset_id, given_)


async def bind_one(suite: Suite) -> None:
    await binding.bind(suite.context, suite.dataset_id, [{"evaluator_id": suite.first.id}])


async def add_case(suite: Suite) -> None:
    await cases.create(suite.context, suite.dataset_id, {"prompt": f"more {suite.next()}"})


async def edit_case(suite: Suite) -> None:
    [case] = (await cases.page(suite.context, suite.dataset_id, CaseFilter(), 1, 1)).items
    number = suite.next()
    changes: dict[str, Any] = {"prompt": f"other {number}", "expected_output": {"number": number}}
    await cases.update(suite.context, suite.dataset_id, case.id, changes)


async def change_dataset(suite: Suite) -> None:
    number = suite.next()
    changes: dict[str, Any] = {"description": f"{number}", "judge_samples": 1 + number % 5, "name": "data"}
    await datasets.update(suite.context, suite.dataset_id, changes)


async def change_simulations(suite: Suite) -> None:
    simulations = SIMULATED if suite.next() % 2 else {}
    await datasets.update(suite.context, suite.dataset_id, {"simulations": simulations})


Step = Callable[[Suite], Awaitable[None]]
STEPS: Sequence[Step] = (
    edit_evaluator,
    rename_evaluator,
    restore_evaluator,
    bind_both,
    bind_one,
    add_case,
    edit_case,
    change_dataset,
    change_simulations,
)


async def check(suite: Suite) -> None:
    """No version of the target is new, each run tells what it told, and versions of evaluators were only added."""
    assert await all_versions(suite) == suite.versions
    for run_id, before in suite.graded.items():
        assert await told(suite, await runs.get(suite.context, run_id)) == before
    for saved in (suite.first, suite.second):
        found = (await evaluator_versions.listing(suite.context, saved.id, 1, 200)).items[::-1]
        known = suite.history.get(saved.id, [])
        assert list(found[: len(known)]) == known
        assert [version.number for version in found] == list(range(1, len(found) + 1))
        suite.history[saved.id] = list(found)


async def delete_all(suite: Suite) -> None:
    """First the dataset, which binds the evaluators."""
    await datasets.delete(suite.context, suite.dataset_id)
    for saved in (suite.first, suite.second):
        await saved_evaluators.delete(suite.context, saved.id)


@pytest.fixture(params=BACKENDS)
async def opened(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Context]:
    """An open context over each kind of database."""
    async with fresh(request, tmp_path) as address:
        context = await Context.open(Settings(home=tmp_path, database_url=address), {})
        yield context
        await context.close()


async def test_each_kind_of_change(opened: Context) -> None:
    made = await suite(opened)
    for step in STEPS:
        await step(made)
        await run_it(made)
        await check(made)
    assert len({grades[2] for grades in made.graded.values()}) > len(STEPS) // 2
    await delete_all(made)
    await check(made)


@given(st.lists(st.sampled_from((*STEPS, run_it, run_it)), max_size=14))
@settings(max_examples=12, deadline=None)
def test_whatever_changes_in_whatever_order(steps: list[Step]) -> None:
    async def all_of_them() -> None:
        with tempfile.TemporaryDirectory() as home:
            context = await Context.open(Settings(home=Path(home)), {})
            made = await suite(context)
            for step in steps:
                await step(made)
                await check(made)
            await delete_all(made)
            await check(made)
            await context.close()

    asyncio.run(all_of_them())
