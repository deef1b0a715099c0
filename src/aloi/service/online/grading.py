"""Grading production executions by rules, in every server process: each execution once by each rule.

What waits is claimed, graded outside of any transaction, and stored with its figures in the one transaction that takes
it off the queue. Whoever dies meanwhile loses the claim after a while, and another grades it.
"""

import asyncio
import hashlib
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from aloi.core.errors import Conflict, NotFound, StoreUnavailable, TooMany, reason_of
from aloi.core.identity import id_text
from aloi.core.online_result import OnlineCounts
from aloi.core.online_rule import OnlineRule
from aloi.core.result import CaseResult
from aloi.core.score import Verdict
from aloi.core.usage import NO_USAGE, Usage
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.judges import judge_model
from aloi.service.online.drafts import draft_due
from aloi.service.online.places import Places
from aloi.service.online.rules import present_evaluators
from aloi.service.online.verdict import broken, may_pass_later, verdict_on
from aloi.service.process.intake import Intake
from aloi.store import executions, online_figures, online_queue, online_results, usage
from aloi.store.connection import Connection
from aloi.store.online_queue import Claim, Claimed, Due
from aloi.store.online_results import Grading, ResultRow
from aloi.store.usage import Source

LOOK_SECONDS = 0.5
# Between two batches, so that requests are answered meanwhile.
BUSY_SECONDS = 0.005
AT_ONCE = 16
# Longer than grading takes at most, so that nobody who lives loses it.
CLAIM = timedelta(seconds=180)
# With what lies between them a judge may be away for two hours.
MOST_TRIES = 6
# Before the second try; each further one waits four times as long.
TRY_AGAIN = timedelta(seconds=30)
LARGEST = 32_000_000  # characters of an execution that is graded
# After which one is looked at again for which there was no room in memory.
NEXT_TURN = timedelta(seconds=2)
log = logging.getLogger("aloi.service")


async def look_after_online(context: Context) -> None:
    """Grade what waits, now and all the time, until this is cancelled."""
    places = Places()
    try:
        while True:
            try:
                begun = await _begin_due(context, places, now())
                await draft_due(context)
                await places.freed(0 if begun else LOOK_SECONDS)
            except StoreUnavailable as error:
                log.warning("production cannot be graded now: %s", error)
                await asyncio.sleep(LOOK_SECONDS)
            except Exception:  # whatever it was, the next look may go well
                log.exception("production could not be graded")
                await asyncio.sleep(LOOK_SECONDS)
            await asyncio.sleep(BUSY_SECONDS)
    finally:
        await places.end()


async def grade_due(context: Context, at: datetime | None = None) -> int:
    """Grade some executions, of all workspaces, that are due at a time (null for now); how many were claimed.

    Raises:
        StoreUnavailable: the database cannot be used.
    """
    places = Places()
    try:
        begun = await _begin_due(context, places, at or now())
        await places.emptied()
    finally:
        await places.end()
    await draft_due(context)
    return begun


async def _begin_due(context: Context, places: Places, at: datetime) -> int:
    """Claim what is due longest, as far as there are places, and set its grading off; how many that is.

    Each rule has a fair part of the places. Those of others are not waited for.
    """
    claim = Claim(new_id(), at, at + CLAIM)
    async with context.database.read() as rx:
        due = await online_queue.due_rules(rx, at, AT_ONCE)
    if not any(_free(places, rule, due) for _, rule in due):
        return 0
    found: list[tuple[Context, OnlineRule, Claimed]] = []
    async with context.database.transaction() as tx:
        await online_queue.lock(tx)
        due = await online_queue.due_rules(tx, at, AT_ONCE)
        for workspace_id, rule in sorted(due, key=lambda one: one.rule.id):
            own = context.in_workspace(workspace_id, f"online rule {rule.name}")
            if most := _free(places, rule, due):
                found += [(own, rule, one) for one in await online_queue.claim(tx, rule, claim, most)]
    for own, rule, claimed in found:
        places.take(rule.id, _work(own, rule, claimed, places.hand))
    return len(found)


