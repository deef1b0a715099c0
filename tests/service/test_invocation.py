"""What becomes of an invocation outside of runs: its execution, its usage, and no secret."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from aloi.core.case import Case
from aloi.core.errors import Conflict, NotPermitted
from aloi.core.execution import ExecutionSource, ExecutionStatus, SpanEnded
from aloi.core.outcome import Outcome
from aloi.core.spec import JsonObject
from aloi.core.trace import Span, Trace
from aloi.core.usage import Usage
from aloi.service import targets
from aloi.service.clock import new_id
from aloi.service.context import Context
from aloi.service.invocation import Invocation, invocation_of
from aloi.settings import Settings
from aloi.store import usage
from tests.service.stepwise import definition
from tests.service.stepwise import stepwise as stepwise

pytestmark = pytest.mark.usefixtures("stepwise")
SECRET = "pl4nted-secret"
# Late in the evening there, the next day in UTC.
BEGUN = datetime(2026, 11, 30, 23, 0, tzinfo=timezone(timedelta(hours=-5)))
AGENT: JsonObject = {"kind": "agent", "model": "openai:echo", "api_key_env": "SOME_API_KEY"}


async def prepared(context: Context, spec: JsonObject) -> Invocation:
    version = await targets.save_definition(context, "bot", spec)
    return invocation_of(context, version, Case(input="Hi"), ExecutionSource.RUNNER, (new_id(), BEGUN))


async def test_who_may_be_asked_makes_it_durable(context: Context, tmp_path: Path) -> None:
    assert (await prepared(context, definition(tmp_path, "a", "ask"))).is_durable


async def test_others_are_not(context: Context, tmp_path: Path) -> None:
    assert not (await prepared(context, definition(tmp_path, "a"))).is_durable


async def test_its_execution(context: Context, tmp_path: Path) -> None:
    invocation = await prepared(context, definition(tmp_path, "a"))
    execution = invocation.execution(Outcome(output="x"), ExecutionStatus.OK)
    assert (execution.id, execution.created_at, execution.source) == (invocation.id, BEGUN, "runner")
    assert (execution.target_name, execution.target_kind, execution.version) == ("bot", "stepwise", 1)
    assert (execution.input, execution.output, execution.run_id) == ("Hi", "x", None)


async def test_what_it_used_is_said_again_and_counts_once(context: Context) -> None:
    invocation = await prepared(context, AGENT)
    for calls in (1, 3):
        async with context.database.transaction() as tx:
            await invocation.count(tx, Outcome(usage=Usage(calls=calls)))
    async with context.database.read() as rx:
        [row] = await usage.by_day(rx, BEGUN.date(), BEGUN.date() + timedelta(days=2))
    assert (row.day, row.side, row.model) == (BEGUN.astimezone(UTC).date(), "target", "openai:echo")
    assert row.usage == Usage(calls=3)


async def test_secrets_are_hidden(tmp_path: Path) -> None:
    context = await Context.open(Settings(home=tmp_path), {"SOME_API_KEY": SECRET})
    try:
        invocation = await prepared(context, AGENT)
        span = Span(span_id="a", name=f"span {SECRET}", start_ns=1, end_ns=2, error=SECRET)
        hidden = invocation.hidden(Outcome(output={SECRET: SECRET}, trace=Trace(trace_id="t", spans=(span,))))
        shown: list[SpanEnded] = []
        invocation.masking(shown.append)(span)
    finally:
        await context.close()
    assert SECRET not in hidden.model_dump_json() and "[SOME_API_KEY]" in hidden.model_dump_json()
    assert (shown[0].name, shown[0].error) == ("span [SOME_API_KEY]", "[SOME_API_KEY]")


async def test_what_changed_since_is_refused(context: Context) -> None:
    version = await targets.save_definition(
        context, "bot", {"kind": "python", "function": "tests.targets.functions:shout"}
    )
    changed = version.model_copy(update={"fingerprint": {"source_sha256": "0" * 64}})
    begun = new_id(), BEGUN
    with pytest.raises(Conflict, match="source_sha256 changed"):
        invocation_of(context, changed, Case(input="Hi"), ExecutionSource.RUNNER, begun)
    context.settings = context.settings.model_copy(update={"allow_code": False})
    with pytest.raises(NotPermitted, match="ALOI_ALLOW_CODE"):
        invocation_of(context, version, Case(input="Hi"), ExecutionSource.RUNNER, begun)
