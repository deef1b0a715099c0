"""`python -m benchmarks.ingest`: send traces to a server on one core, and see how it answers and what it holds."""

import argparse
import asyncio
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

import aiohttp
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue

from benchmarks.api.serving import Owner
from benchmarks.table import markdown
from tests import postgres_server

TRACES, SPANS = 8, 5  # of one request, and of each trace
TEXT = "A sentence of a conversation between a person and an agent. " * 8
PAGE = 4096
SETTLE_SECONDS = 60
TICKS = os.sysconf("SC_CLK_TCK")


class Figures(NamedTuple):
    """What was seen. Seconds and megabytes; `memory` at the end of each quarter; `cpu`: of one core, 1 is all of it."""

    sent: int
    seconds: float
    answers: Sequence[float]
    memory: Sequence[float]
    cpu: float
    made: int
    settled: float


def options() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ingest", description=__doc__)
    parser.add_argument("--rate", type=int, default=2000, help="spans a second (default 2,000)")
    parser.add_argument("--seconds", type=int, default=60, help="how long (default 60)")
    parser.add_argument("--postgres", action="store_true", help="PostgreSQL instead of SQLite")
    return parser.parse_args()


def main(given: argparse.Namespace) -> None:
    """Measure and print."""
    with (
        tempfile.TemporaryDirectory(prefix="aloi-bench-") as name,
        database(given.postgres) as address,
        serving(Path(name), address) as (owner, pid),
    ):
        found = asyncio.run(measure(owner, pid, given.rate, given.seconds))
    print(table(found, "PostgreSQL" if given.postgres else "SQLite"))


@contextmanager
def database(postgres: bool) -> Generator[str | None]:
    """The address of an empty PostgreSQL database; null for SQLite in the home."""
    if not postgres:
        yield None
        return
    with postgres_server.serve() as server:
        yield asyncio.run(server.fresh())


