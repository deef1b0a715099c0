"""How far a run got: what is done, what was invoked and still wants grading, what was spent."""

from collections.abc import Mapping
from typing import NamedTuple

from aloi.core.errors import NotFound
from aloi.core.run import Run
from aloi.core.simulation import Simulations
from aloi.core.spec import JsonObject
from aloi.core.usage import NO_USAGE, Usage
from aloi.runner.task import Place
from aloi.service.context import Context
from aloi.service.running.frozen import placed_cases
from aloi.store import outcomes, result_pages, results, runs


class Head(NamedTuple):
    """Where work on a run begins: places that are done, executions that want grading, and what the run used so far."""

    done: frozenset[Place] = frozenset()
    ungraded: Mapping[Place, str] = {}
    spent: Usage = NO_USAGE


async def head_of(context: Context, run: Run) -> Head:
    """What is stored of a run; of one that grades its parent's outcomes, those outcomes."""
    async with context.database.read() as rx:
        done = frozenset(Place(*place) for place in await results.done(rx, run.id))
        waiting = {Place(e.position, e.trial): e.execution_id for e in await outcomes.ungraded(rx, run.id)}
        spent = NO_USAGE
        async for row in result_pages.rows(rx, run.id):
            if not row.carried_over:
                spent += row.judge_usage if run.spec.regrades else row.usage + row.judge_side
        for outcome in await outcomes.used_waiting(rx, run.id):
            spent += outcome.usage + outcome.simulation_usage
    if run.spec.regrades:
        waiting = {place: e for place, e in (await _earlier(context, run)).items() if place not in done}
    return Head(done, waiting, spent)


async def _earlier(context: Context, run: Run) -> dict[Place, str]:
    """The executions that a run grades anew, at their places in it.

    They are its parent's; where that one graded anew too and stopped before its end, those behind it.
    """
    known: dict[str, KnownCase] = {}
    source: Run | None = run
    while source is not None and source.spec.regrades:
        source = await _parent(context, source)
        if source is not None:
            known = {**await outcomes_by_key(context, source), **known}
    return {
        Place(position, trial): execution
        async for position, case in placed_cases(context, run.spec.revision_id, run.spec.case_keys)
        if case.key in known
        for trial, execution in enumerate(known[case.key].executions)
    }


async def _parent(context: Context, run: Run) -> Run | None:
    """The run that this one was made of; null when it was deleted."""
    try:
        async with context.database.read() as rx:
            return await runs.get(rx, run.spec.parent_id or "")
    except NotFound:
        return None


class KnownCase(NamedTuple):
    """A case of a run: its input, what stood in while it ran, and its executions by trial."""

    input: str | JsonObject
    simulations: Simulations
    executions: tuple[str, ...]


async def outcomes_by_key(context: Context, run: Run) -> dict[str, KnownCase]:
    """What a run knows of each case that it finished in all its trials."""
    async with context.database.read() as rx:
        stored = {Place(e.position, e.trial): e.execution_id for e in await outcomes.graded(rx, run.id)}
    trials = range(run.spec.limits.trials)
    known: dict[str, KnownCase] = {}
    async for position, case in placed_cases(context, run.spec.revision_id, run.spec.case_keys):
        executions = [stored[place] for trial in trials if (place := Place(position, trial)) in stored]
        if len(executions) == len(trials):
            known[case.key] = KnownCase(case.input, case.simulations, tuple(executions))
    return known
