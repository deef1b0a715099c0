"""A service that was sent a secret may repeat it in the spans that it exports: it is stored nowhere."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from aloi.core.execution import Invoke
from aloi.service import executions, invoking, targets
from aloi.service.context import Context
from aloi.service.traces import observing
from aloi.settings import Settings
from aloi.targets.http import Http
from tests.otlp_requests import span
from tests.remote_agent import RemoteAgent, serving, spans_of
from tests.service.observed import all_of, come_to_rest, send
from tests.service.traces.test_evidence import CONTAINS, ORDER, only

SECRET = "of-the-operator"
HEADERS = {"Authorization": "Bearer ${REMOTE_TOKEN}"}


@pytest.fixture
async def context(tmp_path: Path) -> AsyncIterator[Context]:
    settings = Settings(home=tmp_path, trace_idle_seconds=0.1)
    opened = await Context.open(settings, {"REMOTE_TOKEN": SECRET})
    yield opened
    await opened.close()


@pytest.fixture
async def agent(context: Context) -> AsyncIterator[RemoteAgent]:
    """An agent whose instrumentation keeps the headers of what it is asked."""

    async def sender(trace_id: str, parent_id: str, number: int) -> None:
        read = span(trace_id, 9, 1, name="read", http__request__header__authorization=f"Bearer {SECRET}")
        await send(context, *spans_of(trace_id, parent_id), read)

    async with serving(RemoteAgent(sender)) as found:
        yield found


async def stored(context: Context) -> str:
    """The one execution, once all of its spans have come."""
    await come_to_rest(context)
    await observing.finish_due(context)
    [execution] = await all_of(context)
    return (await executions.get(context, execution.id)).model_dump_json()


@pytest.mark.parametrize("evaluator", [ORDER, CONTAINS], ids=["in time", "late"])
async def test_in_a_run(context: Context, agent: RemoteAgent, evaluator: dict[str, Any]):
    result = await only(context, agent, evaluator, headers=HEADERS)
    text = await stored(context)
    assert "Bearer [REMOTE_TOKEN]" in text
    assert SECRET not in text + result.model_dump_json()


async def test_outside_of_runs(context: Context, agent: RemoteAgent):
    await targets.save(context, "target", Http(url=agent.url, headers=HEADERS))
    await invoking.carry_out(await invoking.prepare(context, "target", Invoke(input="A room")))
    text = await stored(context)
    assert "Bearer [REMOTE_TOKEN]" in text
    assert SECRET not in text
