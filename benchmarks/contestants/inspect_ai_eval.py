"""Inspect AI on all three kinds: `includes()`, the same and `model_graded_qa()`, a `react()` agent with a calculator.

Runs in the environment of `requirements-inspect.lock`.
"""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false
# pyright: reportUntypedFunctionDecorator=false

import os
import sys
from collections.abc import Awaitable, Callable

import inspect_ai
from arguments import Arguments, arguments
from inspect_ai import Task
from inspect_ai.agent import react
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import Model, get_model
from inspect_ai.scorer import includes, model_graded_qa
from inspect_ai.solver import generate
from inspect_ai.tool import tool

AGENT_MODEL = 'tool-once:calculator:{"expression":"17*23"}'
JUDGE_MODEL = "fixed:GRADE: C"


@tool
def calculator() -> Callable[[str], Awaitable[str]]:
    """A tool that multiplies."""

    async def execute(expression: str) -> str:
        """Work out a product.

        Args:
            expression: Such as 17*23.
        """
        left, _, right = expression.partition("*")
        return str(int(left) * int(right))

    return execute


def model(given: Arguments, name: str) -> Model:
    """A model of the server."""
    return get_model(f"openai-api/local/{name}", base_url=given.url)


def task(given: Arguments) -> Task:
    """The cases, how they are answered and what grades them."""
    asked, wanted = ("what is 17 times 23?", "391") if given.kind == "agent" else ("say yes", "yes")
    samples = [Sample(f"case {position}: {asked}", target=wanted, id=position + 1) for position in range(given.cases)]
    scorers = [includes()]
    if given.kind == "judge":
        scorers.append(model_graded_qa(model=model(given, JUDGE_MODEL)))
    solver = react(tools=[calculator()], submit=False) if given.kind == "agent" else generate()
    return Task(dataset=MemoryDataset(samples), solver=solver, scorer=scorers)


if __name__ == "__main__":
    os.environ["LOCAL_API_KEY"] = "none"
    options = arguments(__doc__)
    [log] = inspect_ai.eval(
        task(options),
        model=model(options, AGENT_MODEL if options.kind == "agent" else "echo"),
        max_connections=options.concurrency,
        max_samples=options.concurrency,
        display="none",
        log_dir=str(options.folder),
    )
    sys.exit(0 if log.status == "success" else str(log.error))
