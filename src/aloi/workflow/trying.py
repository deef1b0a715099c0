"""Carries out one step: its span, its stand-in, its deadline and its retries."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

from pydantic import JsonValue

from aloi.core.errors import AloiError, InvalidInput, NotPermitted, StageFailure
from aloi.core.flow.weight import is_heavier
from aloi.core.json_values import answer_fault, storable
from aloi.core.spec import JsonObject
from aloi.core.step import NOTHING_KNOWN, Step, StepContext, Waiting
from aloi.core.target import OpenSpan
from aloi.core.trace import (
    MISFIT,
    OPERATION,
    PROVENANCE,
    STEP_INPUT,
    STEP_KIND,
    STEP_NAME,
    STEP_OUTPUT,
    STEP_SKIPPED,
    STEP_TRIES,
    STEP_WAITING,
    TOOL_ARGUMENTS,
    TOOL_NAME,
    TOOL_RESULT,
    WORKFLOW_STEP,
    Provenance,
)

LARGEST_OUTPUT = 20_000_000  # characters, as text
FIRST_PAUSE = 0.1  # seconds before the second try; it doubles
LONGEST_PAUSE = 2.0


class StepFailure(StageFailure):
    """A step failed: the message names it, so nothing needs to be added on the way out of maps."""


async def carried_out(step: Step, ctx: StepContext) -> JsonValue | Waiting:
    """The output of a step, as it can be stored; or what people must answer first.

    Raises:
        StepFailure: it failed, after all of its retries.
    """
    with ctx.target.recorder.span(f"step {ctx.path}", _attributes(step, ctx.path)) as span, _named(ctx.path):
        arguments = step.arguments(ctx.document)
        span.set({STEP_INPUT: ctx.evidence.shown(arguments)})
        output = await _answer(step, arguments, ctx, span)
        if isinstance(output, Waiting):
            span.set({STEP_WAITING: True})
            return output
        kept = _checked(output)
        span.set({STEP_OUTPUT: ctx.evidence.shown(kept)})
        return kept


def record_skipped(step: Step, ctx: StepContext) -> None:
    """A span that says that a step was left out."""
    with ctx.target.recorder.span(f"step {ctx.path}", {**_attributes(step, ctx.path), STEP_SKIPPED: True}):
        pass


def _attributes(step: Step, path: str) -> JsonObject:
    return {OPERATION: WORKFLOW_STEP, STEP_NAME: path, STEP_KIND: step.kind}


@contextmanager
def _named(path: str) -> Generator[None, None, None]:
    """Makes whatever goes wrong in its block a failure of the step. A cancel passes through."""
    try:
        yield
    except StepFailure:
        raise
    except StageFailure as error:
        raise StepFailure("invoke", error.type, f"step {path}: {error.message}") from error
    except AloiError as error:
        raise StepFailure("invoke", "invalid_step", f"step {path}: {error}") from error
    except Exception as error:
        raise StepFailure("invoke", "exception", f"step {path} raised {type(error).__name__}: {error}") from error


async def _answer(step: Step, arguments: JsonValue, ctx: StepContext, span: OpenSpan) -> JsonValue | Waiting:
    if step.component is not None and ctx.target.stand_ins.covers(step.name):
        provenance = ctx.target.stand_ins.provenance(step.name)
        span.set({PROVENANCE: provenance})
        with _call(step, arguments, ctx, provenance) as call:
            schema = step.answer_schema(NOTHING_KNOWN)
            simulated = await ctx.target.stand_ins.answer(step.name, arguments, schema)
            call.ended(ctx.evidence.shown(simulated.output))
            if simulated.misfit is not None:
                span.set({MISFIT: simulated.misfit})
            return simulated.output
    return await _tried(step, arguments, ctx, span)


async def _tried(step: Step, arguments: JsonValue, ctx: StepContext, span: OpenSpan) -> JsonValue | Waiting:
    """What the step gives at last. What nothing would mend by itself is not tried again."""
    for number in range(step.retries):
        try:
            return await _once(step, arguments, ctx)
        except (NotPermitted, InvalidInput):
            raise
        except Exception:
            span.set({STEP_TRIES: number + 2})
            await asyncio.sleep(min(FIRST_PAUSE * 2**number, LONGEST_PAUSE))
    return await _once(step, arguments, ctx)


async def _once(step: Step, arguments: JsonValue, ctx: StepContext) -> JsonValue | Waiting:
    with _call(step, arguments, ctx) as call:
        output = await _in_time(step, arguments, ctx)
        if not isinstance(output, Waiting):
            call.ended(ctx.evidence.shown(output))
        return output


async def _in_time(step: Step, arguments: JsonValue, ctx: StepContext) -> JsonValue | Waiting:
    """What the step gives before its deadline; also a step that swallows the cancel at its deadline is late."""
    before = _cancels()
    deadline = asyncio.timeout(step.seconds)
    try:
        async with deadline:
            output = await step.run(arguments, ctx)
    except asyncio.CancelledError as error:
        if _cancels() > before:
            raise
        raise StageFailure("invoke", "exception", "it raised CancelledError, though nobody cancelled it") from error
    except TimeoutError:
        if not deadline.expired():
            raise
        raise _late(step) from None
    if _cancels() > before:
        raise asyncio.CancelledError
    if deadline.expired():
        raise _late(step)
    return output


def _late(step: Step) -> StageFailure:
    return StageFailure("invoke", "timeout", f"no answer within {step.seconds:g} s; raise its seconds if it needs more")


def _checked(output: JsonValue) -> JsonValue:
    """The output as it can be stored.

    Raises:
        StageFailure: it cannot be (type `bad_reply`).
    """
    if is_heavier(output, LARGEST_OUTPUT):
        raise StageFailure("invoke", "bad_reply", f"its output has more than {LARGEST_OUTPUT:,} characters; give less")
    if fault := answer_fault(output):
        raise StageFailure("invoke", "bad_reply", f"its output {fault}")
    return storable(output)


class _Call:
    """The record of a tool's call, if the step is one."""

    def __init__(self, span: OpenSpan | None) -> None:
        self._span = span

    def ended(self, output: JsonValue) -> None:
        """Note what the call gave."""
        if self._span is not None:
            self._span.set({TOOL_RESULT: output})


@contextmanager
def _call(
    step: Step, arguments: JsonValue, ctx: StepContext, provenance: Provenance = "real"
) -> Generator[_Call, None, None]:
    tool = step.tool_name()
    if tool is None:
        yield _Call(None)
        return
    attributes: JsonObject = {
        OPERATION: "execute_tool",
        TOOL_NAME: tool,
        TOOL_ARGUMENTS: ctx.evidence.shown(arguments),
        PROVENANCE: provenance,
    }
    with ctx.target.recorder.span(f"execute_tool {tool}", attributes) as span:
        yield _Call(span)


def _cancels() -> int:
    """How often this task was asked to end: when a step runs, that tells a cancel from one that its own code raised."""
    task = asyncio.current_task()
    return 0 if task is None else task.cancelling()
