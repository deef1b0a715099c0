"""The floor of `agent`: pydantic-ai with nothing around it, one agent for all cases, and sqlite3."""

import asyncio

from arguments import Answers, Arguments, arguments
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

MODEL = 'tool-once:calculator:{"expression":"17*23"}'


def calculator(expression: str) -> str:
    """Work out a product such as 17*23."""
    left, _, right = expression.partition("*")
    return str(int(left) * int(right))


async def run(given: Arguments, answers: Answers) -> None:
    """Run the agent on every case, so many at once."""
    model = OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=given.url, api_key="none"))
    agent = Agent(model, tools=[calculator])
    positions = iter(range(given.cases))

    async def work() -> None:
        for position in positions:
            prompt = f"case {position}: what is 17 times 23?"
            result = await agent.run(prompt)
            answers.add(position, prompt, result.output, "391" in result.output)

    await asyncio.gather(*(work() for _ in range(given.concurrency)))


if __name__ == "__main__":
    options = arguments(__doc__)
    kept = Answers(options.folder)
    asyncio.run(run(options, kept))
    kept.close()
