"""The sandbox computes, uses the workspace, and refuses the rest."""

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import JsonValue

from aloi.core.errors import ToolFailure
from aloi.core.tool import ToolContext
from aloi.tools.python_exec import MAX_NODES, PythonExec, PythonExecInput, shown


def put(ctx: ToolContext, name: str, text: str) -> None:
    Path(ctx.workspace, name).write_text(text)


def text_of(ctx: ToolContext, name: str) -> str:
    return Path(ctx.workspace, name).read_text()


async def run(ctx: ToolContext, code: str, tool: PythonExec | None = None) -> JsonValue:
    return await (tool or PythonExec()).call(PythonExecInput(code=code), ctx)


async def test_output_and_last_value(ctx: ToolContext) -> None:
    assert await run(ctx, "x = 20\nprint('working')\nx + 22") == {"output": "working\n", "result": 42}
    assert await run(ctx, "x = 1") == {"output": "", "result": None}


async def test_nothing_is_kept_between_calls(ctx: ToolContext) -> None:
    await run(ctx, "x = 1")
    with pytest.raises(ToolFailure, match="NameError"):
        await run(ctx, "x")


@pytest.mark.parametrize(
    ("code", "result"),
    [
        ("{'a': (1, 2.5), 3: None}", {"a": [1, 2.5], "3": None}),
        ("b'x'", "b'x'"),
        ("float('nan')", "nan"),
        ("1j", "1j"),
        ("import datetime\ndatetime.date(2026, 1, 2)", "2026-01-02"),
        ("class A: pass\nA()", "<A object>"),
        ("10 ** 2000", "<int of 6644 bits>"),
        ("a = []\na.append(a)\na", ["[...]"]),
    ],
)
async def test_values_become_json(ctx: ToolContext, code: str, result: JsonValue) -> None:
    reply = await run(ctx, code)
    assert reply == {"output": "", "result": result}
    json.dumps(reply, allow_nan=False)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("'a' * 10**10", "MemoryError"),
        ("x = []\nwhile True: x.append('a' * 100_000)", "MemoryError"),
        ("open('/etc/passwd').read()", "PermissionError"),
        ("open('../secret.txt').read()", "PermissionError"),
        ("import os\nos.system('ls')", "AttributeError"),
        ("import os\nos.environ['HOME']", "not supported"),
        ("import subprocess", "ModuleNotFoundError"),
        ("import urllib.request", "ModuleNotFoundError"),
        ("import socket", "ModuleNotFoundError"),
        ("def f(): return f()\nf()", "RecursionError"),
        ("raise ValueError('boo')", "ValueError: boo"),
        ("x = (", "SyntaxError"),
        ("(" * 5000, "deeply nested"),
    ],
)
async def test_refusals(ctx: ToolContext, code: str, reason: str) -> None:
    put(ctx, "../secret.txt", "secret")
    with pytest.raises(ToolFailure, match=reason):
        await run(ctx, code)


async def test_an_endless_loop_is_stopped(ctx: ToolContext) -> None:
    with pytest.raises(ToolFailure, match="time limit"):
        await run(ctx, "while True: pass", PythonExec(seconds=0.1))


async def test_the_error_comes_with_what_was_printed_before(ctx: ToolContext) -> None:
    with pytest.raises(ToolFailure, match=r"ZeroDivisionError(.|\n)*Printed before the error:\nstep 1"):
        await run(ctx, "print('step 1')\n1 / 0")


async def test_long_output_is_cut(ctx: ToolContext) -> None:
    tool = PythonExec(max_output=10)
    assert await run(ctx, "print('x' * 50)\n'y' * 50", tool) == {
        "output": "x" * 10 + "\n[cut: too long]",
        "result": "y" * 10 + "\n[cut: too long]",
    }


async def test_a_small_value_that_unfolds_without_end(ctx: ToolContext) -> None:
    code = "a = [0] * 1000\nb = [a] * 1000\nc = [b] * 1000\n[c] * 1000"
    assert await run(ctx, code) == {"output": "", "result": "[a list too large to show: print the part you need]"}


def test_the_most_values_shown() -> None:
    fits = [1] * (MAX_NODES - 1)
    assert shown(fits, 10**6) == fits
    assert shown([*fits, 1], 10**6) == "[a list too large to show: print the part you need]"


async def test_files_of_the_workspace(ctx: ToolContext) -> None:
    put(ctx, "in.txt", "6 7")
    code = "a, b = open('in.txt').read().split()\nopen('out.txt', 'w').write(str(int(a) * int(b)))"
    await run(ctx, code)
    assert text_of(ctx, "out.txt") == "42"


async def test_links_in_the_workspace_lead_nowhere(ctx: ToolContext) -> None:
    put(ctx, "../secret.txt", "secret")
    os.symlink("../secret.txt", f"{ctx.workspace}/link")
    with pytest.raises(ToolFailure, match="PermissionError"):
        await run(ctx, "open('link').read()")
    with pytest.raises(ToolFailure, match="PermissionError"):
        await run(ctx, "open('link', 'w').write('x')")


async def test_the_clock_is_the_contexts_and_sleep_costs_nothing(ctx: ToolContext) -> None:
    code = "import datetime, time\ntime.sleep(3600)\nstr(datetime.datetime.now())"
    assert await run(ctx, code) == {"output": "", "result": "2026-03-28 12:00:00"}


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(1000):
        if condition():
            return
        await asyncio.sleep(0.01)
    pytest.fail("it did not come about in 10 s")


def children() -> set[str]:
    """Ids of the processes that this one started (Linux)."""
    return {pid for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()}


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts processes through /proc")
async def test_a_cancelled_call_leaves_no_process(ctx: ToolContext) -> None:
    before = children()
    task = asyncio.create_task(run(ctx, "while True: pass", PythonExec(seconds=60)))
    await until(lambda: bool(children() - before))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: not children() - before)


async def test_calls_run_side_by_side(ctx: ToolContext) -> None:
    replies = await asyncio.gather(*(run(ctx, f"{number} * 2") for number in range(8)))
    assert replies == [{"output": "", "result": number * 2} for number in range(8)]
