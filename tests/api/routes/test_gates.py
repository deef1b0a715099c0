"""Gates over HTTP: what they say, who may set them, and what a refused activation is told."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.api.calls import Answer, Caller, RunningServer
from tests.api.made_runs import CONTAINS, finished, prompts, started
from tests.model_server import ChatRequestBody, ModelServer
from tests.service.started_runs import save

PATH = "/api/targets"
URGENT = {"override": {"reason": "it is urgent"}}


class Bot:
    """A target with two versions, of which the first is active, and a gate of 0.8 on a dataset of five cases."""

    def __init__(self, owner: Caller, target: str, dataset: str) -> None:
        self.owner = owner
        self.path = f"{PATH}/{target}"
        self.target = target
        self.dataset = dataset

    def policy(self, threshold: float = 0.8, enabled: bool = True) -> dict[str, Any]:
        """A policy on the dataset."""
        return {"dataset_id": self.dataset, "threshold": threshold, "enabled": enabled}

    async def run(self, version: int = 2) -> dict[str, Any]:
        """A finished run of a version."""
        body = {"target_id": self.target, "version": version, "dataset_id": self.dataset}
        return await finished(self.owner, await started(self.owner, body))

    async def activate(self, caller: Caller, version: int = 2, body: Any = None) -> Answer:
        """What a caller is answered who makes a version the active one."""
        return await caller.post(f"{self.path}/versions/{version}/activate", body)

    async def active(self) -> int:
        """The active version."""
        return (await self.owner.get(self.path)).body["active"]


def passing(number: int) -> Callable[[ChatRequestBody], str]:
    """A model that passes so many cases."""

    def reply(request: ChatRequestBody) -> str:
        return request.prompt if int(request.prompt.removeprefix("case ")) < number else "no"

    return reply


@pytest.fixture
async def bot(server: RunningServer, owner: Caller, model_server: ModelServer) -> Bot:
    """Such a target; its model passes the first four cases."""

    model_server.reply = passing(4)
    definition = {"kind": "openai", "model": "m", "base_url": model_server.url}
    made = await owner.post(PATH, {"name": "bot", "definition": definition})
    await owner.post(f"{PATH}/{made.body['id']}/versions", {"definition": {**definition, "instructions": "Be brief."}})
    found = Bot(owner, made.body["id"], await save(server.context, prompts(5), CONTAINS))
    answer = await owner.put(f"{found.path}/gate", {"policies": [found.policy()]})
    assert answer.status == 200, answer.body
    return found


async def test_set_and_read(bot: Bot, viewer: Caller) -> None:
    answer = await viewer.get(f"{bot.path}/gate")
    assert answer.status == 200
    [policy] = answer.body["policies"]
    assert policy == {
        **bot.policy(),
        "dataset_name": "data",
        "standing": "missing",
        "decision": {"ruling": "undecided", "passed": 0, "failed": 0, "errors": 0, "threshold": 0.8},
        "run": None,
        "reason": "undecided: bot@2 has no complete run on this dataset; run it on all of its cases",
    }
    assert {key: answer.body[key] for key in ("target_id", "target_name", "version", "allowed")} == {
        "target_id": bot.target,
        "target_name": "bot",
        "version": 2,
        "allowed": False,
    }
    run = await bot.run(1)
    state = (await viewer.get(f"{bot.path}/gate", version=1)).body
    assert (state["allowed"], state["policies"][0]["run"]["run_id"]) == (True, run["id"])
    assert state["policies"][0]["run"]["finished_at"] == run["finished_at"]
    assert (await viewer.get(f"/api/eval/runs/{run['id']}/gate")).body == state["policies"]
    by_name = await bot.owner.put(f"{PATH}/bot/gate", {"policies": [{"dataset_id": "data", "threshold": 1}]})
    assert by_name.body["policies"][0]["dataset_id"] == bot.dataset
    assert (await bot.owner.put(f"{bot.path}/gate", {"policies": []})).body["allowed"]
    assert (await viewer.get(f"/api/eval/runs/{run['id']}/gate")).body == []


async def test_an_editor_may_not_set_it(bot: Bot, editor: Caller) -> None:
    answer = await editor.put(f"{bot.path}/gate", {"policies": []})
    assert (answer.status, answer.body["code"]) == (403, "not_permitted")
    assert len((await editor.get(f"{bot.path}/gate")).body["policies"]) == 1


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/policies"),
        ({"policies": [{"threshold": 1}]}, "/policies/0/dataset_id"),
        ({"policies": [{"dataset_id": "data", "threshold": 0}]}, "/policies/0/threshold"),
        ({"policies": [{"dataset_id": "data", "threshold": 80}]}, "/policies/0/threshold"),
        ({"policies": [{"dataset_id": "data", "threshold": 0.5, "on": True}]}, "/policies/0/on"),
        ({"policies": [{"dataset_id": "nothing", "threshold": 1}]}, "/policies/0/dataset_id"),
        ({"policies": [{"dataset_id": "data", "threshold": 1}] * 2}, "/policies/1/dataset_id"),
        ({"policies": [{"dataset_id": "data", "threshold": 1}] * 101}, "/policies"),
    ],
)
async def test_what_does_not_fit_is_pointed_at(bot: Bot, body: Any, pointer: str) -> None:
    answer = await bot.owner.put(f"{bot.path}/gate", body)
    assert (answer.status, answer.body["errors"][0]["pointer"]) == (422, pointer)


async def test_of_two_owners_who_read_the_same_one_is_told(bot: Bot, viewer: Caller) -> None:
    read = {"If-Match": (await viewer.get(f"{bot.path}/gate")).headers["ETag"]}
    bodies = [{"policies": [bot.policy(threshold)]} for threshold in (0.5, 0.6)]
    answers = await asyncio.gather(*(bot.owner.put(f"{bot.path}/gate", body, headers=read) for body in bodies))
    assert sorted(answer.status for answer in answers) == [200, 412]
    [changed] = [answer for answer in answers if answer.status == 200]
    assert changed.headers["ETag"] == (await viewer.get(f"{bot.path}/gate", version=1)).headers["ETag"]


async def test_a_refused_activation_is_told_all_figures(bot: Bot, editor: Caller, model_server: ModelServer) -> None:
    model_server.reply = passing(3)
    await bot.run()
    answer = await bot.activate(editor)
    assert (answer.status, answer.body["code"]) == (409, "gate_refused")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.body["gate"] == (await editor.get(f"{bot.path}/gate")).body
    assert answer.body["gate"]["policies"][0]["decision"]["passed"] == 3
    assert answer.body["detail"].startswith("bot@2 may not become active: on 'data' refused: 3/5 passed")
    assert await bot.active() == 1


async def test_an_allowed_one_needs_no_body(bot: Bot, editor: Caller) -> None:
    await bot.run()
    answer = await bot.activate(editor)
    assert (answer.status, answer.body["active"]) == (200, 2)
    assert (
        (await bot.activate(editor, 2, {})).status == (await bot.activate(editor, 2, {"override": None})).status == 200
    )


async def test_an_override(bot: Bot, editor: Caller, viewer: Caller) -> None:
    await bot.run()
    await bot.owner.put(f"{bot.path}/gate", {"policies": [bot.policy(0.9)]})
    state = (await viewer.get(f"{bot.path}/gate")).body
    refused = await bot.activate(editor, body=URGENT)
    assert (refused.status, refused.body["code"]) == (403, "not_permitted")
    answer = await bot.activate(bot.owner, body=URGENT)
    assert (answer.status, answer.body["active"], answer.body["active_version"]["overridden"]) == (200, 2, True)
    listed = (await viewer.get(f"{bot.path}/overrides")).body
    [made] = listed["items"]
    assert (listed["total"], made["reason"], made["by"], made["version"]) == (1, "it is urgent", "owner@example.org", 2)
    assert made["state"] == state
    versions = (await viewer.get(f"{bot.path}/versions")).body["items"]
    assert [(version["number"], version["overridden"]) for version in versions] == [(2, True), (1, False)]
    logged = (await bot.owner.get("/api/audit", action="gate.")).body["items"]
    assert [(entry["action"], entry["actor"]) for entry in logged[:2]] == [
        ("gate.override", "owner@example.org"),
        ("gate.update", "owner@example.org"),
    ]


@pytest.mark.parametrize("reason", ["", "  \n", None, 1, "x" * 2001])
async def test_a_reason_is_said(bot: Bot, reason: Any) -> None:
    answer = await bot.activate(bot.owner, body={"override": {"reason": reason}})
    assert (answer.status, answer.body["errors"][0]["pointer"]) == (422, "/override/reason")
    assert await bot.active() == 1


async def test_a_dataset_that_a_gate_is_on_is_kept(bot: Bot, editor: Caller) -> None:
    answer = await editor.delete(f"/api/eval/datasets/{bot.dataset}")
    assert (answer.status, answer.body["code"]) == (409, "conflict")
    assert "versions of bot may become active; an owner takes it off the gate first" in answer.body["detail"]
    await bot.owner.put(f"{bot.path}/gate", {"policies": []})
    assert (await editor.delete(f"/api/eval/datasets/{bot.dataset}")).status == 204


async def test_of_many_activations_at_once_none_passes_a_gate_that_refuses(bot: Bot, editor: Caller) -> None:
    await bot.run(1)
    calls = [bot.activate(caller, version) for version in (2, 1) for caller in (editor, bot.owner) for _ in range(5)]
    answers = await asyncio.gather(*calls)
    assert [answer.status for answer in answers] == [409] * 10 + [200] * 10
    assert await bot.active() == 1


@pytest.mark.parametrize("query", ["version=0", "version=x", "version=-1", "version=99999999999999999999"])
async def test_a_version_that_is_none(bot: Bot, viewer: Caller, query: str) -> None:
    assert (await viewer.get(f"{bot.path}/gate?{query}")).status == 422
    assert (await viewer.get(f"{bot.path}/gate", version=3)).status == 404


async def test_only_an_owner_renames_or_deletes_a_target_with_a_gate(bot: Bot, owner: Caller, editor: Caller) -> None:
    for answer in (await editor.put(bot.path, {"name": "aside"}), await editor.delete(bot.path)):
        assert (answer.status, "has a gate" in answer.body["detail"]) == (403, True)
    assert (await editor.put(bot.path, {"description": "as before"})).status == 200
    assert (await owner.put(bot.path, {"name": "aside"})).status == 200
    await owner.put(f"{bot.path}/gate", {"policies": []})
    assert (await editor.put(bot.path, {"name": "free"})).status == 200
