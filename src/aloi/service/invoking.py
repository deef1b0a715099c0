"""Invoking a target by hand or in production: the same engine as in a run, each time one execution that is kept."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import cast

from pydantic import JsonValue

from aloi.core.case import Case
from aloi.core.errors import AloiError, TooMany
from aloi.core.execution import Execution, ExecutionSource, Invoke, SpanEnded, span_ended
from aloi.core.outcome import Failure, Outcome
from aloi.core.run import RunLimits, TargetVersion
from aloi.core.target import Target, TargetContext
from aloi.core.trace import Span
from aloi.core.trajectory import usage_of
from aloi.core.usage import NO_USAGE
from aloi.llm.openai import known_keys
from aloi.llm.secrets import masked
from aloi.runner.invoke import Invoker
from aloi.runner.task import CaseTask, Place
from aloi.service.checks import checked
from aloi.service.clock import new_id, now
from aloi.service.context import MOST_INVOCATIONS, Context
from aloi.service.targets import built, check_unchanged
from aloi.store import executions, usage
from aloi.store import targets as stored_targets
from aloi.tracing.recorder import Recording

Follower = Callable[[SpanEnded], None]
RETRY_SECONDS = 1.0
STOP_SECONDS = 2.0  # a target that will not be interrupted is left behind
HEARTBEAT_SECONDS = 15.0
LEFT = Failure(stage="invoke", type="cancelled", message="who asked left before the answer came")


@dataclass(frozen=True)
class Invocation:
    """An invocation that may begin: everything that can be refused was looked at.

    `secrets`: what the target is told of the environment, by the names of the variables.
    """

    context: Context
    version: TargetVersion
    target: Target
    case: Case
    source: ExecutionSource
    secrets: Mapping[str, str]


async def prepare(context: Context, ref: str, wanted: Invoke) -> Invocation:
    """Look whether a target can be invoked so.

    Raises:
        NotFound: there is no such target, or no such version.
        InvalidInput: the input is not JSON, or the definition does not fit any more.
        NotPermitted: the target wants what the operator does not allow.
        Conflict: a module that the version names has changed since.
        TooMany: this process has its hands full.
    """
    _check_room(context)
    case = checked(Case, {"input": wanted.input})
    async with context.database.read() as rx:
        version = await stored_targets.version(rx, ref, wanted.version)
    target = built(context, version)
    if version.id not in context.in_memory:
        check_unchanged(version, target)
    return Invocation(context, version, target, case, ExecutionSource(wanted.source), _secrets(context, target))


def _check_room(context: Context) -> None:
    if context.invoking.locked():
        raise TooMany(f"{MOST_INVOCATIONS} invocations are going on, the most at once; try again soon", RETRY_SECONDS)


def _secrets(context: Context, target: Target) -> dict[str, str]:
    named = {key.variable: context.environ.get(key.variable, "").strip() for key in target.named_keys()}
    for model in target.models():
        named |= known_keys(model, context.environ)
    return named


async def carry_out(invocation: Invocation, follow: Follower | None = None) -> Execution:
    """Invoke the target once and keep what came of it; a failure of the target is in the execution, not raised.

    When the caller is cancelled the target is stopped, and what it did until then is kept.

    Args:
        follow: is shown each span when it ends.

    Raises:
        TooMany: this process has its hands full.
        StoreUnavailable: the execution could not be kept.
    """
    context, begun = invocation.context, (new_id(), now())
    recordings: list[Recording] = []

    def target_context(recording: Recording, folder: str) -> TargetContext:
        recordings.append(recording)
        if follow is not None:
            recording.follow(_masking(follow, invocation.secrets))
        return context.target_context(recording, folder, interactive=True)

    invoker = Invoker(invocation.target, target_context, RunLimits().seconds_per_case)
    _check_room(context)
    async with context.invoking:
        try:
            outcome = await invoker.invoke(CaseTask(Place(0, 0), invocation.case))
        except asyncio.CancelledError:
            await asyncio.shield(_keep(invocation, begun, _cut_short(recordings)))
            raise
    return await asyncio.shield(_keep(invocation, begun, outcome))


def _masking(follow: Follower, secrets: Mapping[str, str]) -> Callable[[Span], None]:
    def show(span: Span) -> None:
        follow(SpanEnded.model_validate(masked(span_ended(span).model_dump(mode="json"), secrets)))

    return show


def _cut_short(recordings: list[Recording]) -> Outcome:
    trace = recordings[0].trace() if recordings else None
    return Outcome(failure=LEFT, usage=NO_USAGE if trace is None else usage_of(trace), trace=trace)


async def _keep(invocation: Invocation, begun: tuple[str, datetime], outcome: Outcome) -> Execution:
    """Store an execution, and what it used, without any secret that the target was told."""
    version = invocation.version
    shown = masked(cast(JsonValue, outcome.model_dump(mode="json")), invocation.secrets)
    execution = Execution(
        id=begun[0],
        target_id=version.target_id,
        target_name=version.target_name,
        target_kind=version.kind,
        version=version.number,
        source=invocation.source,
        run_id=None,
        case_key=None,
        created_at=begun[1],
        input=invocation.case.input,
        outcome=Outcome.model_validate(shown),
    )
    models = invocation.target.models()
    model = models[0].model if models else ""
    async with invocation.context.database.transaction() as tx:
        await executions.insert(tx, execution, version.id)
        await usage.put(tx, execution.id, "target", begun[1].astimezone(UTC).date(), model, execution.outcome.usage)
    return execution


async def events(invocation: Invocation) -> AsyncGenerator[SpanEnded | Execution | AloiError | None]:
    """Carry it out, giving each span as it ends, then the execution; or, at the end, what kept it from being stored.

    Where nothing happens for a while, null is a sign of life. When the reader leaves, the target is stopped.
    """
    loop, ended = asyncio.get_running_loop(), asyncio.Queue[SpanEnded | None]()

    def show(span: SpanEnded | None) -> None:
        loop.call_soon_threadsafe(ended.put_nowait, span)

    task = asyncio.create_task(carry_out(invocation, show))
    task.add_done_callback(lambda _: show(None))
    try:
        while not (task.done() and ended.empty()):
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    span = await ended.get()
            except TimeoutError:
                yield None
                continue
            if span is not None:
                yield span
        yield _result(task)
    finally:
        task.cancel()
        await asyncio.wait([task], timeout=STOP_SECONDS)


def _result(task: asyncio.Task[Execution]) -> Execution | AloiError:
    try:
        return task.result()
    except AloiError as error:
        return error
