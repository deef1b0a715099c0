"""Invoking a target by hand or in production: the same engine as in a run, each time one execution that is kept."""

import asyncio
from collections.abc import AsyncGenerator

from aloi.core.case import Case
from aloi.core.errors import AloiError, InvalidInput, TooMany
from aloi.core.execution import Execution, ExecutionSource, ExecutionStatus, Invoke, SpanEnded
from aloi.core.outcome import Failure, Outcome
from aloi.core.run import RunLimits
from aloi.core.spec import JsonObject
from aloi.core.target import TargetContext
from aloi.core.trajectory import usage_of
from aloi.core.usage import NO_USAGE
from aloi.runner.invoke import Invoker
from aloi.runner.task import CaseTask, Place
from aloi.service.attaching import filled
from aloi.service.checks import checked
from aloi.service.clock import new_id, now
from aloi.service.context import MOST_INVOCATIONS, Context, stop
from aloi.service.durable.continuing import set_off
from aloi.service.invocation import Follower, Invocation, invocation_of
from aloi.service.online.sampling import let_ended_wait
from aloi.service.traces.evidence import ReceivedSpans
from aloi.store import executions, unfinished
from aloi.store import targets as stored_targets
from aloi.tracing.recorder import Recording

RETRY_SECONDS = 1.0
STOP_SECONDS = 2.0  # a target that will not be interrupted is left behind
HEARTBEAT_SECONDS = 15.0
LEFT = Failure(stage="invoke", type="cancelled", message="who asked left before the answer came")


async def prepare(context: Context, ref: str, wanted: Invoke) -> Invocation:
    """Look whether a target can be invoked so.

    Raises:
        NotFound: there is no such target, or no such version.
        InvalidInput: the input is not JSON, there are files that are not there or would not reach the target, or the
            definition does not fit any more.
        NotPermitted: the target wants what the operator does not allow.
        Conflict: a module that the version names has changed since.
        TooMany: this process has its hands full.
    """
    _check_room(context)
    fields: JsonObject = wanted.model_dump(include={"input", "attachments"}, exclude_defaults=True)
    async with context.database.read() as rx:
        version = await stored_targets.version(rx, ref, wanted.version)
        case = checked(Case, await filled(rx, fields))
    invocation = invocation_of(context, version, case, ExecutionSource(wanted.source), (new_id(), now()))
    _check_files(invocation)
    return invocation


def _check_files(invocation: Invocation) -> None:
    refusal = invocation.target.refuses_attachments()
    if invocation.is_durable:
        refusal = "what waits for people goes on without them"
    if invocation.case.attachments and refusal is not None:
        raise InvalidInput(f"there are files, and {refusal}; leave them out, or choose a target that takes files")


def _check_room(context: Context) -> None:
    if context.invoking.locked():
        raise TooMany(f"{MOST_INVOCATIONS} invocations are going on, the most at once; try again soon", RETRY_SECONDS)


async def carry_out(invocation: Invocation, follow: Follower | None = None) -> Execution:
    """Invoke the target once and keep what came of it; a failure of the target is in the execution, not raised.

    Where people are asked first, the execution waits for them.

    When the caller is cancelled the target is stopped, and what it did until then is kept.

    Args:
        follow: is shown each span when it ends.

    Raises:
        TooMany: this process has its hands full.
        StoreUnavailable: the execution could not be kept.
    """
    _check_room(invocation.context)
    if invocation.is_durable:
        return await _carry_out_durably(invocation, follow)
    context, recordings = invocation.context, list[Recording]()

    def target_context(recording: Recording, folder: str) -> TargetContext:
        recordings.append(recording)
        if follow is not None:
            recording.follow(invocation.masking(follow))
        return context.target_context(recording, folder, interactive=True)

    evidence = ReceivedSpans(context, invocation.secrets)
    invoker = Invoker(invocation.target, target_context, RunLimits().seconds_per_case, evidence=evidence)
    async with context.invoking:
        try:
            outcome = await invoker.invoke(CaseTask(Place(0, 0), invocation.case))
        except asyncio.CancelledError:
            await asyncio.shield(_keep(invocation, _cut_short(recordings)))
            raise
    return await asyncio.shield(_keep(invocation, outcome))


def _cut_short(recordings: list[Recording]) -> Outcome:
    trace = recordings[0].trace() if recordings else None
    return Outcome(failure=LEFT, usage=NO_USAGE if trace is None else usage_of(trace), trace=trace)


async def _keep(invocation: Invocation, outcome: Outcome) -> Execution:
    """Store an execution that is over, and what it used."""
    status = ExecutionStatus.OK if outcome.failure is None else ExecutionStatus.ERROR
    execution = invocation.execution(invocation.hidden(outcome), status)
    async with invocation.context.database.transaction() as tx:
        await executions.insert(tx, execution, invocation.version.id)
        await invocation.count(tx, execution.outcome)
        await let_ended_wait(tx, invocation, execution.outcome)
    return execution


async def _carry_out_durably(invocation: Invocation, follow: Follower | None) -> Execution:
    """Work on it in the background until it is over or waits for people. When the caller is cancelled it ends.

    A server that is about to end lets the next one go on with it.
    """
    context, work = invocation.context, set_off(invocation, follow, new=True)
    try:
        await asyncio.wait([work])
    except asyncio.CancelledError:
        if not context.draining.is_set():
            await asyncio.shield(_leave(invocation, work))
        raise
    if not work.cancelled():
        work.result()
    async with context.database.read() as rx:
        return await executions.get(rx, invocation.id)


async def _leave(invocation: Invocation, work: asyncio.Task[None]) -> None:
    await stop([work])
    async with invocation.context.database.transaction() as tx:
        if await unfinished.hold(tx, invocation.id) is ExecutionStatus.RUNNING:
            outcome, _ = await unfinished.stand(tx, invocation.id)
            left = outcome.model_copy(update={"failure": LEFT})
            await unfinished.end(tx, invocation.id, left)
            await let_ended_wait(tx, invocation, left)


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
