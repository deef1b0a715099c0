"""Work that goes on, by the rule that it is for."""

import asyncio

import pytest

from aloi.service.online.places import Places


async def done() -> None:
    """Over at once."""


async def hanging() -> None:
    await asyncio.Event().wait()


async def broken() -> None:
    raise ValueError("broken")


async def test_a_place_is_taken_until_its_work_is_over() -> None:
    places = Places()
    places.take("a", done())
    places.take("a", hanging())
    places.take("b", hanging())
    assert (places.taken("a"), places.taken("b"), places.taken("c")) == (2, 1, 0)
    await places.freed(5)
    assert (places.taken("a"), places.taken("b")) == (1, 1)
    await places.freed(0)
    await places.end()
    assert (places.taken("a"), places.taken("b")) == (0, 0)


async def test_what_work_raised_is_raised_once() -> None:
    places = Places()
    places.take("a", broken())
    with pytest.raises(ValueError, match="broken"):
        await places.freed(5)
    await places.freed(0)


async def test_all_is_waited_for_before_a_fault_is_raised() -> None:
    places = Places()
    for work in (broken(), done(), asyncio.sleep(0.05)):
        places.take("a", work)
    with pytest.raises(ValueError, match="broken"):
        await places.emptied()
    assert places.taken("a") == 0
    await places.emptied()
