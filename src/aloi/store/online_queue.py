"""Executions that wait to be graded by rules, and who grades them: any number of servers, each execution once.

A row is due from a time on. Who claims it moves that time on, far enough to grade it; so a claim that nobody lives up
to is due again by itself.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from aloi.core.online_rule import BudgetUse, OnlineRule
from aloi.store import online_figures, online_rules
from aloi.store.codec import pack_id, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, Row, marks
from aloi.store.online_rules import RULE, rule_of

LOCK = "claims of online gradings"
AT_ONCE = 500
# Of a rule whose budget is used up, so many executions are left out at once.
SKIPPED_AT_ONCE = 500
GRADED = "SELECT rule_id, execution_id FROM online_results WHERE execution_id IN ({ids})"
PUT = """
INSERT INTO online_queue (rule_id, execution_id, created_at, due_at, tries) VALUES (?, ?, ?, ?, 0)
ON CONFLICT (rule_id, execution_id) DO NOTHING"""
FIRST = "(SELECT min(q.due_at) FROM online_queue q WHERE q.rule_id = r.id)"
DUE_RULES = f"SELECT r.workspace_id, {RULE} WHERE r.enabled = 1 AND {FIRST} <= ? ORDER BY {FIRST}, r.id LIMIT ?"
DUE = """
SELECT execution_id, created_at, tries FROM online_queue WHERE rule_id = ? AND due_at <= ? AND tries >= 0
ORDER BY due_at, execution_id LIMIT ?"""
CLAIM = """
UPDATE online_queue SET claim = ?, due_at = ?, tries = tries + 1 WHERE rule_id = ? AND execution_id = ?"""
MINE = " WHERE rule_id = ? AND execution_id = ? AND claim = ?"
# One that was left out is known for a while, so that spans that come late do not let it wait, and count, once more.
LEAVE_OUT = "UPDATE online_queue SET tries = -1, due_at = ? WHERE rule_id = ? AND execution_id = ?"
FORGET = "DELETE FROM online_queue WHERE rule_id = ? AND due_at <= ? AND tries < 0"
KNOWN = timedelta(minutes=10)
PUT_OFF = f"UPDATE online_queue SET claim = NULL, due_at = ?{MINE}"  # noqa: S608
HOLD_OVER = "UPDATE online_queue SET claim = NULL, due_at = ? WHERE rule_id = ? AND execution_id = ?"
FINISH = f"DELETE FROM online_queue{MINE}"  # noqa: S608
GIVE_BACK = f"UPDATE online_queue SET claim = NULL, due_at = ?, tries = tries - 1{MINE}"  # noqa: S608


class Waiting(NamedTuple):
    """An execution that waits for a rule, from a time on. `created_at`: when it began."""

    rule_id: str
    execution_id: str
    created_at: datetime
    due_at: datetime


class Due(NamedTuple):
    """A rule that has something to grade."""

    workspace_id: str
    rule: OnlineRule


class Claimed(NamedTuple):
    """An execution that the holder of a claim grades.

    `tries`: how often it was claimed, this time included. `day`: when that was (UTC).
    """

    claim_id: str
    rule_id: str
    execution_id: str
    created_at: datetime
    tries: int
    day: date


class Claim(NamedTuple):
    """A claim: a fresh id, when it is made, and when it is over."""

    id: str
    at: datetime
    until: datetime


async def put(tx: Connection, waiting: Sequence[Waiting]) -> None:
    """Let executions wait for rules; nothing for those that wait already, were graded, or were left out lately."""
    ids = sorted({pack_id(one.execution_id) for one in waiting})
    graded: set[tuple[bytes, bytes]] = set()
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        graded |= {(rule, execution) for rule, execution in await tx.fetch(GRADED.format(ids=marks(len(some))), some)}
    rows = [
        (pack_id(one.rule_id), pack_id(one.execution_id), pack_time(one.created_at), pack_time(one.due_at))
        for one in waiting
    ]
    await tx.execute_many((PUT, sorted(row for row in rows if row[:2] not in graded)))


async def due_rules(rx: Connection, at: datetime, most: int) -> list[Due]:
    """The rules, of all workspaces, for which executions are due; those that wait longest come first."""
    rows = await rx.fetch(DUE_RULES, (pack_time(at), most))
    return [Due(unpack_id(workspace), rule_of(row)) for workspace, *row in rows]


async def size(rx: Connection, execution_id: str) -> int | None:
    """The characters that an execution takes; null when it is gone."""
    row = await rx.fetch_one("SELECT size FROM executions WHERE id = ?", (pack_id(execution_id),))
    return None if row is None else row[0]


async def lock(tx: Connection) -> None:
    """Let nobody else claim until this transaction ends."""
    await tx.lock(LOCK)


async def claim(tx: Connection, rule: OnlineRule, claim: Claim, most: int) -> list[Claimed]:
    """Claim executions that are due longest for a rule, as far as its budget goes; those beyond are left out.

    What was claimed before and not finished is no more counted; where the money is spent, it waits for the next day.

    Args:
        tx: with the lock.
        most: how many at once.
    """
    day = claim.at.date()
    await tx.execute(FORGET, (pack_id(rule.id), pack_time(claim.at)))
    used = (await online_rules.used(tx, [rule.id], day)).get(rule.id)
    is_spent = await _is_spent(tx, rule, used, day)
    left = 0 if is_spent else rule.most_per_day - (used.graded if used else 0)
    limit = most if left > 0 else SKIPPED_AT_ONCE
    rows = await tx.fetch(DUE, (pack_id(rule.id), pack_time(claim.at), limit))
    begun, fresh = [row for row in rows if row[2] > 0][:most], [row for row in rows if row[2] == 0]
    if is_spent:
        await _hold_over(tx, rule.id, day, begun)
        begun = []
    chosen, beyond = fresh[: max(left, 0)], fresh[max(left, 0) :]
    await _skip(tx, rule.id, claim.at, beyond)
    await online_figures.count_day(tx, rule.id, day, graded=len(chosen))
    taken = [*begun, *chosen]
    held = pack_id(claim.id), pack_time(claim.until), pack_id(rule.id)
    await tx.execute_many((CLAIM, sorted((*held, execution) for execution, *_ in taken)))
    return [
        Claimed(claim.id, rule.id, unpack_id(execution), unpack_time(created_at), tries + 1, day)
        for execution, created_at, tries in taken
    ]


async def _is_spent(rx: Connection, rule: OnlineRule, used: BudgetUse | None, day: date) -> bool:
    """Whether a rule has no dollars left for a day. Calls of which no price is known may have cost any number."""
    if rule.cost_per_day is None:
        return False
    if used is not None and used.cost is not None:
        return used.cost >= rule.cost_per_day
    begin = datetime.combine(day, time.min, UTC)
    figures = (await online_figures.between(rx, [rule.id], begin, begin + timedelta(days=1)))[rule.id]
    return any(counts.unpriced for _, counts in figures)


async def _hold_over(tx: Connection, rule_id: str, day: date, rows: Iterable[Row]) -> None:
    """Let executions that were begun wait for the next day."""
    tomorrow = pack_time(datetime.combine(day, time.min, UTC) + timedelta(days=1))
    await tx.execute_many((HOLD_OVER, sorted((tomorrow, pack_id(rule_id), execution) for execution, *_ in rows)))


async def _skip(tx: Connection, rule_id: str, at: datetime, rows: Iterable[Row]) -> None:
    """Leave executions out for the budget, and count them."""
    packed, dropped = pack_id(rule_id), sorted((execution, created_at) for execution, created_at, _ in rows)
    if dropped:
        until = pack_time(at + KNOWN)
        await tx.execute_many((LEAVE_OUT, [(until, packed, execution) for execution, _ in dropped]))
        await online_figures.count_skipped(tx, rule_id, [unpack_time(created_at) for _, created_at in dropped])
        await online_figures.count_day(tx, rule_id, at.date(), skipped=len(dropped))


async def finish(tx: Connection, claimed: Claimed) -> bool:
    """Take an execution off, for it is graded; false when the claim is not held any more, and nothing was changed."""
    return await tx.execute(FINISH, _mine(claimed)) > 0


async def put_off(tx: Connection, claimed: Claimed, until: datetime) -> bool:
    """Let an execution be tried again later; false when the claim is not held any more."""
    return await tx.execute(PUT_OFF, (pack_time(until), *_mine(claimed))) > 0


async def give_back(tx: Connection, claimed: Sequence[Claimed], at: datetime) -> None:
    """Let others grade what was claimed and not begun, or was interrupted: it counts neither as tried nor as graded."""
    for one in sorted(claimed):
        given = await tx.execute(GIVE_BACK, (pack_time(at), *_mine(one)))
        if given and one.tries == 1:
            await online_figures.count_day(tx, one.rule_id, one.day, graded=-1)


def _mine(claimed: Claimed) -> tuple[bytes, bytes, bytes]:
    return pack_id(claimed.rule_id), pack_id(claimed.execution_id), pack_id(claimed.claim_id)
