"""A target with everything that can be of one. A word is in every text of it, so that it is known where it shows."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import aiohttp

from aloi.core.notice import News, NoticeKind
from aloi.core.usage import Usage
from aloi.service.clock import now
from aloi.service.scheduling import notices
from aloi.store import usage
from aloi.store.usage import Source, UsedRow
from tests.api.calls import Caller, RunningServer

TIMING = {"start": "2030-01-01T00:00:00Z", "recurrence": {"kind": "every", "n": 1, "unit": "days"}}


def rule(word: str) -> dict[str, Any]:
    """An evaluator."""
    return {"kind": "contains", "text": word, "name": f"{word} rule"}


async def made(owner: Caller, path: str, body: Any) -> Any:
    """What the server answers to an owner who makes something."""
    answer = await owner.post(path, body)
    assert answer.status in (200, 201, 202), (path, answer)
    return answer.body


async def changed(owner: Caller, path: str, body: Any) -> Any:
    """What the server answers to an owner who changes something."""
    answer = await owner.put(path, body)
    assert answer.status == 200, (path, answer)
    return answer.body


async def plant(server: RunningServer, owner: Caller, word: str) -> dict[str, str]:
    """Make the target, and what is of it.

    Returns:
        The ids by the names that the API's parameters have.
    """
    ids = await _target(owner, word)
    ids |= await _dataset(owner, word, ids["target_id"])
    ids |= await _run(server, owner, word, ids)
    ids |= await _executions(owner, word, ids)
    ids |= await _schedule(server, owner, word, ids)
    override = {"override": {"reason": word}}
    await made(owner, f"/api/targets/{ids['target_id']}/versions/2/activate", override)
    return ids


async def _target(owner: Caller, word: str) -> dict[str, str]:
    definition = {"kind": "replay", "outputs": {"k0": f"the {word}", word: f"the {word}"}}
    target = await made(
        owner, "/api/targets", {"name": f"{word} target", "description": word, "definition": definition}
    )
    second = {"definition": {**definition, "outputs": {"k0": word}}, "note": word}
    version = await made(owner, f"/api/targets/{target['id']}/versions", second)
    spec = {"kind": "contains", "text": word}
    saved = {"name": f"{word} saved", "description": word, "spec": spec, "target_id": target["id"]}
    evaluator = await made(owner, "/api/eval/evaluators", saved)
    return {"target_id": target["id"], "evaluator_id": evaluator["id"], "target_version_id": version["id"]}


async def _dataset(owner: Caller, word: str, target: str) -> dict[str, str]:
    body = {"name": f"{word} data", "description": word, "target_id": target}
    dataset = (await made(owner, "/api/eval/datasets", body))["id"]
    case = {"key": "k0", "name": word, "prompt": word, "expected_output": word, "tags": [word]}
    case_id = (await made(owner, f"/api/eval/datasets/{dataset}/cases", case))["id"]
    await changed(owner, f"/api/eval/datasets/{dataset}/evaluators", [rule(word)])
    file_hash = await _file(owner, word)
    pictured = {"prompt": word, "status": "draft", "attachments": [{"hash": file_hash}]}
    await made(owner, f"/api/eval/datasets/{dataset}/cases", pictured)
    policies = {"policies": [{"dataset_id": dataset, "threshold": 1}]}
    await changed(owner, f"/api/targets/{target}/gate", policies)
    return {"dataset_id": dataset, "case_id": case_id, "file_hash": file_hash}


async def _file(owner: Caller, word: str) -> str:
    form = aiohttp.FormData()
    form.add_field("file", f"It says {word}.".encode(), filename=f"{word}.txt", content_type="text/plain")
    answer = await owner.call("POST", "/api/eval/attachments", data=form)
    assert answer.status == 201, answer
    return answer.body["hash"]


async def _run(server: RunningServer, owner: Caller, word: str, ids: dict[str, str]) -> dict[str, str]:
    body = {"target_id": ids["target_id"], "dataset_id": ids["dataset_id"], "tags": [word]}
    run = (await made(owner, "/api/eval/runs", body))["id"]
    async with asyncio.timeout(10):
        while (found := (await owner.get(f"/api/eval/runs/{run}")).body)["status"] != "completed":
            await asyncio.sleep(0.01)
    assert found["results"][0]["verdict"] == "pass", found
    await changed(owner, f"/api/eval/runs/{run}/results/k0/label", {"verdict": "fail", "note": word})
    used = UsedRow(datetime.now(UTC).date(), "target", f"{word}:model", Usage(calls=1, input_tokens=1))
    async with server.context.database.transaction() as tx:
        await usage.put_many(tx, [(Source(run, ids["target_id"]), used)])
    return {"run_id": run}


async def _executions(owner: Caller, word: str, ids: dict[str, str]) -> dict[str, str]:
    """One that is over, one that waits for people, and what a rule says of executions to come."""
    over = await made(owner, f"/api/targets/{ids['target_id']}/invoke", {"input": word})
    rules = {"name": f"{word} online", "evaluators": [rule(word)], "drafts_dataset_id": ids["dataset_id"]}
    online = await made(owner, f"/api/targets/{ids['target_id']}/online-rules", rules)
    return {"execution_id": over["id"], "rule_id": online["id"]}


async def _schedule(server: RunningServer, owner: Caller, word: str, ids: dict[str, str]) -> dict[str, str]:
    body = {"name": f"{word} daily", "target_id": ids["target_id"], "dataset_id": ids["dataset_id"], **TIMING}
    schedule = await made(owner, "/api/eval/schedules", body)
    async with server.context.database.transaction() as tx:
        told = (schedule["id"], schedule["name"])
        notice = await notices.tell(tx, told, ids["run_id"], News(NoticeKind.FAILED, f"the {word} failed"), now())
    return {"schedule_id": schedule["id"], "notice_id": notice.id}


async def waiting(owner: Caller, word: str) -> dict[str, str]:
    """A workflow that asks a person, and an execution of it that waits for the answer."""
    step = {"kind": "human", "name": "approve", "question": f"Is {word} right?"}
    await made(owner, "/api/agents", {"name": f"{word} agent", "definition": {"model": "openai:gpt-4o-mini"}})
    flow = await made(owner, "/api/workflows", {"name": f"{word} flow", "definition": {"steps": [step]}})
    execution = await made(owner, f"/api/targets/{flow['id']}/invoke", {"input": word})
    return {"target_id": flow["id"], "execution_id": execution["id"]}
