"""Streams in batches, so that a large import or freeze holds few cases at a time."""

from collections.abc import AsyncIterable, AsyncIterator, Iterable
from typing import TypeVar

T = TypeVar("T")
BATCH = 500


async def batched(items: AsyncIterable[T] | Iterable[T], size: int = BATCH) -> AsyncIterator[list[T]]:
    """Lists of up to `size` items, in order; none is empty."""
    batch: list[T] = []
    async for item in items if isinstance(items, AsyncIterable) else each(items):
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


async def each(items: Iterable[T]) -> AsyncIterator[T]:
    """The items one by one."""
    for item in items:
        yield item
