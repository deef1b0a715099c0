"""Datasets, targets and runs for tests of the API; the model is a scripted server."""

import asyncio
from collections.abc import Sequence
from typing import Any

from aloi.service import targets
from aloi.targets.openai import OpenAI
from tests.api.calls import Caller, RunningServer
from tests.model_server import ChatRequestBody, ModelServer, Reply
from tests.service.started_runs import save

CONTAINS = ({"kind": "contains", "text": "case"},)


def prompts(number: int) -> list[dict[str, Any]]:
    """So many cases: `case 0`, `case 1`, ... with the keys k0, k1, ..."""
    return [{"key": f"k{n}", "name": f"Case {n}", "prompt": f"case {n}"} for n in range(number)]


async def target_of(server: RunningServer, models: ModelServer, name: str = "echo", model: str = "echo") -> str:
    """A target that asks the model server; its id."""
    return (await targets.save(server.context, name, OpenAI(model=model, base_url=models.url))).target_id


async def ready(
    server: RunningServer,
    models: ModelServer,
    cases: int | Sequence[dict[str, Any]] = 3,
    evaluators: Sequence[dict[str, Any]] = CONTAINS,
    name: str = "data",
) -> dict[str, Any]:
    """The body that starts a run of a new dataset against an echo."""
    given = prompts(cases) if isinstance(cases, int) else cases
    dataset = await save(server.context, given, evaluators, name)
    return {"target_id": await target_of(server, models), "dataset_id": dataset}


async def started(caller: Caller, body: dict[str, Any]) -> dict[str, Any]:
    """The run that was started."""
    answer = await caller.post("/api/eval/runs", body)
    assert answer.status == 202, answer.body
    return answer.body


async def finished(caller: Caller, run: dict[str, Any]) -> dict[str, Any]:
    """The run when it is finished, with its results."""
    async with asyncio.timeout(10):
        while True:
            answer = await caller.get(f"/api/eval/runs/{run['id']}")
            assert answer.status == 200, answer.body
            if answer.body["status"] not in ("pending", "running"):
                return answer.body
            await asyncio.sleep(0.02)


async def finished_run(caller: Caller, server: RunningServer, models: ModelServer, **options: Any) -> dict[str, Any]:
    """A new run that is finished; `options` are those of `ready`."""
    return await finished(caller, await started(caller, await ready(server, models, **options)))


async def until_passed(caller: Caller, run: dict[str, Any], number: int) -> None:
    """Wait until so many results that passed are committed."""
    async with asyncio.timeout(10):
        while (await caller.get(f"/api/eval/runs/{run['id']}/progress")).body["passed"] < number:
            await asyncio.sleep(0.01)


def hanging_after(free: int) -> Any:
    """A model that answers so many prompts and hangs on the others."""

    async def reply(request: ChatRequestBody) -> Reply:
        if int(request.prompt.removeprefix("case ")) >= free:
            await asyncio.Event().wait()
        return request.prompt

    return reply
