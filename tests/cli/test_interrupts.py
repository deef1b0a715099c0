import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

SCRIPT = """
import asyncio, sys
from aloi.cli.interrupts import Interrupts

async def wait():
    with Interrupts() as interrupts:
        print("ready", flush=True)
        while not interrupts.asked:
            await asyncio.sleep(0.01)
        print("asked", flush=True)
        if sys.argv[1] == "stay":
            await asyncio.sleep(30)
        while sys.argv[1] == "block":
            pass
    print("left", flush=True)
    await asyncio.sleep(30 if sys.argv[1] == "after" else 0)

asyncio.run(wait())
"""


@pytest.fixture
def process(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", SCRIPT, request.param]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == "ready\n"
        yield started
        started.kill()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.mark.parametrize("process", ["leave"], indirect=True)
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_the_first_asks(process: subprocess.Popen[str], sign: signal.Signals) -> None:
    process.send_signal(sign)
    assert line(process) == "asked\n"
    assert line(process) == "left\n"
    assert process.wait() == 0


@pytest.mark.parametrize("process", ["stay"], indirect=True)
@pytest.mark.parametrize(("sign", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_second_ends_at_once(process: subprocess.Popen[str], sign: signal.Signals, code: int) -> None:
    process.send_signal(signal.SIGINT)
    assert line(process) == "asked\n"
    process.send_signal(sign)
    assert process.wait(10) == code
    assert line(process) == ""


@pytest.mark.parametrize("process", ["block"], indirect=True)
def test_the_second_ends_even_when_the_loop_is_blocked(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)
    assert line(process) == "asked\n"
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 130


@pytest.mark.parametrize("process", ["after"], indirect=True)
def test_afterwards_ctrl_c_is_what_it_was(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)
    assert line(process) == "asked\n"
    assert line(process) == "left\n"
    process.send_signal(signal.SIGINT)
    assert process.wait(10) != 0
