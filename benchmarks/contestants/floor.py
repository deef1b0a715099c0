"""The floor of `chat` and `judge`: what the work costs with nothing but aiohttp and sqlite3."""

import asyncio
from typing import Any

import aiohttp
from arguments import Answers, Arguments, arguments


async def ask(session: aiohttp.ClientSession, url: str, model: str, text: str) -> str:
    """The answer of a model to one message."""
    body = {"model": model, "messages": [{"role": "user", "content": text}]}
    async with session.post(f"{url}/chat/completions", json=body) as response:
        reply: dict[str, Any] = await response.json()
    return reply["choices"][0]["message"]["content"]


async def run(given: Arguments, answers: Answers) -> None:
    """Ask for every case, so many at once."""
    positions = iter(range(given.cases))
    connector = aiohttp.TCPConnector(limit=given.concurrency)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def work() -> None:
            for position in positions:
                prompt = f"case {position}: say yes"
                answer = await ask(session, given.url, "echo", prompt)
                if given.kind == "judge":
                    await ask(session, given.url, "judge-pass", f"Does this fit? {answer}")
                answers.add(position, prompt, answer, "yes" in answer)

        await asyncio.gather(*(work() for _ in range(given.concurrency)))


if __name__ == "__main__":
    options = arguments(__doc__)
    kept = Answers(options.folder)
    asyncio.run(run(options, kept))
    kept.close()
