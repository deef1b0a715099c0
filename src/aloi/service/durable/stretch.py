"""One stretch of a durable execution: from its start, or from where it stood, until it waits for people or is over."""

import asyncio
import logging
import time
from typing import ClassVar, TypeVar

from pydantic import JsonValue, PrivateAttr

from aloi.core.errors import Conflict, StoreUnavailable
from aloi.core.json_values import storable
from aloi.core.outcome import Failure, Outcome
from aloi.core.run import RunLimits
from aloi.core.spec import JsonObject
from aloi.core.target import Invocation as Given
from aloi.core.target import Parked, Question, Reply, Target, TargetContext
from aloi.core.trace import Trace
from aloi.core.trajectory import usage_of
from aloi.core.usage import NO_USAGE
from aloi.llm.secrets import masked
from aloi.runner.invoke import Invoker
from aloi.runner.task import CaseTask, Place
from aloi.service.clock import now
from aloi.service.invocation import Follower, Invocation
from aloi.service.online.sampling import let_ended_wait
from aloi.service.process.lease import LEASE
from aloi.service.traces.evidence import ReceivedSpans
from aloi.store import human_steps, unfinished
from aloi.tracing.recorder import Recording

J = TypeVar("J", bound=JsonValue)
log = logging.getLogger("aloi.service")
# A long trace takes time to store: after each one it is left out for so many times as long.
TRACE_PAUSE = 10
NOBODY_ASKED = Failure(stage="invoke", type="bad_reply", message="the target waits for people and asks them nothing")


class Ended(Conflict):
    """Somebody else ended the execution, deleted it or took it over: whoever worked on it must stop."""

    def __init__(self, execution_id: str) -> None:
        super().__init__(f"execution {execution_id} was ended, deleted or taken over by somebody else meanwhile")


class Continued(Target):
    """A target that goes on from where it stood. To the runner it is a failure that it parks; here it is told apart."""

    kind: ClassVar[str] = "continued"
    uses_workspace: ClassVar[bool] = True

    target: Target
    state: JsonObject | None
    answers: dict[str, JsonValue]
    _parked: Parked | None = PrivateAttr(default=None)

    @property
    def parked(self) -> Parked | None:
        """How it parked; null when it did not."""
        return self._parked

    async def invoke(self, invocation: Given, ctx: TargetContext) -> Reply | Parked:
        """As the target itself, with its state and the answers."""
        given = invocation.model_copy(update={"state": self.state, "answers": self.answers})
        reply = await self.target.invoke(given, ctx)
        if isinstance(reply, Parked):
            self._parked = reply
        return reply

    def span_seconds(self) -> float | None:
        """As the target itself."""
        return self.target.span_seconds()


