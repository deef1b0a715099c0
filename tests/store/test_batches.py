"""Streams in batches."""

from collections.abc import AsyncIterator

from aloi.store.batches import batched, each


async def numbers(count: int) -> AsyncIterator[int]:
    for number in range(count):
        yield number


async def test_batches_hold_all_in_order_and_none_is_empty():
    assert [batch async for batch in batched(numbers(5), 2)] == [[0, 1], [2, 3], [4]]
    assert [batch async for batch in batched(range(4), 2)] == [[0, 1], [2, 3]]
    assert [batch async for batch in batched([], 2)] == []


async def test_each_gives_all_in_order():
    assert [number async for number in each(range(3))] == [0, 1, 2]
