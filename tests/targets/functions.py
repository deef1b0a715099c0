"""Functions that the tests of the `python` target call."""

import asyncio

NOT_A_FUNCTION = 42


def shout(given: str) -> str:
    return given.upper()


async def whisper(given: str) -> str:
    await asyncio.sleep(0)
    return given.lower()