class Stretch:
    """It runs, is kept after each finished step, and settles in the end."""

    def __init__(self, invocation: Invocation, target: Continued, earlier: Outcome, follow: Follower | None) -> None:
        self._invocation = invocation
        self._target = target
        self._earlier = earlier
        self._follow = follow
        self._recording: Recording | None = None
        self._start = time.perf_counter()
        self._state = target.state
        self._storing = asyncio.Lock()
        self._shown_again = 0.0

    async def run(self) -> Outcome:
        """The outcome of the whole execution, as it is with this stretch; what it failed of is in it.

        What a stretch used is read from its spans: what was interrupted counts too, and nothing counts twice.
        """
        invocation, begun = self._invocation, self._earlier.trace
        invoker = Invoker(
            self._target,
            self._context,
            RunLimits().seconds_per_case,
            evidence=ReceivedSpans(invocation.context, invocation.secrets),
            trace_id=None if begun is None else begun.trace_id,
        )
        async with invocation.context.invoking:
            self._start = time.perf_counter()
            outcome = await invoker.invoke(CaseTask(Place(0, 0), invocation.case))
        used = NO_USAGE if outcome.trace is None else usage_of(outcome.trace)
        failure = outcome.failure
        if self._target.parked is not None:
            failure = None if self._target.parked.questions else NOBODY_ASKED
        return joined(self._earlier, outcome.model_copy(update={"failure": failure, "usage": used}))

    def _context(self, recording: Recording, folder: str) -> TargetContext:
        self._recording = recording
        if self._follow is not None:
            recording.follow(self._invocation.masking(self._follow))
        given = self._invocation.context.target_context(recording, folder, interactive=True)
        return given._replace(keep=self._keep)

    async def _keep(self, state: JsonObject) -> None:
        """Store the target's state, and from time to time the trace and the usage so far with it.

        A gap of the database is sat out: the next step that finishes is stored with this one.
        """
        async with self._storing:
            self._state = self._hidden(state)
            try:
                await self._write(self._shown_now_and_then(), leased=True)
            except StoreUnavailable as error:
                log.warning("a step of execution %s is not stored yet: %s", self._invocation.id, error)

    def _shown_now_and_then(self) -> Outcome | None:
        """The outcome so far, as it is stored; null when the last one was a while's work and is not old enough."""
        if time.perf_counter() < self._shown_again:
            return None
        start = time.thread_time()
        shown = self._so_far()
        self._shown_again = time.perf_counter() + TRACE_PAUSE * (time.thread_time() - start)
        return shown

    def _so_far(self) -> Outcome:
        """The outcome as it would be if it ended now, without any secret."""
        if self._recording is None:
            return self._earlier
        trace, took = self._recording.trace(), time.perf_counter() - self._start
        outcome = joined(self._earlier, Outcome(usage=usage_of(trace), latency=took, trace=trace))
        return self._invocation.hidden(outcome)

    async def _write(self, shown: Outcome | None, leased: bool) -> None:
        """Store how far it is, and keep the lease or give it back; a null leaves the outcome that is stored.

        Raises:
            Ended: the lease is not this process's any more.
        """
        invocation, owner = self._invocation, self._invocation.context.owner
        until = now() + LEASE if leased else None
        async with invocation.context.database.transaction() as tx:
            if not await unfinished.keep(tx, invocation.id, owner, shown, self._state, until):
                raise Ended(invocation.id)
            if shown is not None:
                await invocation.count(tx, shown)

    async def give_back(self) -> None:
        """After an interruption: let others go on from here."""
        try:
            await self._write(self._so_far(), leased=False)
        except (Ended, StoreUnavailable) as error:
            log.info("execution %s is not given back: %s", self._invocation.id, error)

    async def settle(self, outcome: Outcome) -> bool:
        """Store that the execution is over or waits for people; whether it goes on at once, for they answered already.

        Raises:
            Ended: the lease is not this process's any more.
            StoreUnavailable: it could not be stored.
        """
        invocation, owner = self._invocation, self._invocation.context.owner
        shown, parked = invocation.hidden(outcome), self._target.parked
        async with invocation.context.database.transaction() as tx:
            if parked is None or outcome.failure is not None:
                goes_on, stored = False, await unfinished.end(tx, invocation.id, shown, owner)
            else:
                state, asked = self._hidden(parked.state), tuple(map(self._question, parked.questions))
                stored = await unfinished.keep(tx, invocation.id, owner, shown, state, None, waits=True)
                goes_on = stored and await human_steps.ask(tx, invocation.id, asked, self._target.answers, now())
            if not stored:
                raise Ended(invocation.id)
            await invocation.count(tx, shown)
            if parked is None or outcome.failure is not None:
                await let_ended_wait(tx, invocation, shown)
            return goes_on and await unfinished.go_on(tx, invocation.id, owner, now() + LEASE)

    def _question(self, question: Question) -> Question:
        text = self._hidden(question.text).replace("\x00", "\ufffd")
        return question.model_copy(update={"text": text})

    def _hidden(self, value: J) -> J:
        """What the target gave, without any secret that it was told, and so that every database keeps it."""
        return storable(masked(value, self._invocation.secrets))


def joined(earlier: Outcome, later: Outcome) -> Outcome:
    """Two stretches as one: what they used and took is added up, and their spans stand in one trace.

    The latency is that of the work alone; the time that people took is not in it.
    """
    first, second = earlier.trace, later.trace
    trace = second if first is None else first
    if first is not None and second is not None:
        spans, shows_tools = (*first.spans, *second.spans), first.shows_tools and second.shows_tools
        trace = Trace(trace_id=first.trace_id, spans=spans, shows_tools=shows_tools)
    used, took = earlier.usage + later.usage, round(earlier.latency + later.latency, 6)  # the rest is noise
    return later.model_copy(update={"usage": used, "latency": took, "trace": trace})
