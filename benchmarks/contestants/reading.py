"""How long reading a finished run takes: `reading.py HOME`. Prints milliseconds as one line of JSON."""

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from statistics import median

from aloi.client import connect
from aloi.settings import read_settings

TIMES = 40


async def milliseconds(read: Callable[[int], Awaitable[object]]) -> dict[str, float]:
    """How long the first read took, and the median of the later ones; `read` gets the number of the read."""
    taken: list[float] = []
    for number in range(TIMES):
        start = time.perf_counter()
        await read(number)
        taken.append((time.perf_counter() - start) * 1000)
    return {"first": taken[0], "median": median(taken[1:])}


async def main(home: str) -> dict[str, dict[str, float]]:
    """Read the newest run of a home: its summary, single cases all over it, a page of fifty."""
    environ = {**os.environ, "ALOI_HOME": home}
    client = await connect(read_settings(environ), environ)
    try:
        run = (await client.runs()).items[0]
        step = run.total // TIMES
        return {
            "summary": await milliseconds(lambda _: client.run(run.id)),
            "one case": await milliseconds(lambda number: client.result(run.id, f"case-{number * step}")),
            "page of 50": await milliseconds(lambda number: client.results(run.id, page=number + 1)),
        }
    finally:
        await client.close()


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(sys.argv[1]))))
