"""One invocation: deadline, recorder, a workspace of its own; whatever happens becomes an Outcome."""

import asyncio
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryDirectory

from aloi.core.errors import AloiError, StageFailure
from aloi.core.json_values import is_finite, storable
from aloi.core.outcome import Failure, Outcome
from aloi.core.target import Invocation, Reply, Target, TargetContext
from aloi.core.trajectory import usage_of
from aloi.runner.task import CaseTask
from aloi.tracing.recorder import Recording, recording


@dataclass(frozen=True)
class Invoker:
    """Invokes one target, case by case.

    Args:
        target: what is evaluated.
        context: makes the target's context from a recorder and the path of the workspace.
        seconds: the deadline of one invocation, retries included.
    """

    target: Target
    context: Callable[[Recording, str], TargetContext]
    seconds: float

    async def invoke(self, task: CaseTask) -> Outcome:
        """The outcome of one task; failures are in it, never raised."""
        recorder = recording()
        invocation = Invocation(input=task.case.input, case_key=task.case.key, trial=task.place.trial)
        start = time.perf_counter()
        answer = await self._answer(invocation, recorder)
        latency = time.perf_counter() - start
        if isinstance(answer, Failure):
            trace = recorder.trace()
            return Outcome(failure=answer, usage=usage_of(trace), latency=latency, trace=trace)
        return Outcome(
            output=answer.output,
            usage=answer.usage,
            latency=latency if answer.latency is None else answer.latency,
            trace=recorder.trace(answer.shows_tools),
        )

    async def _answer(self, invocation: Invocation, recorder: Recording) -> Reply | Failure:
        """The reply, or what stood in its way. A cancel is neither, and passes through."""
        deadline = asyncio.timeout(self.seconds)
        try:
            with workspace(self.target.uses_workspace) as folder:
                async with deadline:
                    return checked(await self.target.invoke(invocation, self.context(recorder, folder)))
        except StageFailure as error:
            return _failure(error.type, error.message)
        except AloiError as error:
            return _failure("invalid_target", str(error))
        except Exception as error:  # the target's own code may raise anything
            if isinstance(error, TimeoutError) and deadline.expired():
                return _failure(
                    "timeout", f"no answer within {self.seconds:g} s; raise seconds_per_case if it needs more"
                )
            return _failure("exception", f"the target raised {type(error).__name__}: {error}")


def _failure(type_: str, message: str) -> Failure:
    return Failure(stage="invoke", type=type_, message=storable(message))


def checked(reply: Reply) -> Reply:
    """The reply with an output that can be stored; lone surrogates in texts become U+FFFD.

    Raises:
        StageFailure: there is no output (null), or a number in it is not finite, which no JSON value is.
    """
    if reply.output is None:
        raise StageFailure("invoke", "no_answer", "the target gave no answer (null)")
    if not is_finite(reply.output):
        raise StageFailure("invoke", "bad_reply", "the answer holds NaN or an infinite number, which JSON has not")
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
