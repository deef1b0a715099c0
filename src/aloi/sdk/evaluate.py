"""Running cases against anything that answers."""

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from aloi.client import Client, connect
from aloi.client.paging import every
from aloi.core.case import Case
from aloi.core.dataset import keyed_once
from aloi.core.errors import AloiError, Conflict, InvalidInput
from aloi.core.result import CaseResult
from aloi.core.run import JudgeSpec, Run, RunLimits, RunRequest, RunStatus, TargetVersion
from aloi.core.score import Verdict
from aloi.core.spec import Value
from aloi.core.summary import Summary
from aloi.core.wording import headline
from aloi.sdk.blocking import finish
from aloi.sdk.given import (
    CaseLike,
    EvaluatorLike,
    JudgeLike,
    SimulationLike,
    TargetLike,
    as_binding,
    as_case,
    as_judge,
    as_limits,
    as_simulations,
    as_target,
    is_here_alone,
    name_of,
)
from aloi.sdk.recording import recorded
from aloi.sdk.suites import each, saved_target
from aloi.settings import read_settings

WAIT_SECONDS = 3600.0


class Report(Value):
    """What an evaluation came to. `str(report)` is "7/9 passed (95% CI 45–94%), 1 error"."""

    run: Run
    summary: Summary
    results: tuple[CaseResult, ...] = ()

    def __str__(self) -> str:
        return headline(self.summary)

    @property
    def failed(self) -> tuple[CaseResult, ...]:
        """The results that did not pass, errors included.

        Raises:
            InvalidInput: the report was made without results.
        """
        if self.summary.total and not self.results:
            raise InvalidInput("this report holds no results; evaluate with results=True, or see report.summary")
        return tuple(result for result in self.results if result.verdict is not Verdict.PASS)


async def evaluate(
    target: TargetLike,
    cases: Iterable[CaseLike],
    *,
    evaluators: Iterable[EvaluatorLike] = (),
    simulations: Mapping[str, SimulationLike] | None = None,
    allow_side_effects: bool = False,
    judge: JudgeLike | None = None,
    judge_samples: int | None = None,
    concurrency: int = 5,
    trials: int = 1,
    seconds_per_case: float = 300.0,
    max_cost: float | None = None,
    max_tokens: int | None = None,
    name: str | None = None,
    results: bool = True,
    client: Client | None = None,
) -> Report:
    """Run the cases against the target, grade them, store everything, and report.

    Args:
        target: a callable (sync or async, `input -> answer`), a spec such as `{"kind": "openai", ...}`, a `Target`, or
            the name of a saved one (`"support-agent@3"`).
        cases: mappings with at least `prompt` or `input`, or `Case` values.
        evaluators: specs such as `{"kind": "contains", "text": "Paris"}` that grade every case.
        simulations: by tool or step, what stands in: `{"lookup": {"kind": "static", "answers": [{"output": 42}]}}`.
        allow_side_effects: let what changes the world act for real where it is not simulated.
        judge: the grading model, `"openai:gpt-4o-mini"` or a spec; default `ALOI_JUDGE_MODEL`.
        judge_samples: how often each judge call is made, 1 to 5.
        concurrency, trials, seconds_per_case, max_cost, max_tokens: see `RunLimits`.
        name: of the dataset the cases are saved as; default the target's name.
        results: whether the report holds every result; false keeps memory flat for very large runs.
        client: an open client to use; default one made from the environment, closed afterwards.

    Raises:
        InvalidInput: a case, an evaluator or the target cannot be used; nothing was run.
        NotFound: there is no saved target of that name.
        NotPermitted: a target or an evaluator runs code, which `ALOI_ALLOW_CODE` does not allow.
        Conflict: the run failed, or was interrupted.
        StoreUnavailable, ServerUnavailable, NotSignedIn: the database or the server cannot be used.
    """
    limits = as_limits(concurrency, trials, seconds_per_case, max_cost, max_tokens)
    spec = as_judge(judge, judge_samples)
    bindings, stand_ins = [as_binding(evaluator) for evaluator in evaluators], as_simulations(simulations or {})
    async with _client(client) as door:
        given = _given(door, cases)
        version = await _saved(door, target, given, limits)
        samples = spec.samples if spec is not None and judge_samples is None else judge_samples
        request = _request(version, name, spec, limits, allow_side_effects)
        return await _report(door, await door.start_with(request, each(given), bindings, samples, stand_ins), results)


def evaluate_sync(target: TargetLike, cases: Iterable[CaseLike], **options: Any) -> Report:
    """`evaluate` for code that is not async; takes the same arguments. Works in notebooks as well."""
    return finish(evaluate(target, cases, **options))


def _given(client: Client, cases: Iterable[CaseLike]) -> Iterable[Case]:
    """The cases, each with a key of its own; all at once where they are sent to a server."""
    keyed = keyed_once(map(as_case, cases))
    return keyed if client.in_process else tuple(keyed)


def _request(
    version: TargetVersion, name: str | None, judge: JudgeSpec | None, limits: RunLimits, allow_side_effects: bool
) -> RunRequest:
    return RunRequest(
        target_version_id=version.id,
        dataset=version.target_name if name is None else name,
        judge=judge,
        limits=limits,
        allow_side_effects=allow_side_effects,
    )


async def _report(client: Client, run: Run, with_results: bool) -> Report:
    run = await _finished(client, run)
    if run.summary is None or run.status is RunStatus.FAILED:
        raise Conflict(f"run {run.id} {run.status}: {run.reason}")
    results = [result async for result in all_results(client, run.id)] if with_results else []
    return Report(run=run, summary=run.summary, results=tuple(results))


async def _finished(client: Client, run: Run) -> Run:
    try:
        while not run.status.finished:
            run = await client.wait(run.id, WAIT_SECONDS)
    except asyncio.CancelledError:
        if not client.in_process:  # where nobody interrupts it as the client is closed
            with suppress(AloiError):
                await client.cancel(run.id)
        raise
    return run


def all_results(client: Client, run: str) -> AsyncIterator[CaseResult]:
    """Every result of a run, read a page at a time."""
    return every(lambda number, size: client.results(run, page=number, size=size))


@asynccontextmanager
async def _client(given: Client | None) -> AsyncGenerator[Client, None]:
    if given is not None:
        yield given
        return
    opened = await connect(read_settings(os.environ), os.environ)
    try:
        yield opened
    finally:
        await opened.close()


async def _saved(client: Client, target: TargetLike, cases: Iterable[Case], limits: RunLimits) -> TargetVersion:
    """The version to evaluate. A function that a server cannot call is called here; the server grades the answers."""
    if isinstance(target, str):
        return await client.target_version(target)
    name = name_of(target)
    if not client.in_process and is_here_alone(target):
        return await saved_target(client, name, await recorded(target, tuple(cases), limits))
    return await saved_target(client, name, as_target(target))