@contextmanager
def serving(home: Path, address: str | None) -> Generator[tuple[Owner, int]]:
    """A server on the first core alone, its owner, and its process."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ALOI_")}
    environ |= {"ALOI_HOME": str(home), **({} if address is None else {"ALOI_DATABASE_URL": address})}
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})  # a child has what its parent has
    command = [sys.executable, "-m", "aloi.cli", "serve", "--port", "0"]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as process:
        os.sched_setaffinity(0, cores - {min(cores)} or cores)
        assert process.stdout is not None
        try:
            url, link = (process.stdout.readline().split()[-1] for _ in range(2))
            token = Owner(url).post("/api/auth/link", {"token": link.partition("token=")[2]})["token"]
            yield Owner(url, token), process.pid
        finally:
            process.kill()


async def measure(owner: Owner, pid: int, rate: int, seconds: int) -> Figures:
    """Send at a steady pace, whatever the answers take; then wait until all became executions."""
    body, ids = template()
    every = TRACES * SPANS / rate
    count = int(seconds / every)
    answers: list[float] = []
    memory: list[float] = []
    used, start = cpu_seconds(pid), time.perf_counter()
    headers = {"Authorization": f"Bearer {owner.token}", "Content-Type": "application/x-protobuf"}
    async with aiohttp.ClientSession(headers=headers, connector=aiohttp.TCPConnector(limit=32)) as session:

        async def send() -> None:
            began = time.perf_counter()
            async with session.post(f"{owner.url}/v1/traces", data=renewed(body, ids)) as response:
                await response.read()
                if response.status != 200:
                    raise RuntimeError(f"answered with {response.status}")
            answers.append(time.perf_counter() - began)

        sending: list[asyncio.Task[None]] = []
        for number in range(count):
            await asyncio.sleep(max(0.0, start + number * every - time.perf_counter()))
            sending.append(asyncio.create_task(send()))
            if (number + 1) % (count // 4) == 0:
                memory.append(megabytes(pid))
        await asyncio.gather(*sending)
    took = time.perf_counter() - start
    used = cpu_seconds(pid) - used
    settled = await settle(owner, start + took)
    made = count * TRACES - owner.get("/api/workspace/ingestion")["dropped_traces"]
    return Figures(count * TRACES * SPANS, took, answers, memory, used / took, made, settled)


async def settle(owner: Owner, ended: float) -> float:
    """Seconds until nothing waits any more."""
    while owner.get("/api/workspace/ingestion")["waiting_spans"]:
        if time.perf_counter() > ended + SETTLE_SECONDS:
            raise RuntimeError(f"spans still wait {SETTLE_SECONDS} seconds after the last was sent")
        await asyncio.sleep(0.5)
    return time.perf_counter() - ended


def template() -> tuple[bytes, list[bytes]]:
    """A request, and the ids of traces in it, which are made anew each time it is sent."""
    request = ExportTraceServiceRequest()
    group = request.resource_spans.add()
    group.resource.attributes.append(attribute("service.name", "benchmark"))
    spans = group.scope_spans.add().spans
    ids = [secrets.token_bytes(16) for _ in range(TRACES)]
    for trace_id in ids:
        root = secrets.token_bytes(8)
        for number in range(SPANS):
            span = spans.add(trace_id=trace_id, span_id=secrets.token_bytes(8) if number else root)
            span.parent_span_id = root if number else b""
            span.start_time_unix_nano = time.time_ns() + number
            span.end_time_unix_nano = time.time_ns() + 1_000_000
            span.name = "execute_tool search" if number % 2 else "chat" if number else "invoke_agent bot"
            span.attributes.extend(attribute(key, value) for key, value in said(number).items())
    return request.SerializeToString(), ids


def said(number: int) -> dict[str, str | int]:
    """The attributes of a span: of the agent, a model's turn, or a tool."""
    asked = json.dumps([{"role": "user", "parts": [{"type": "text", "content": TEXT}]}])
    answer = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": TEXT}]}])
    talk: dict[str, str | int] = {"gen_ai.input.messages": asked, "gen_ai.output.messages": answer}
    if number == 0:
        return {"gen_ai.operation.name": "invoke_agent", **talk}
    if number % 2:
        call = {"gen_ai.tool.name": "search", "gen_ai.tool.call.arguments": '{"city": "Paris"}'}
        return {"gen_ai.operation.name": "execute_tool", **call, "gen_ai.tool.call.result": TEXT}
    tokens: dict[str, str | int] = {"gen_ai.usage.input_tokens": 100, "gen_ai.usage.output_tokens": 20}
    model: dict[str, str | int] = {"gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-5-mini"}
    return {"gen_ai.operation.name": "chat", **talk, **tokens, **model}


def attribute(key: str, value: str | int) -> KeyValue:
    """An attribute in protobuf."""
    told = AnyValue(int_value=value) if isinstance(value, int) else AnyValue(string_value=value)
    return KeyValue(key=key, value=told)


def renewed(body: bytes, ids: Sequence[bytes]) -> bytes:
    """The request with other traces."""
    for trace_id in ids:
        body = body.replace(trace_id, secrets.token_bytes(16))
    return body


def megabytes(pid: int) -> float:
    """The memory that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 1e6


def cpu_seconds(pid: int) -> float:
    """What a process used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def table(found: Figures, name: str) -> str:
    """The figures in Markdown."""
    cuts = quantiles(found.answers, n=100)
    heads = ["database", "spans/s", "p50 ms", "p99 ms", "core", "MB, by quarters", "executions", "settled after s"]
    cells = [
        name,
        f"{found.sent / found.seconds:,.0f}",
        f"{cuts[49] * 1000:.1f}",
        f"{cuts[98] * 1000:.1f}",
        f"{found.cpu:.0%}",
        ", ".join(f"{value:.0f}" for value in found.memory),
        f"{found.made:,}",
        f"{found.settled:.1f}",
    ]
    return markdown(heads, [cells])


if __name__ == "__main__":
    main(options())
