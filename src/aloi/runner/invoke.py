"""One invocation: deadline, recorder, a workspace of its own; whatever happens becomes an Outcome."""

import asyncio
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory

from aloi.core.errors import AloiError, StageFailure
from aloi.core.json_values import answer_fault, storable
from aloi.core.outcome import Failure, Outcome
from aloi.core.target import Invocation, Parked, Reply, Target, TargetContext
from aloi.core.trajectory import usage_of
from aloi.runner.evidence import NO_EVIDENCE, Evidence
from aloi.runner.serving import NOT_SERVING, Serving, tools_to_serve, with_calls
from aloi.runner.task import CaseTask
from aloi.simulation.simulator import Simulator, TrialStandIns
from aloi.tracing.recorder import Recording


@dataclass(frozen=True)
class Invoker:
    """Invokes one target, case by case.

    Args:
        target: what is evaluated.
        context: makes the target's context from a recorder and the path of the workspace.
        seconds: the deadline of one invocation, retries included.
        simulator: makes the stand-ins of each trial; the default simulates nothing but what a case itself says.
        serving: serves simulated tools to a target that runs elsewhere.
        evidence: is told of the trace that a target is sent, before it is.
        trace_id: of the trace that is gone on with; null for one of its own each time.
    """

    target: Target
    context: Callable[[Recording, str], TargetContext]
    seconds: float
    simulator: Simulator = field(default_factory=Simulator)
    serving: Serving = NOT_SERVING
    evidence: Evidence = NO_EVIDENCE
    trace_id: str | None = None

    async def invoke(self, task: CaseTask) -> Outcome:
        """The outcome of one task; failures are in it, never raised."""
        tools = tools_to_serve(self.target, self.simulator.simulations, task.case)
        if not tools:
            return await self._outcome(task, None)
        outcome = Outcome()
        try:
            async with self.serving.session(tools, self.seconds) as session:
                outcome = await self._outcome(task, session.url)
            return with_calls(outcome, session.calls)
        except AloiError as error:
            if is_cancelled():
                raise asyncio.CancelledError from error
            failure = _failure("serving", f"the simulated tools cannot be served: {error}")
            return outcome.model_copy(update={"failure": failure, "output": None})

    async def _outcome(self, task: CaseTask, mcp_url: str | None) -> Outcome:
        """The outcome; `mcp_url`: where simulated tools are served to the target meanwhile."""
        recorder = Recording(self.trace_id)
        if (wait := self.target.span_seconds()) is not None:
            await self.evidence.expect(recorder.trace_id, self.seconds + wait)
        stand_ins = self.simulator.stand_ins(task.case, recorder.spans)
        case, trial = task.case, task.place.trial
        invocation = Invocation(input=case.input, case_key=case.key, trial=trial, attachments=case.attachments)
        start = time.perf_counter()
        answer = await self._answer(invocation, recorder, stand_ins, mcp_url)
        if is_cancelled():  # a target that swallows the cancel must not keep the run going
            raise asyncio.CancelledError
        latency = round(time.perf_counter() - start, 6)  # the rest is noise
        if isinstance(answer, Failure):
            trace = recorder.trace()
            used, simulated = usage_of(trace), stand_ins.usage
            return Outcome(failure=answer, usage=used, simulation_usage=simulated, latency=latency, trace=trace)
        return Outcome(
            output=answer.output,
            usage=answer.usage,
            simulation_usage=stand_ins.usage,
            latency=latency if answer.latency is None else answer.latency,
            trace=recorder.trace(answer.shows_tools),
        )

    async def _answer(
        self, invocation: Invocation, recorder: Recording, stand_ins: TrialStandIns, mcp_url: str | None
    ) -> Reply | Failure:
        """The reply, or what stood in its way. A cancel of the run is neither, and passes through."""
        deadline = asyncio.timeout(self.seconds)
        try:
            with workspace(self.target.uses_workspace) as folder:
                ctx = self.context(recorder, folder)._replace(stand_ins=stand_ins, mcp_url=mcp_url)
                async with deadline:
                    reply = await self.target.invoke(invocation, ctx)
                return self._late() if deadline.expired() else _answered(reply)
        except asyncio.CancelledError as error:
            if is_cancelled():
                raise
            return _raised(error)
        except StageFailure as error:
            return _failure(error.type, error.message)
        except AloiError as error:
            return _failure("invalid_target", str(error))
        except Exception as error:  # the target's own code may raise anything
            if isinstance(error, TimeoutError) and deadline.expired():
                return self._late()
            return _raised(error)

    def _late(self) -> Failure:
        return _failure("timeout", f"no answer within {self.seconds:g} s; raise seconds_per_case if it needs more")


def _answered(reply: Reply | Parked) -> Reply | Failure:
    """The reply; in a run nobody answers what a person is asked."""
    if isinstance(reply, Reply):
        return checked(reply)
    steps = ", ".join(question.step for question in reply.questions)
    return _failure("parked", f"a person is asked in {steps}, and a run has none; simulate it")


def _raised(error: BaseException) -> Failure:
    return _failure("exception", f"the target raised {type(error).__name__}: {error}")


def is_cancelled() -> bool:
    """Whether this task was asked to end. Else a CancelledError is one that the user's own code raised."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _failure(type_: str, message: str) -> Failure:
    return Failure(stage="invoke", type=type_, message=storable(message))


def checked(reply: Reply) -> Reply:
    """The reply with an output that can be stored; lone surrogates in texts become U+FFFD.

    Raises:
        StageFailure: there is no output (null), or one that could not be read again (see `answer_fault`).
    """
    if reply.output is None:
        raise StageFailure("invoke", "no_answer", "the target gave no answer (null)")
    if fault := answer_fault(reply.output):
        raise StageFailure("invoke", "bad_reply", f"the answer {fault}")
    output = storable(reply.output)
    return reply if output is reply.output else reply.model_copy(update={"output": output})


@contextmanager
def workspace(wanted: bool) -> Generator[str, None, None]:
    """The path of a fresh folder, gone afterwards; an empty text when none is wanted."""
    if not wanted:
        yield ""
        return
    with TemporaryDirectory(prefix="aloi-case-", ignore_cleanup_errors=True) as folder:
        yield folder
