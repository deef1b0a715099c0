"""A function of this process, for a server that cannot call it: it is called here, its answers are replayed there."""

import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any

from aloi.core.case import Case
from aloi.core.errors import InvalidInput
from aloi.core.outcome import Outcome
from aloi.core.run import RunLimits
from aloi.core.spec import JsonObject
from aloi.core.target import Target, TargetContext
from aloi.core.tool import ToolContext
from aloi.core.trajectory import trajectory
from aloi.llm.models import Models
from aloi.runner.invoke import Invoker
from aloi.runner.local import LocalExecutor
from aloi.runner.task import CaseEvent, CaseTask, Invoked, Place
from aloi.sdk.given import as_target
from aloi.service.clock import now
from aloi.settings import read_settings
from aloi.targets.replay import Recorded, RecordedFailure, Replay, written
from aloi.tracing.recorder import Recording


async def recorded(function: Callable[..., Any] | Target, cases: Sequence[Case], limits: RunLimits) -> Replay:
    """The outcomes of all enabled, ready cases, as a target that a server can evaluate.

    Raises:
        InvalidInput: there is no case to run, or several trials are wanted, which a recording has not.
    """
    if limits.trials > 1:
        raise InvalidInput(
            f"a server grades one recorded answer a case, and trials is {limits.trials}; leave it at 1, or evaluate "
            "without ALOI_SERVER"
        )
    if not any(case.runs for case in cases):
        raise InvalidInput("there is no case to run; give at least one that is enabled and ready")
    models = Models(os.environ)
    invoker = Invoker(as_target(function), partial(_context, models), limits.seconds_per_case)

    async def invoke(task: CaseTask) -> AsyncGenerator[CaseEvent, None]:
        yield Invoked(task.place, await invoker.invoke(task))

    outputs: JsonObject = {}
    try:
        async with aclosing(LocalExecutor(limits.concurrency).map(invoke, _tasks(cases))) as events:
            async for event in events:
                if isinstance(event, Invoked):
                    outputs[cases[event.place.position].key] = written(_record(event.outcome))
    finally:
        await models.close()
    return Replay.model_validate({"outputs": outputs})


async def _tasks(cases: Sequence[Case]) -> AsyncIterator[CaseTask]:
    for position, case in enumerate(cases):
        if case.runs:
            yield CaseTask(Place(position, 0), case)


def _context(models: Models, recorder: Recording, workspace: str) -> TargetContext:
    return TargetContext(
        chat=models.chat,
        http=models.http,
        recorder=recorder,
        tools=ToolContext(workspace=workspace, now=now),
        environ=os.environ,
        allow_code=read_settings(os.environ).allow_code,
    )


def _record(outcome: Outcome) -> Recorded:
    trace, failure = outcome.trace, outcome.failure
    return Recorded(
        output=outcome.output,
        tool_calls=trajectory(trace).tool_calls if trace is not None and trace.shows_tools else None,
        failure=None if failure is None else RecordedFailure(type=failure.type, message=failure.message),
        latency=outcome.latency,
        input_tokens=outcome.usage.input_tokens,
        output_tokens=outcome.usage.output_tokens,
        cost=outcome.usage.cost,
    )
