"""Trace in, score out: golden rows sent as traces to a real server, where a rule grades them as they arrive."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from aloi.core.access import Role
from aloi.service.accounts import api_keys
from aloi.service.context import Context
from aloi.service.online.grading import look_after_online
from aloi.service.traces.observing import look_after_traces
from aloi.settings import Settings
from tests.api.calls import Caller, running
from tests.otlp_requests import Json, agent, chat, document, new_trace, tool

Rows = list[dict[str, Any]]
ROWS: Rows = [
    row
    for row in json.loads((Path(__file__).with_name("evaluators.json")).read_text())
    if row["kind"].startswith("tool_call_")
]


@pytest.fixture
async def caller(tmp_path: Path) -> AsyncIterator[Caller]:
    """Who asks a server that makes executions of traces, and grades them."""
    context = await Context.open(Settings(home=tmp_path, trace_idle_seconds=0.1), {}, served=True)
    async with running(context) as server:
        working = [asyncio.create_task(look(context)) for look in (look_after_traces, look_after_online)]
        key = await api_keys.create(context, "exporter", Role.EDITOR)
        yield server.caller(key.secret)
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)
    await context.close()


def spans_of(row: dict[str, Any]) -> list[Json]:
    """The trace of an agent that made the calls of a row."""
    trace_id = new_trace()
    calls = [_call(trace_id, number, call) for number, call in enumerate(row["tool_calls"], 2)]
    return [agent(trace_id, row["id"], json.dumps(row["output"])), chat(trace_id, 1), *calls]


def _call(trace_id: str, number: int, call: dict[str, Any]) -> Json:
    made = tool(trace_id, number, call["tool"], **call["args"])
    own = [one for one in made["attributes"] if one["key"] != "gen_ai.tool.call.result"]
    if call["output"] is not None:
        own.append({"key": "gen_ai.tool.call.result", "value": {"stringValue": call["output"]}})
    return {**made, "attributes": own}


async def graded(caller: Caller, target: str) -> list[dict[str, Any]]:
    """What the rule of a target said, once all is graded."""
    while True:
        rule = (await caller.get(f"/api/targets/{target}/online-rules/golden")).body
        found = (await caller.get(f"/api/targets/{target}/online-rules/golden/results")).body["items"]
        if found and not rule["waiting"]:
            return found
        await asyncio.sleep(0.05)


async def test_every_row_scores_by_way_of_a_trace_as_it_does_alone(caller: Caller) -> None:
    for row in ROWS:
        made = await caller.post("/api/targets", {"name": row["id"], "definition": {"kind": "remote"}})
        assert made.status == 201, made
        rule = {"name": "golden", "evaluators": [{"kind": row["kind"], **row["params"]}]}
        made = await caller.post(f"/api/targets/{row['id']}/online-rules", rule)
        assert made.status == 201, made
    for row in ROWS:
        sent = await caller.post("/v1/traces", document(*spans_of(row), service=row["id"]))
        assert sent.status == 200, sent
    wrong: list[str] = []
    async with asyncio.timeout(60):
        for row in ROWS:
            [result] = await graded(caller, row["id"])
            [score] = result["scores"]
            value = float(score["value"] == 1) if row.get("all_or_nothing") else score["value"]
            if value != pytest.approx(row["value"], abs=1e-9):
                wrong.append(f"{row['id']}: {value} in place of {row['value']}: {score['explanation']}")
    assert not wrong, "\n".join(wrong)
    assert len(ROWS) > 30
