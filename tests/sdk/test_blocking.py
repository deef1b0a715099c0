"""Coroutines for callers that are not async."""

import asyncio
import signal
import threading

import pytest

from aloi.sdk.blocking import finish


async def which_thread() -> threading.Thread:
    await asyncio.sleep(0)
    return threading.current_thread()


async def broken() -> None:
    raise ZeroDivisionError("by zero")


def test_outside_of_a_loop_it_runs_here() -> None:
    assert finish(which_thread()) is threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        finish(broken())


async def test_inside_a_running_loop_it_runs_on_a_thread_of_its_own() -> None:
    assert finish(which_thread()) is not threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        finish(broken())
    await asyncio.sleep(0)


def test_ctrl_c_in_a_notebook_cancels_the_work() -> None:
    """A notebook's loop runs for ever and takes no signals, as this one."""
    ended: list[str] = []

    async def endless() -> None:
        try:
            await asyncio.sleep(0.05)  # the thread is well under way
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    async def cell() -> None:
        finish(endless())

    loop = asyncio.new_event_loop()
    try:
        with pytest.raises(KeyboardInterrupt):
            loop.run_until_complete(cell())
    finally:
        loop.close()
    assert ended == ["cancelled"]
