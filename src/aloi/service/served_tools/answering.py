"""Answering the calls of simulated tools that are served to agents elsewhere; any server process does it.

A session is known by its token alone. Its calls are numbered under a lock, so that answers in turn are given in turn
however many servers and calls there are at once.
"""

import json
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import NamedTuple

from pydantic import JsonValue

from aloi.core.errors import NotFound, StageFailure, ToolFailure
from aloi.core.json_values import storable
from aloi.core.judge import SET_A_JUDGE
from aloi.core.path_text import path_text
from aloi.core.served import ServedCall, ServedSession, ServedTool, served_spans
from aloi.core.simulation import StaticSimulation
from aloi.core.spec import JsonObject
from aloi.core.trace import Trace
from aloi.core.trajectory import trajectory
from aloi.core.usage import NO_USAGE, Usage
from aloi.llm.schema_fit import told_misfit
from aloi.service.accounts.tokens import digest
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.simulation.generated import AnswerWriter, Call
from aloi.simulation.simulator import PATH_LIMIT
from aloi.simulation.static import choice
from aloi.store import runs, served, targets, usage
from aloi.store.connection import Connection
from aloi.store.usage import Source

MOST_CALLS = 1_000  # of one invocation: an agent that goes round in circles must end
# Of all calls of one invocation: they become one trace, which is stored and read as a whole.
MOST_CHARACTERS = 20_000_000
MOST_CHECKED = 20  # of the answers that take turns: whether those that follow fit is not told
ANSWERS_KEPT = timedelta(days=7)
OVER = "there are no simulated tools here: the address is wrong, or the invocation that it was for is over"


async def session(context: Context, token: str) -> ServedSession:
    """What is served under a token.

    Raises:
        NotFound: nothing, or not any more.
    """
    async with context.database.read() as rx:
        found = await served.session(rx, digest(token), now())
    if found is None:
        raise NotFound(OVER)
    return found


async def announced_schema(tool: ServedTool) -> JsonObject | None:
    """The output schema that agents are told of; null where they are told of none.

    MCP knows schemas of objects alone, and its clients refuse answers that do not fit. Fixed answers may be meant not
    to, so that it is seen what an agent makes of them.
    """
    schema = tool.output_schema
    if schema is None or schema.get("type") != "object":
        return None
    if isinstance(tool.simulation, StaticSimulation):
        for given in tool.simulation.answers:
            if not isinstance(given.output, dict) or await told_misfit(schema, given.output) is not None:
                return None
    return schema


async def answer(
    context: Context, token: str, session: ServedSession, tool: ServedTool, arguments: JsonValue
) -> ServedCall:
    """Answer a call of a tool, and write it down. An error of the call is in it.

    Raises:
        ToolFailure: the agent made too many calls.
        NotFound: the session is over.
    """
    call = ServedCall(
        tool=tool.name, arguments=storable(arguments), provenance=tool.simulation.kind, start_ns=time.time_ns()
    )
    if fault := await told_misfit(tool.input_schema, arguments):
        wrong = _ended(call, error=f"the arguments do not fit: {fault}")
        return (await _add(context, token, lambda _: wrong)).call
    if isinstance(tool.simulation, StaticSimulation):
        return await _fixed(context, token, call, tool, tool.simulation)
    return await _written(context, token, call, session, tool.output_schema, tool.simulation.description)


def _ended(
    call: ServedCall,
    output: JsonValue = None,
    error: str | None = None,
    *,
    broken: bool = False,
    usage: Usage = NO_USAGE,
) -> ServedCall:
    changes = {"output": output, "error": error, "broken": broken, "usage": usage, "end_ns": time.time_ns()}
    return call.model_copy(update=changes)


class _Added(NamedTuple):
    """A call that was written down, and its number."""

    call: ServedCall
    seq: int


async def _add(context: Context, token: str, settle: Callable[[int], ServedCall], *turns: str) -> _Added:
    """Write a call down, as `settle` makes it of how many calls took the same turns before.

    Args:
        turns: the tool and the key of its answers that take turns; nothing for a call that takes none.
    """
    tool, key = turns or ("", "")
    async with context.database.transaction() as tx:
        if not await served.hold(tx, digest(token), now()):
            raise NotFound(OVER)
        total, turn = await served.counts(tx, digest(token), tool, key)
        if total >= MOST_CALLS:
            raise ToolFailure(f"there were {MOST_CALLS:,} calls of simulated tools; there are no more answers")
        if await served.size(tx, digest(token)) > MOST_CHARACTERS:
            raise ToolFailure(
                f"the calls of simulated tools took more than {MOST_CHARACTERS:,} characters; there are no more answers"
            )
        call = settle(turn)
        await served.add(tx, digest(token), total, call, key)
    return _Added(call, total)


