"""Tasks at the same time, with one failure to come out."""

import asyncio
from collections.abc import Callable

import pytest

from aloi.workflow.parallel import Tasks


class Works:
    """Work that notes how it ended."""

    def __init__(self) -> None:
        self.ended: list[str] = []

    async def long(self) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            self.ended.append("long")

    async def broken(self) -> None:
        await asyncio.sleep(0)
        raise ValueError("first")

    async def soon(self, then: Callable[[], None] = lambda: None) -> None:
        await asyncio.sleep(0)
        self.ended.append("soon")
        then()


async def test_the_first_failure_comes_out_and_the_others_are_cancelled() -> None:
    works, tasks = Works(), Tasks()
    for work in (works.long(), works.broken(), works.broken()):
        tasks.start(work)
    with pytest.raises(ValueError, match="first"):
        await tasks.over()
    assert works.ended == ["long"]
    current = asyncio.current_task()
    assert current is not None and current.cancelling() == 0


async def test_what_was_started_meanwhile_is_waited_for() -> None:
    works, tasks = Works(), Tasks()
    tasks.start(works.soon(lambda: tasks.start(works.soon(lambda: tasks.start(works.soon())))))
    await tasks.over()
    assert works.ended == ["soon"] * 3


async def test_nothing_starts_behind_a_failure() -> None:
    works, tasks = Works(), Tasks()
    tasks.start(works.broken())
    with pytest.raises(ValueError, match="first"):
        await tasks.over()
    tasks.start(works.soon())
    await asyncio.sleep(0)
    assert works.ended == []


async def test_a_cancel_ends_all_and_passes_through() -> None:
    works, tasks = Works(), Tasks()
    tasks.start(works.long())
    waiting = asyncio.create_task(tasks.over())
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert works.ended == ["long"]


async def test_none_is_over_at_once() -> None:
    await Tasks().over()
