"""How far an invocation came, kept and taken up again."""

import asyncio
import json

from aloi.core.spec import JsonObject
from aloi.core.usage import Usage
from aloi.workflow.progress import Progress


async def test_a_state_survives_being_stored() -> None:
    progress = Progress()
    progress.spend(Usage(calls=1, input_tokens=3, cost=0.5))
    progress.left_out("b")
    await progress.finished("a", {"x": [1, None]})
    state = json.loads(json.dumps(progress.state()))
    again = Progress(state)
    again.spend(Usage(calls=1, input_tokens=1, unpriced=1))
    assert again.outputs == {"a": {"x": [1, None]}}
    assert again.skipped == {"b"}
    assert again.usage == Usage(calls=2, input_tokens=4, cost=0.5, unpriced=1)


async def test_what_is_of_no_use_any_more_is_not_kept() -> None:
    progress = Progress()
    progress.left_out("each[0].skipped")
    await progress.finished("each[0].inner", 1)
    await progress.finished("each[0]", 1, ["each[0].inner", "each[0].skipped"])
    assert progress.state()["steps"] == {"each[0]": 1}
    assert progress.state()["skipped"] == []


async def test_whoever_waits_in_the_line_is_kept_together() -> None:
    """A hundred steps that end while the store is busy are two writes, and none goes on before its own is done."""
    kept: list[JsonObject] = []
    gate = asyncio.Event()

    async def keep(state: JsonObject) -> None:
        await gate.wait()
        kept.append(state)

    progress = Progress(keep=keep)
    ending = [asyncio.create_task(progress.finished(str(number), number)) for number in range(100)]
    await asyncio.sleep(0.01)
    assert not any(task.done() for task in ending)
    gate.set()
    await asyncio.gather(*ending)
    assert len(kept) <= 2
    assert kept[-1]["steps"] == {str(number): number for number in range(100)}


async def test_a_state_that_was_kept_does_not_change_any_more() -> None:
    kept: list[JsonObject] = []

    async def keep(state: JsonObject) -> None:
        kept.append(state)

    progress = Progress(keep=keep)
    await progress.finished("a", 1)
    await progress.finished("b", 2)
    assert [state["steps"] for state in kept] == [{"a": 1}, {"a": 1, "b": 2}]
