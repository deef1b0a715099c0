"""`python -m benchmarks.workflow`: what the engine of workflows costs, and a whole run of them against the ideal.

The engine: workflows whose steps do next to nothing, invoked without a run around them; CPU per step. The runs: cases
of ten steps that each take 50 ms (they wait, or ask a model server), 50 cases at once, by the service into SQLite.
"""

import argparse
import asyncio
import os
import platform
import tempfile
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aloi.client.local import open_local
from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.run import RunLimits, RunRequest
from aloi.core.target import Invocation, Target, TargetContext
from aloi.core.tool import ToolContext
from aloi.llm.models import Models
from aloi.plugins import build
from aloi.settings import Settings
from aloi.tracing.recorder import Recording
from benchmarks.bars import Check
from benchmarks.pausing import KIND, installed
from benchmarks.server import Server, model_server
from benchmarks.table import checks_table

README = Path(__file__).parent / "README.md"
BEGIN, END = "<!-- table of workflows -->\n", "<!-- end of table of workflows -->"
STEPS = 10
LATENCY = 0.05
AT_ONCE = 50
MOST_CPU_MS = 1.5  # per step
MOST_WALL = 1.15  # times the ideal
MOST_WALL_OF_MODEL = 1.4  # what a run of plain calls may take: HTTP and the server of the models share the machine


def transform(name: str, **fields: Any) -> dict[str, Any]:
    """A step that does next to nothing."""
    return {"name": name, "kind": "transform", **fields}


SHAPES: dict[str, list[dict[str, Any]]] = {
    "each step behind the one before": [
        transform("s0", value="{{ input }}"),
        *(transform(f"s{number}", value=f"{{{{ steps.s{number - 1} }}}}") for number in range(1, STEPS)),
    ],
    "all steps at once": [transform(f"s{number}", value="{{ input }}") for number in range(STEPS)],
    "texts with expressions": [transform(f"s{number}", template="Say {{ input }}!") for number in range(STEPS)],
    "a map over ten items": [
        {"name": "each", "kind": "map", "items": [*range(STEPS)], "steps": [transform("inner", value="{{ item }}")]}
    ],
}


def workflow(steps: list[dict[str, Any]]) -> Target:
    """The target of these steps."""
    return build("targets", {"kind": "workflow", "steps": steps}, Target)


async def engine(times: int) -> list[Check]:
    """CPU per step of every shape."""
    models = Models({})
    tools = ToolContext(workspace="", now=lambda: datetime.now(UTC))
    found: list[Check] = []
    for name, steps in SHAPES.items():
        target = workflow(steps)

        async def invoke(target: Target = target) -> None:
            ctx = TargetContext(chat=models.chat, http=models.http, recorder=Recording(), tools=tools)
            await target.invoke(Invocation(input="hello"), ctx)

        await invoke()
        start = time.process_time()
        for _ in range(times):
            await invoke()
        ms = (time.process_time() - start) * 1000 / times / STEPS
        found.append(Check(f"engine, {name}: CPU ms per step", f"{ms * 1000:.0f} µs", ms, MOST_CPU_MS))
    await models.close()
    return found


async def cases(number: int) -> AsyncIterator[Case]:
    """So many cases."""
    for index in range(number):
        yield Case(key=f"case-{index}", input=f"case {index}")


async def run(target: Target, number: int, folder: Path) -> tuple[float, float]:
    """Seconds of wall time and of CPU that a run of so many cases takes, its start and its end included."""
    client = await open_local(Settings(home=folder), {"OPENAI_API_KEY": "none"})
    bindings = [Binding(name="says it", spec={"kind": "contains", "text": "s"})]
    version = await client.save_target("flow", target)
    limits = RunLimits(concurrency=AT_ONCE)
    wall, cpu = time.perf_counter(), time.process_time()
    request = RunRequest(target_version_id=version.id, dataset="suite", limits=limits)
    started = await client.start_with(request, cases(number), bindings)
    done = await client.wait(started.id, 600)
    spent = time.perf_counter() - wall, time.process_time() - cpu
    assert done.summary is not None and done.summary.errors == 0, done
    await client.close()
    return spent


def chain(kind: str, **fields: Any) -> Target:
    """A workflow of ten steps of a kind, each behind the one before."""
    needs = [[], *([f"s{number}"] for number in range(STEPS - 1))]
    return workflow([{"name": f"s{number}", "kind": kind, "needs": needs[number], **fields} for number in range(STEPS)])


async def whole(server: Server, number: int, folder: Path) -> list[Check]:
    """Runs whose steps do nothing, wait for 50 ms, and ask a model that takes 50 ms."""
    what = f"a run of {number:,} cases of {STEPS} steps"
    ideal = number * STEPS * LATENCY / AT_ONCE
    _, cpu = await run(workflow(SHAPES["each step behind the one before"]), number, folder / "nothing")
    ms = cpu * 1000 / number / STEPS
    found = [Check(f"{what} that do nothing: CPU ms per step", f"{ms:.2f} ms", ms, MOST_CPU_MS)]
    asking = chain("prompt", model="openai:fixed:s9", base_url=server.url, prompt="{{ input }}")
    for name, target in {"waits": chain(KIND, length=LATENCY), "asks a model": asking}.items():
        wall, cpu = await run(target, number, folder / name)
        shown = f"{wall:.1f} s of {ideal:g}, {cpu * 1000 / number / STEPS:.2f} ms CPU per step"
        wanted = MOST_WALL if target is not asking else MOST_WALL_OF_MODEL
        found.append(
            Check(f"{what}, each {name} for 50 ms, {AT_ONCE} at once: wall / ideal", shown, wall / ideal, wanted)
        )
    return found


def main(given: argparse.Namespace) -> None:
    """Measure, print, and save if that is asked for."""
    times, number = (50, 100) if given.quick else (2000, 1000)
    with tempfile.TemporaryDirectory(prefix="aloi-bench-") as name, model_server(LATENCY) as server:
        installed(Path(name))
        found = asyncio.run(engine(times))
        found += asyncio.run(whole(server, number, Path(name)))
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores (load {os.getloadavg()[0]:.1f})"
    text = f"{machine}, Python {platform.python_version()}, SQLite.\n\n{checks_table(found)}"
    print(text)
    if given.save:
        before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
        README.write_text(f"{before}{BEGIN}\n{text}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")


def options() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.workflow", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few rounds, few cases: does it all work?")
    parser.add_argument("--save", action="store_true", help="put the table into README.md")
    return parser.parse_args()


if __name__ == "__main__":
    main(options())
