"""Which rules grade an execution of production: decided when it ends, in the transaction that stores it."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from aloi.core.execution import Execution, ExecutionSource
from aloi.core.online_rule import Finished, is_sampled, passes
from aloi.core.outcome import Outcome
from aloi.service.clock import now
from aloi.service.invocation import Invocation
from aloi.store import online_queue, online_rules, targets
from aloi.store.connection import Connection
from aloi.store.online_queue import Waiting
from aloi.store.online_rules import Sampling

# Late spans may still bring the answer of an execution that seems to have failed.
WAIT_FOR_SPANS = timedelta(seconds=60)


async def let_wait(tx: Connection, finished: Sequence[Finished]) -> None:
    """Let executions that are over wait for the rules that grade them; nothing where there are none.

    One that ended before, and is stored again, is graded once all the same.
    """
    if not finished:
        return
    rules = await online_rules.sampling(tx, sorted({execution.target_id for execution in finished}))
    if not rules:
        return
    at = now()
    waiting = [
        Waiting(rule.rule_id, execution.execution_id, execution.created_at, _due(execution, at))
        for execution in finished
        for rule in rules
        if _is_chosen(rule, execution)
    ]
    if waiting:
        await online_queue.put(tx, waiting)


async def let_ended_wait(tx: Connection, invocation: Invocation, outcome: Outcome) -> None:
    """As `let_wait`, of an invocation that is over; nothing for one that somebody made by hand.

    Args:
        outcome: as it is stored.
    """
    if invocation.source is ExecutionSource.PRODUCTION:
        version = invocation.version
        places = invocation.id, version.target_id, version.id, invocation.created_at
        await let_wait(tx, [Finished(*places, invocation.case.input, outcome)])


async def let_execution_wait(tx: Connection, execution: Execution, outcome: Outcome) -> None:
    """As `let_ended_wait`, of an execution as it was read.

    Raises:
        NotFound: its version is gone.
    """
    if execution.source is ExecutionSource.PRODUCTION:
        version = await targets.version(tx, execution.target_id, execution.version)
        places = execution.id, version.target_id, version.id, execution.created_at
        await let_wait(tx, [Finished(*places, execution.input, outcome)])


def _is_chosen(rule: Sampling, execution: Finished) -> bool:
    if rule.target_id != execution.target_id or not is_sampled(rule.rule_id, execution.execution_id, rule.share):
        return False
    return passes(rule.filters, rule.version_id, execution)


def _due(execution: Finished, at: datetime) -> datetime:
    waits = execution.may_change and execution.outcome.failure is not None
    return at + WAIT_FOR_SPANS if waits else at
