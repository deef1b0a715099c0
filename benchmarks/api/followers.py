"""Many who follow one run: `followers.py URL TOKEN RUN NUMBER`.

Prints, as one line of JSON, how many followers heard of each result and of the end, and how many results there were.
"""

import asyncio
import json
import sys
from typing import NamedTuple

import aiohttp


class Heard(NamedTuple):
    """What one follower heard: results, and whether the end came."""

    results: int
    done: bool


async def follow(session: aiohttp.ClientSession, url: str) -> Heard:
    """Read the events of a run until they end."""
    results, done = 0, False
    async with session.get(url) as response:
        response.raise_for_status()
        async for line in response.content:
            results += line == b"event: result\n"
            done = done or line == b"event: done\n"
    return Heard(results, done)


async def main(url: str, token: str, run: str, number: int) -> dict[str, int]:
    """Let so many follow a run, each over a connection of its own."""
    connector = aiohttp.TCPConnector(limit=0)
    headers = {"Authorization": f"Bearer {token}"}
    timeout = aiohttp.ClientTimeout(total=600)
    async with aiohttp.ClientSession(connector=connector, headers=headers, timeout=timeout) as session:
        events = f"{url}/api/eval/runs/{run}/events"
        heard = await asyncio.gather(*(follow(session, events) for _ in range(number)))
    most = max(one.results for one in heard)
    return {"whole": sum(one == Heard(most, True) for one in heard), "results": most}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))))
