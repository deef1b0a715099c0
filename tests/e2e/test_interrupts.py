"""Ctrl-C and SIGTERM during a run: the first cancels it and keeps what is finished, the second ends at once."""

import asyncio
import signal
import subprocess
from pathlib import Path

import pytest

from tests.e2e.command import Command, until
from tests.e2e.suites import prompts, target_of, write_suite
from tests.model_server import ChatRequestBody, ModelServer, Reply

FINISHED = 6
CASES = 10
WAITING = f"SELECT count(*) >= {FINISHED} FROM results"


async def never_after_six(request: ChatRequestBody) -> Reply:
    """Echoes the first six prompts and never answers the others: only an interrupt can end those."""
    if int(request.prompt.removeprefix("case ")) >= FINISHED:
        await asyncio.Event().wait()
    return request.prompt


async def until_only_hanging_are_left(aloi: Command, server: ModelServer) -> None:
    """Wait until six results are stored and the other cases are being asked."""
    async with asyncio.timeout(30):
        await server.until(lambda stats: stats.requests == CASES)
        while not (await asyncio.to_thread(aloi.rows, WAITING))[0][0]:
            await asyncio.sleep(0.01)


async def ended(process: subprocess.Popen[str]) -> tuple[str, str]:
    """What a process said until its end. The cases would go on for 300 seconds, so the end is an interrupt's."""
    return await asyncio.to_thread(process.communicate, timeout=30)


async def assert_resumes(aloi: Command, server: ModelServer) -> None:
    """The rest is done by `aloi runs resume`, and what was finished is not asked again."""
    server.reply = None
    resumed = await asyncio.to_thread(aloi.run, "runs", "resume", "latest")
    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    assert f"{CASES}/{CASES} passed" in resumed.stdout
    asked = server.stats.prompts
    assert [asked[f"case {n}"] for n in range(CASES)] == [1] * FINISHED + [2] * (CASES - FINISHED)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
async def test_one_cancels_and_keeps_what_is_finished(
    aloi: Command, tmp_path: Path, model_server: ModelServer, sign: signal.Signals
) -> None:
    model_server.reply = never_after_six
    limits = {"concurrency": CASES}
    suite = write_suite(tmp_path, target_of("openai", model_server.url), prompts(CASES), run=limits)
    process = aloi.start("run", str(suite), "--json", str(tmp_path / "run.json"))
    await until_only_hanging_are_left(aloi, model_server)

    process.send_signal(sign)
    out, err = await ended(process)

    assert process.returncode == 1
    assert "Stopping; what is finished is kept." in err
    assert "Traceback" not in err
    assert "6/6 passed" in out
    assert "Only 6 of 10 results are there; the others were not reached." in out
    assert " cancelled after " in out
    assert "aloi runs resume" in out
    assert (tmp_path / "run.json").exists()
    assert aloi.rows("SELECT status FROM runs") == [("cancelled",)]
    assert aloi.rows("SELECT count(*) FROM results") == [(FINISHED,)]
    assert aloi.rows("SELECT count(*) FROM executions") == [(FINISHED,)]
    async with asyncio.timeout(10):
        await model_server.until(lambda stats: stats.in_flight == 0)
    await assert_resumes(aloi, model_server)


async def test_a_resumed_run_can_be_cancelled_and_resumed_again(
    aloi: Command, tmp_path: Path, model_server: ModelServer
) -> None:
    model_server.reply = never_after_six
    limits = {"concurrency": CASES}
    suite = write_suite(tmp_path, target_of("openai", model_server.url), prompts(CASES), run=limits)
    for command in (("run", str(suite)), ("runs", "resume", "latest")):
        process = aloi.start(*command)
        await until_only_hanging_are_left(aloi, model_server)
        process.send_signal(signal.SIGINT)
        await ended(process)
        assert process.returncode == 1
        assert aloi.rows("SELECT status, (SELECT count(*) FROM results) FROM runs") == [("cancelled", FINISHED)]
        model_server.stats.reset()
        model_server.stats.requests = FINISHED
    model_server.reply = None
    resumed = await asyncio.to_thread(aloi.run, "runs", "resume", "latest")
    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    assert set(model_server.stats.prompts) == {f"case {n}" for n in range(FINISHED, CASES)}


STUBBORN = """
import asyncio
from pathlib import Path

async def answer(given):
    while given == "case 6" and not Path(__file__).with_name("let-go").exists():
        try:
            print("hanging", flush=True)
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            print("no", flush=True)
    return given
"""


@pytest.mark.parametrize(("second", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_two_end_at_once_even_a_target_that_does_not_let_go(
    aloi: Command, tmp_path: Path, second: signal.Signals, code: int
) -> None:
    (tmp_path / "stubborn.py").write_text(STUBBORN, encoding="utf-8")
    aloi.environ["PYTHONPATH"] = str(tmp_path)
    suite = write_suite(tmp_path, {"kind": "python", "function": "stubborn:answer"}, prompts(7))
    process = aloi.start("run", str(suite))
    assert process.stdout is not None
    assert process.stdout.readline() == "hanging\n"
    until(lambda: aloi.rows(WAITING)[0][0])
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "no\n", "the target was not told to end"

    process.send_signal(second)
    _, err = process.communicate(timeout=30)

    assert process.returncode == code
    assert "Ctrl-C again ends at once" in err
    assert "Traceback" not in err
    assert aloi.rows("SELECT count(*) FROM results") == [(FINISHED,)]
    (tmp_path / "let-go").touch()
    resumed = aloi.run("runs", "resume", "latest")
    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    assert "7/7 passed" in resumed.stdout