async def _fixed(
    context: Context, token: str, call: ServedCall, tool: ServedTool, simulation: StaticSimulation
) -> ServedCall:
    """Give the fixed answer whose turn it is."""
    try:
        chosen = choice(tool.name, simulation, call.arguments)
    except StageFailure as failure:
        broken = _ended(call, error=failure.message, broken=True)
        return (await _add(context, token, lambda _: broken)).call
    first = chosen.answers[:MOST_CHECKED]
    misfits = dict(enumerate([await told_misfit(tool.output_schema, given.output) for given in first]))

    def settle(turn: int) -> ServedCall:
        misfit = misfits.get(min(turn, len(chosen.answers) - 1))
        return _ended(call, chosen.at(turn)).model_copy(update={"misfit": misfit})

    return (await _add(context, token, settle, tool.name, chosen.key)).call


async def _written(
    context: Context,
    token: str,
    call: ServedCall,
    session: ServedSession,
    schema: JsonObject | None,
    description: str,
) -> ServedCall:
    """Have a model write the answer, given the calls before; what that used is written down with it.

    Raises:
        NotFound: the session ended meanwhile; what was used counts for the workspace all the same.
    """
    seq = (await _add(context, token, lambda _: call)).seq
    async with context.database.read() as rx:
        earlier = (await served.calls(rx, digest(token)))[:seq]
    spent: list[Usage] = []
    try:
        asked = Call(call.tool, description, call.arguments, _path(earlier), schema)
        async with context.desk.away():
            output = await generated_answer(context, session, asked, spent)
        ended = _ended(call, output)
    except StageFailure as failure:
        ended = _ended(call, error=failure.message, broken=True)
    ended = ended.model_copy(update={"usage": sum(spent, NO_USAGE)})
    async with context.database.transaction() as tx:
        is_in_time = await served.change(tx, digest(token), seq, ended)
    if is_in_time:
        return ended
    await _count_late(context, session, ended.usage)
    raise NotFound(OVER)


async def _count_late(context: Context, session: ServedSession, used: Usage) -> None:
    """Count what an answer used that came too late for its invocation, which is stored without it."""
    if session.writer is None:
        return
    async with context.in_workspace(session.workspace_id).database.transaction() as tx:
        source = Source(new_id(), await _target_of(tx, session.scope))
        await usage.put(tx, source, "judge", now().date(), session.writer.model, used)


async def _target_of(rx: Connection, run_id: str) -> str | None:
    """The target that a run is of; null when the run is gone."""
    try:
        run = await runs.get(rx, run_id)
    except NotFound:
        return None
    return (await targets.version_by_id(rx, run.spec.target_version_id)).target_id


def _path(earlier: Sequence[ServedCall]) -> str:
    """What the agent was answered until now; of what else it did nothing is known here."""
    ended = [call for call in earlier if call.end_ns is not None]
    return path_text(trajectory(Trace(trace_id="", spans=served_spans(ended, None))), PATH_LIMIT)


async def generated_answer(context: Context, session: ServedSession, call: Call, spent: list[Usage]) -> JsonValue:
    """The answer to a call; throughout a run the same for calls that are alike, whichever server is asked.

    Two servers that are asked at once may both have it written; the answer that is stored first is given by both.
    """
    if session.writer is None:
        message = f"the simulation of {call.component} is generated, and no model is set; {SET_A_JUDGE}"
        raise StageFailure("invoke", "simulation", message)
    key = call.key()
    async with context.desk.writing(f"{session.scope} {key}"):
        async with context.database.read() as rx:
            known = await served.answer(rx, session.scope, bytes.fromhex(key))
        if known is None:
            written = await AnswerWriter(context.models.chat(session.writer)).answer(call, spent.append)
            async with context.database.transaction() as tx:
                known = await served.keep(tx, session.scope, bytes.fromhex(key), written, now() + ANSWERS_KEPT)
    return json.loads(known)
