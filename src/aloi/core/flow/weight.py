"""How large a JSON value is when it is written down: a part that stands in many places counts each time.

A value of a workflow is put together of parts by reference, so a few lines can make one that no memory could hold as
text; that is seen here before anything writes it down.
"""

from pydantic import JsonValue

LARGEST = 5_000_000  # of what a template makes
NODE = 16  # what a member, an item, a number and the like count, in characters


def is_heavier(value: JsonValue, limit: int) -> bool:
    """Whether a value counts more than `limit` characters. It looks no further than that, however large it is."""
    return weight(value, limit) > limit


def weight(value: JsonValue, limit: int) -> int:
    """How many characters a value counts; of one that counts more than `limit`, any number above that."""
    if isinstance(value, str):
        return len(value)
    left = limit
    waiting: list[JsonValue] = [value]
    while waiting:
        item = waiting.pop()
        left -= NODE
        if isinstance(item, str):
            left -= len(item)
        elif isinstance(item, list):
            left -= NODE * len(item)
            waiting.extend(item if left >= 0 else ())
        elif isinstance(item, dict):
            left -= NODE * len(item) + sum(map(len, item))
            waiting.extend(item.values() if left >= 0 else ())
        if left < 0:
            break
    return limit - left
