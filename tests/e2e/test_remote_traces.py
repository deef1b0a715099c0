"""A run in a process of its own over an agent elsewhere, and spans that come to the same database by another way."""

import asyncio
import json
import signal
from pathlib import Path

from aloi.core.score import Verdict
from aloi.service.context import Context
from aloi.service.traces import receiving
from aloi.settings import Settings
from tests.e2e.command import Command
from tests.otlp_requests import request
from tests.remote_agent import RemoteAgent, serving, spans_of

TOOLS = [{"kind": "tool_call_order", "tools": ["search", "book"]}]


def write_suite(folder: Path, url: str, wait: float) -> Path:
    """A suite of one case over the agent."""
    suite = {
        "name": "Remote",
        "target": {"kind": "http", "url": url, "output": "$.answer", "span_wait": wait},
        "evaluators": TOOLS,
        "cases": [{"key": "k0", "prompt": "A room"}],
    }
    path = folder / "suite.json"
    path.write_text(json.dumps(suite), encoding="utf-8")
    return path


async def until_stored(aloi: Command, agent: RemoteAgent) -> None:
    """Wait until the answer of the first case is committed."""
    async with asyncio.timeout(30):
        while not agent.traceparents or not await asyncio.to_thread(aloi.rows, "SELECT id FROM executions"):
            await asyncio.sleep(0.05)


async def test_a_kill_between_the_answer_and_its_spans_and_a_resume(tmp_path: Path):
    aloi = Command(tmp_path / "home")
    async with serving(RemoteAgent()) as agent:
        process = aloi.start("run", str(write_suite(tmp_path, agent.url, 60)))
        await until_stored(aloi, agent)
        process.send_signal(signal.SIGKILL)
        await asyncio.to_thread(process.communicate)
        assert agent.traceparents[0] is not None
        _, trace_id, parent_id, _ = agent.traceparents[0].split("-")
        context = await Context.open(Settings(home=tmp_path / "home"), {})
        spans = request(*spans_of(trace_id, parent_id))
        await receiving.receive(context, spans, is_json=True, is_gzip=False)
        await context.close()
        resumed = await asyncio.to_thread(aloi.run, "runs", "resume", "latest")
        assert resumed.returncode == 0, resumed.stdout + resumed.stderr
        assert len(agent.traceparents) == 1, "the agent was paid twice"
    exported = await asyncio.to_thread(aloi.export)
    [result] = exported["results"]
    assert result["verdict"] == Verdict.PASS
    assert exported["summary"]["usage"]["input_tokens"] == 100


async def test_spans_that_a_server_receives_join_a_run_of_the_command_line(tmp_path: Path):
    aloi = Command(tmp_path / "home")
    context = await Context.open(Settings(home=tmp_path / "home"), {})

    async def sender(trace_id: str, parent_id: str, number: int) -> None:
        await receiving.receive(context, request(*spans_of(trace_id, parent_id)), is_json=True, is_gzip=False)

    async with serving(RemoteAgent(sender)) as agent:
        suite = str(write_suite(tmp_path, agent.url, 20))
        done = await asyncio.to_thread(aloi.run, "run", suite)
    await context.close()
    assert done.returncode == 0, done.stdout + done.stderr
