"""Traces of our own invocations: their spans go to the executions that they belong to, and make none by themselves.

A case whose evaluators read the trace takes its spans by itself, see `evidence`; here they are let go when it is
graded, for a result that changes after that is none. All others, as those that failed, wait for nothing: what comes of
them is added when it has come.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from aloi.core.errors import AloiError
from aloi.core.outcome import Outcome
from aloi.core.run import TargetVersion
from aloi.core.usage import Usage
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.service.target_secrets import secrets_of
from aloi.service.targets import built
from aloi.service.traces.joining import NO_SECRETS, left_out, spans_in, with_spans
from aloi.service.traces.merging import Prices, has_room, used_by_model
from aloi.store import ingestion, observed, targets, traces, usage
from aloi.store.connection import Connection
from aloi.store.observed import Known
from aloi.store.traces import Claimed, Waiting
from aloi.store.usage import Source, UsedRow

# By the id of a version: secrets by the names of their variables.
Secrets = Mapping[str, Mapping[str, str]]
# Spans of a case wait so long for a run that was interrupted.
KEPT = timedelta(days=1)
# How soon it is looked again whether a trace is ripe; of old ones less and less often.
LOOK_AGAIN, PATIENCE = timedelta(seconds=2), 4


class Found(NamedTuple):
    """A claimed trace with what waits of it, and the execution that it has already.

    `expected`: an invocation of ours was sent with it, and its execution is stored by then; null for others.
    """

    claimed: Claimed
    rows: Sequence[Waiting]
    known: Known | None
    expected: datetime | None

    @property
    def is_wanted(self) -> bool:
        """Whether it becomes an execution: there is work of an agent in it, now or before."""
        return self.claimed.works or self.known is not None

    @property
    def is_ours(self) -> bool:
        """Whether it is the trace of an invocation of ours."""
        return self.expected is not None if self.known is None else self.known.is_ours

    def unripe_until(self, at: datetime) -> datetime | None:
        """When to look again at a trace of ours: its execution is not over, or is a case that is not graded yet.

        Null when it is ripe, or is waited for no longer.
        """
        age = at - self.claimed.first_at
        again = at + max(LOOK_AGAIN, age / PATIENCE)
        if self.known is None:
            return min(again, self.expected) if self.expected is not None and self.expected > at else None
        waits = self.known.goes_on or (self.known.in_run and not self.known.graded)
        return again if waits and age < KEPT else None


class Given(NamedTuple):
    """What becomes of a trace of ours. `outcome`: of its execution with the spans; null where it does not change."""

    found: Found
    outcome: Outcome | None
    used: dict[str, Usage]
    spans: int
    left_out: int


async def give(context: Context, claim_id: str, found: Sequence[Found]) -> None:
    """Give the spans of claimed traces of ours to their executions; those that are not ripe are put back."""
    at = now()
    unripe = [(one.claimed.trace_id, until) for one in found if (until := one.unripe_until(at)) is not None]
    ripe = [one for one in found if one.unripe_until(at) is None]
    secrets = await _secrets(context, ripe)
    given = await asyncio.to_thread(_all_given, ripe, context.models.prices.cost, secrets)
    async with context.database.transaction() as tx:
        mine = await traces.still_claimed(tx, claim_id)
        for trace_id, until in unripe:
            await traces.put_back(tx, claim_id, trace_id, until)
        await _keep(tx, [one for one in given if one.found.claimed.trace_id in mine], at)


async def _secrets(context: Context, found: Sequence[Found]) -> Secrets:
    """What the service of each version was told of the environment."""
    wanted = {one.known.version.version_id for one in found if one.known is not None and one.known.version is not None}
    async with context.database.read() as rx:
        versions = [await targets.version_by_id(rx, version_id) for version_id in sorted(wanted)]
    return {version.id: _told(context, version) for version in versions}


def _told(context: Context, version: TargetVersion) -> Mapping[str, str]:
    try:
        return secrets_of(context, built(context, version))
    except AloiError:  # it cannot be built here any more, so it is told nothing
        return NO_SECRETS


def _all_given(ripe: Sequence[Found], prices: Prices, secrets: Secrets) -> list[Given]:
    return [_given(one, prices, secrets) for one in ripe]


def _given(found: Found, prices: Prices, secrets: Secrets) -> Given:
    known = found.known
    version = None if known is None else known.version
    told = NO_SECRETS if version is None else secrets.get(version.version_id, NO_SECRETS)
    came = spans_in((row.body for row in found.rows), told)
    if known is None or known.was_read or not has_room(found.claimed, known):
        lost = len(came) if known is None else left_out(known.outcome, came)
        return Given(found, None, {}, len(came), lost)
    outcome = with_spans(known.outcome, came, prices, found.claimed.left_out)
    if outcome is known.outcome:
        return Given(found, None, {}, len(came), 0)
    if known.in_run:  # its usage is in the totals of the run, which do not change any more
        outcome = outcome.model_copy(update={"usage": known.outcome.usage})
    assert outcome.trace is not None
    used = {} if outcome.usage == known.outcome.usage else used_by_model(outcome.trace.spans)
    return Given(found, outcome, used, len(came), left_out(outcome, came))


async def _keep(tx: Connection, given: Sequence[Given], at: datetime) -> None:
    for one in given:
        known = one.found.known
        if known is not None and one.outcome is not None:
            await observed.complete(tx, known.execution_id, one.outcome)
            day = known.created_at.date()
            source = Source(known.execution_id, known.version and known.version.target_id)
            rows = [(source, UsedRow(day, "target", model, spent)) for model, spent in one.used.items()]
            await usage.put_many(tx, rows)
    await ingestion.add(tx, at.date(), left_out=sum(one.left_out for one in given))
    await traces.settle(tx, [(one.found.claimed, one.found.rows, one.spans) for one in given], at)
