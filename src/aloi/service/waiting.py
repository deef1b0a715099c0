"""Executions that wait for people: what is asked, the answers, and giving them up."""

import asyncio
from collections.abc import Iterator

from jsonschema.exceptions import ValidationError
from pydantic import JsonValue

from aloi.bounded_schema import TooMuchWork, violations
from aloi.core.errors import Conflict, InvalidInput, NotFound, StageFailure
from aloi.core.execution import Answer, Execution, ExecutionStatus, HumanStep, WaitingStep
from aloi.core.identity import canonical_json
from aloi.core.listing import Page
from aloi.core.misfit import Misplaced, pointer
from aloi.core.outcome import Failure
from aloi.service import audit
from aloi.service.changes import brief
from aloi.service.checks import checked, refuse
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.service.durable.continuing import resumable, set_off
from aloi.service.online.sampling import let_execution_wait
from aloi.service.process.lease import LEASE
from aloi.store import executions, human_steps, targets, unfinished
from aloi.store.connection import Connection

ANSWER = "answer"
CHECK_SECONDS = 2.0
MOST_VIOLATIONS = 20


async def listing(context: Context, page: int, size: int, target: str | None = None) -> Page[WaitingStep]:
    """A page of the steps that wait for people, oldest first, of one target or of all.

    Raises:
        NotFound: the target is not there.
    """
    async with context.database.read() as rx:
        target_id = None if target is None else (await targets.get(rx, target)).id
        return await human_steps.waiting(rx, page, size, target_id)


async def answer(context: Context, execution_id: str, step: str, given: JsonValue) -> Execution:
    """Answer a step. An execution that waits goes on in the background; one that runs takes the answer up later.

    Raises:
        NotFound: there is no such execution, or it asks nobody in a step of that name.
        Conflict: the step was answered already, or the execution is over.
        Misfit: the answer does not fit the step's schema; text is expected where there is none.
        InvalidInput, NotPermitted, Conflict: the version cannot be used any more, so that it could not go on.
    """
    value = checked(Answer, {ANSWER: given}).answer
    async with context.database.read() as rx:
        execution = await executions.get(rx, execution_id)
    _check_open(execution, step)
    refuse(await asyncio.to_thread(_faults, _step_of(execution, step), value))
    invocation = await resumable(context, execution)
    async with context.database.transaction() as tx:
        await unfinished.hold(tx, execution.id)
        present = await executions.get(tx, execution.id)
        _check_open(present, step)
        await human_steps.answer(tx, execution.id, step, value, context.principal.name, now())
        said = brief({"step": step, ANSWER: value})
        await _record(context, tx, "execution.answer", present, {"step": step}, said)
        taken = await unfinished.go_on(tx, execution.id, context.owner, now() + LEASE)
        answered = await executions.get(tx, execution.id)
    if taken:
        set_off(invocation)
    return answered


def _step_of(execution: Execution, name: str) -> HumanStep:
    found = next((step for step in execution.human_steps if step.step == name), None)
    if found is None:
        asked = ", ".join(step.step for step in execution.human_steps) or "none"
        raise NotFound(f"execution {execution.id} asks nobody in a step {name!r}; the steps that do are: {asked}")
    return found


def _check_open(execution: Execution, name: str) -> None:
    """Raises NotFound or Conflict when the step cannot be answered."""
    step = _step_of(execution, name)
    if step.answered_at is not None:
        raise Conflict(f"step {name} was answered by {step.answered_by} at {step.answered_at:%Y-%m-%d %H:%M:%S} UTC")
    if not _is_unfinished(execution):
        raise Conflict(f"execution {execution.id} is over ({execution.status}), so nobody is waited for any more")


def _is_unfinished(execution: Execution) -> bool:
    return execution.status in executions.UNFINISHED


def _faults(step: HumanStep, value: JsonValue) -> list[Misplaced]:
    """What of an answer does not fit the step."""
    schema = step.answer_schema
    if schema is None:
        is_text = isinstance(value, str)
        return [] if is_text else [Misplaced(pointer([ANSWER]), f"step {step.step} takes a text; write one")]
    try:
        found = violations(canonical_json(schema), value, CHECK_SECONDS, MOST_VIOLATIONS)
    except TooMuchWork:
        return [Misplaced(pointer([ANSWER]), "it takes too long to check it; shorten the answer")]
    except (StageFailure, ValueError) as error:
        raise InvalidInput(f"the answer schema of step {step.step} cannot be used: {error}; cancel it") from error
    return list(_misplaced(found))


def _misplaced(found: list[ValidationError]) -> Iterator[Misplaced]:
    for violation in found:
        yield Misplaced(pointer([ANSWER, *violation.absolute_path]), violation.message)


async def cancel(context: Context, execution_id: str) -> Execution:
    """Give up an execution that waits or runs: it fails as `cancelled`, and whoever works on it stops.

    Raises:
        NotFound: there is no such execution.
        Conflict: it is over, or it belongs to a run.
    """
    async with context.database.transaction() as tx:
        execution = await executions.get(tx, execution_id)
        if await unfinished.hold(tx, execution.id) is None:
            raise Conflict(f"execution {execution.id} is over ({execution.status}), so there is nothing to cancel")
        message = f"{context.principal.name} cancelled it"
        failure = Failure(stage="invoke", type="cancelled", message=message)
        outcome, _ = await unfinished.stand(tx, execution.id)
        cancelled = outcome.model_copy(update={"failure": failure})
        await unfinished.end(tx, execution.id, cancelled)
        await let_execution_wait(tx, execution, cancelled)
        before, after = {"status": execution.status.value}, {"status": ExecutionStatus.ERROR.value}
        await _record(context, tx, "execution.cancel", execution, dict(before), dict(after))
        return await executions.get(tx, execution.id)


async def _record(
    context: Context,
    tx: Connection,
    action: str,
    execution: Execution,
    before: dict[str, JsonValue],
    after: dict[str, JsonValue],
) -> None:
    name = f"{execution.target_name}@{execution.version}"
    await audit.record(
        context, tx, action=action, kind="execution", id=execution.id, name=name, before=before, after=after
    )
