"""A target that answers after about a tenth of a second, and notes each answer in the file that ANSWERS_LOG names.

A line is the position of the case and the time of the answer in seconds of the epoch.
"""

import asyncio
import os
import random
import time


async def answer(text: str) -> str:
    """Say yes to "case 17: ..."."""
    await asyncio.sleep(random.uniform(0.05, 0.15))  # not all in step
    position = text.removeprefix("case ").partition(":")[0]
    with open(os.environ["ANSWERS_LOG"], "a", encoding="utf-8") as log:  # noqa: ASYNC230, PTH123 - a line, at once
        log.write(f"{position} {time.time()}\n")
    return "yes"
