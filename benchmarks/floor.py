"""The floor: what the same work costs with nothing but aiohttp and sqlite3.

Asks a chat endpoint once per case, checks that the answer contains a text, and stores both, 50 or 200 at a time. With
`--judge` a second call follows. Prints one line of JSON: what `harness.py` reads.
"""

import argparse
import asyncio
import json
import resource
import sqlite3
import time
from pathlib import Path
from typing import Any

import aiohttp

SCHEMA = "CREATE TABLE results (position INTEGER PRIMARY KEY, answer TEXT, passed INTEGER)"


async def ask(session: aiohttp.ClientSession, url: str, model: str, text: str) -> str:
    body = {"model": model, "messages": [{"role": "user", "content": text}]}
    async with session.post(f"{url}/chat/completions", json=body) as response:
        reply: dict[str, Any] = await response.json()
    return reply["choices"][0]["message"]["content"]


async def run(args: argparse.Namespace, database: sqlite3.Connection) -> None:
    positions = iter(range(args.cases))
    rows: list[tuple[int, str, bool]] = []
    connector = aiohttp.TCPConnector(limit=args.concurrency)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def work() -> None:
            for position in positions:
                answer = await ask(session, args.url, "echo", f"case {position}: say yes")
                if args.judge:
                    await ask(session, args.url, "judge-pass", f"Does this fit? {answer}")
                rows.append((position, answer, "yes" in answer))
                if len(rows) >= 100:
                    store(database, rows)

        await asyncio.gather(*(work() for _ in range(args.concurrency)))
    store(database, rows)


def store(database: sqlite3.Connection, rows: list[tuple[int, str, bool]]) -> None:
    with database:
        database.executemany("INSERT INTO results VALUES (?, ?, ?)", rows)
    rows.clear()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--concurrency", type=int, default=50)
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--database", type=Path, required=True)
    args = parser.parse_args()
    database = sqlite3.connect(args.database)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute(SCHEMA)
    started = time.perf_counter()
    asyncio.run(run(args, database))
    database.close()
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"wall": time.perf_counter() - started, "cpu": used.ru_utime + used.ru_stime}))


if __name__ == "__main__":
    main()