def _free(places: Places, rule: OnlineRule, due: Sequence[Due]) -> int:
    """How many places there are for a rule."""
    return max(0, AT_ONCE // len(due) - places.taken(rule.id))


async def _work(context: Context, rule: OnlineRule, claimed: Claimed, hand: Intake) -> None:
    """Grade an execution, whatever it brings."""
    try:
        await _grade(context, rule, claimed, hand)
    except asyncio.CancelledError:
        await asyncio.shield(_give_back(context, claimed))
        raise
    except StoreUnavailable:
        raise  # the claim ends by itself
    except Exception as error:
        log.warning("execution %s cannot be graded now", claimed.execution_id, exc_info=error)
        await _end(context, rule, claimed, broken(claimed.execution_id, "exception", reason_of(error)), again=True)


async def _grade(context: Context, rule: OnlineRule, claimed: Claimed, hand: Intake) -> None:
    """Grade an execution, unless it is gone, or cannot be graded. Large ones take turns."""
    async with context.database.read() as rx:
        size = await online_queue.size(rx, claimed.execution_id)
    if size is None:
        await _count_gone(context, rule, claimed)
    elif claimed.tries > MOST_TRIES:
        message = f"it was begun {MOST_TRIES} times, and each time the server ended before it was graded"
        await _end(context, rule, claimed, broken(claimed.execution_id, "interrupted", message))
    elif size > LARGEST:
        message = f"it takes {size:,} characters, and at most {LARGEST:,} are graded"
        await _end(context, rule, claimed, broken(claimed.execution_id, "too_large", message))
    else:
        try:
            with hand.holding(size):
                await _look_at(context, rule, claimed)
        except TooMany:
            await _give_back(context, claimed, NEXT_TURN)


async def _look_at(context: Context, rule: OnlineRule, claimed: Claimed) -> None:
    """Grade an execution that is in memory meanwhile."""
    try:
        async with context.database.read() as rx:
            execution = await executions.get(rx, claimed.execution_id)
            [bindings] = await present_evaluators(rx, [rule])
    except NotFound:
        await _count_gone(context, rule, claimed)
        return
    result = await verdict_on(context, rule, bindings, execution)
    await _end(context, rule, claimed, result, again=may_pass_later(result))


async def _end(
    context: Context, rule: OnlineRule, claimed: Claimed, result: CaseResult, *, again: bool = False
) -> None:
    """Store what came of a grading; or, where another try may bring more, put it off. What it used counts either way.

    Args:
        again: whether another try may bring more.
    """
    at, used = now(), result.row().judge_usage
    if again and claimed.tries < MOST_TRIES:
        async with context.database.transaction() as tx:
            mine = await online_queue.put_off(tx, claimed, at + TRY_AGAIN * 4 ** (claimed.tries - 1))
            await _count_usage(context, tx, rule, claimed, used, at, mine=mine)
        return
    try:
        async with context.database.transaction() as tx:
            mine = await online_queue.finish(tx, claimed)
            if mine:
                await _store(tx, rule, claimed, result, at)
            await _count_usage(context, tx, rule, claimed, used, at, mine=mine)
    except Conflict:  # it was deleted while it was graded
        await _count_gone(context, rule, claimed, used)


async def _store(tx: Connection, rule: OnlineRule, claimed: Claimed, result: CaseResult, at: datetime) -> None:
    """Store a result, and count it."""
    verdict, row = result.verdict, result.row()
    stored = ResultRow(
        rule_id=claimed.rule_id,
        rule_name=rule.name,
        execution_id=claimed.execution_id,
        created_at=claimed.created_at,
        graded_at=at,
        verdict=verdict,
        score=result.score,
        grading=Grading(scores=result.scores, failure=result.failure),
    )
    is_failing = verdict is Verdict.FAIL and rule.drafts_dataset_id is not None
    if await online_results.insert(tx, stored, to_draft=is_failing):
        counts = OnlineCounts(
            passed=int(verdict is Verdict.PASS),
            failed=int(verdict is Verdict.FAIL),
            errors=int(verdict is Verdict.ERROR),
            judge_variance=0.0 if verdict is Verdict.ERROR else row.judge_variance,
        )
        await online_figures.count(tx, claimed.rule_id, claimed.created_at, counts)


async def _count_usage(
    context: Context, tx: Connection, rule: OnlineRule, claimed: Claimed, used: Usage, at: datetime, *, mine: bool
) -> None:
    """Say what a try used of the judge; each try has a source of its own, so none counts twice.

    Args:
        mine: whether the claim was still held; else the rule may be gone, and its figures with it.
    """
    if not used.calls:
        return
    judge = judge_model(None, context.settings)
    source = Source(source_of(claimed), rule.target_id)
    await usage.put(tx, source, "judge", at.date(), judge.model if judge else "", used)
    if mine:
        spent = OnlineCounts(cost=used.cost, unpriced=used.unpriced)
        await online_figures.count(tx, claimed.rule_id, claimed.created_at, spent)
        await online_figures.count_day(tx, claimed.rule_id, at.date(), cost=used.cost)


def source_of(claimed: Claimed) -> str:
    """The id under which the usage of a try is kept."""
    text = f"{claimed.rule_id} {claimed.execution_id} {claimed.tries}"
    return id_text(hashlib.sha256(text.encode()).hexdigest()[:32])


async def _count_gone(context: Context, rule: OnlineRule, claimed: Claimed, used: Usage = NO_USAGE) -> None:
    """Take an execution off that was deleted before its result was stored, and count it."""
    async with context.database.transaction() as tx:
        mine = await online_queue.finish(tx, claimed)
        if mine:
            await online_figures.count(tx, claimed.rule_id, claimed.created_at, OnlineCounts(gone=1))
        await _count_usage(context, tx, rule, claimed, used, now(), mine=mine)


async def _give_back(context: Context, claimed: Claimed, wait: timedelta = timedelta()) -> None:
    """Let it be graded in a while, or by another server; where that cannot be stored, the claim ends by itself."""
    try:
        async with context.database.transaction() as tx:
            await online_queue.give_back(tx, [claimed], now() + wait)
    except StoreUnavailable as error:
        log.info("execution %s is not given back: %s", claimed.execution_id, error)
