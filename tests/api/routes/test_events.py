"""Following a run over HTTP: every result once, in the order of the commits, also after a break."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, NamedTuple

import pytest

from aloi.core.run_start import RunStart
from aloi.service import following, runs
from aloi.service.context import Context
from tests.api.calls import Caller, RunningServer
from tests.api.made_runs import finished, finished_run, ready, started, until_passed
from tests.model_server import ModelServer

RUNS = "/api/eval/runs"


class Event(NamedTuple):
    """One event as it came; of a comment only `text`."""

    kind: str
    id: int | None
    data: Any
    text: str


async def events(caller: Caller, run: dict[str, Any], **options: Any) -> AsyncGenerator[Event]:
    """The events of a run until the stream ends."""
    headers = {"Authorization": f"Bearer {caller.token}", **options.pop("headers", {})}
    url = f"{caller.url}{RUNS}/{run['id']}/events"
    async with asyncio.timeout(10), caller.session.get(url, headers=headers, params=options) as response:
        assert response.status == 200
        assert response.headers["Content-Type"].startswith("text/event-stream")
        while block := await response.content.readuntil(b"\n\n"):
            yield event_of(block.decode())


def event_of(block: str) -> Event:
    fields = dict(line.split(": ", 1) for line in block.strip().splitlines())
    data = json.loads(fields["data"]) if "data" in fields else None
    return Event(fields.get("event", ""), int(fields["id"]) if "id" in fields else None, data, block)


async def all_events(caller: Caller, run: dict[str, Any], **options: Any) -> list[Event]:
    found: list[Event] = []
    async with aclosing(events(caller, run, **options)) as stream:
        async for event in stream:
            found.append(event)
            if event.kind == "done":
                break
    return found


def results_of(found: list[Event]) -> list[Any]:
    return [event.data for event in found if event.kind == "result"]


async def test_every_result_and_the_end(server: RunningServer, editor: Caller, model_server: ModelServer) -> None:
    model_server.latency = 0.05
    run = await started(editor, await ready(server, model_server, cases=20))
    found = await all_events(editor, run)
    results = results_of(found)
    assert sorted(result["case_key"] for result in results) == sorted(f"k{n}" for n in range(20))
    assert [result["seq"] for result in results] == sorted(result["seq"] for result in results)
    assert [event.id for event in found if event.kind == "result"] == [result["seq"] for result in results]
    done = found[-1]
    assert (done.kind, done.data["status"], done.data["summary"]["passed"]) == ("done", "completed", 20)
    progress = [event.data for event in found if event.kind == "progress"]
    assert (progress[-1]["progress"]["passed"], progress[-1]["rate"]) == (20, 1.0)
    assert progress[-1]["progress"]["tokens"] > 0
    assert server.context.feeds.open == 0


async def test_a_finished_run_tells_all_and_ends(
    server: RunningServer, editor: Caller, viewer: Caller, model_server: ModelServer
) -> None:
    run = await finished_run(editor, server, model_server, cases=5)
    found = await all_events(viewer, run)
    assert [event.kind for event in found] == ["", *["result"] * 5, "progress", "done"]
    assert found[0].text.startswith("retry: ")


@pytest.mark.parametrize("way", ["header", "query"])
async def test_after_a_break_it_goes_on_behind_the_last_event(
    server: RunningServer, editor: Caller, model_server: ModelServer, way: str
) -> None:
    released = asyncio.Event()

    async def reply(request: Any) -> str:
        if int(request.prompt.removeprefix("case ")) >= 3:
            await released.wait()
        return request.prompt

    model_server.reply = reply
    run = await started(editor, await ready(server, model_server, cases=6))
    before: list[Event] = []
    async with aclosing(events(editor, run)) as stream:
        async for event in stream:
            before.append(event)
            if len(results_of(before)) == 2:
                break
    released.set()
    last = str(before[-1].id)
    options = {"headers": {"Last-Event-ID": last}} if way == "header" else {"last_event_id": last}
    after = await all_events(editor, run, **options)
    keys = [result["case_key"] for result in (*results_of(before), *results_of(after))]
    assert sorted(keys) == [f"k{n}" for n in range(6)]


@pytest.mark.parametrize("last", ["x", "-1", "99999999999999999999999"])
async def test_a_last_event_that_is_none(
    server: RunningServer, editor: Caller, model_server: ModelServer, last: str
) -> None:
    run = await finished_run(editor, server, model_server)
    assert (await editor.get(f"{RUNS}/{run['id']}/events", headers={"Last-Event-ID": last})).status == 422


async def test_a_run_that_is_deleted_meanwhile_is_gone(
    server: RunningServer, editor: Caller, model_server: ModelServer
) -> None:
    model_server.latency = 30
    run = await started(editor, await ready(server, model_server))
    async with aclosing(events(editor, run)) as stream:
        assert (await anext(stream)).text.startswith("retry: ")
        assert (await anext(stream)).kind == "progress"
        await editor.delete(f"{RUNS}/{run['id']}")
        rest = [event async for event in stream if event.kind == "done"][:1]
    # Between the cancel and the delete a look may find it cancelled.
    assert rest[0].data["status"] in ("gone", "cancelled")


async def test_signs_of_life(
    server: RunningServer, editor: Caller, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "HEARTBEAT_SECONDS", 0.02)
    model_server.latency = 30
    run = await started(editor, await ready(server, model_server))
    async with aclosing(events(editor, run)) as stream:
        async for event in stream:
            if event.text.startswith(":"):
                break


async def test_another_process_does_the_work(server: RunningServer, editor: Caller, model_server: ModelServer) -> None:
    """What is followed is the database: here another context works on the run."""
    other = await Context.open(server.context.settings, {})
    try:
        working = server._replace(context=other)
        model_server.latency = 0.05
        body = await ready(working, model_server, cases=10)
        run = await runs.start_for(other, RunStart.model_validate(body))
        assert server.context.work == {}
        found = await all_events(editor, {"id": run.id})
    finally:
        await other.close()
    assert len(results_of(found)) == 10
    assert found[-1].data["status"] == "completed"


async def test_who_leaves_is_noticed(server: RunningServer, editor: Caller, model_server: ModelServer) -> None:
    model_server.latency = 30
    run = await started(editor, await ready(server, model_server))
    async with aclosing(events(editor, run)) as stream:
        await anext(stream)
        await anext(stream)
        assert server.context.feeds.open == 1
    async with asyncio.timeout(5):
        while server.context.feeds.open:
            await asyncio.sleep(0.01)


async def test_many_followers_are_one_look(
    server: RunningServer, editor: Caller, viewer: Caller, model_server: ModelServer
) -> None:
    model_server.latency = 0.05
    run = await started(editor, await ready(server, model_server, cases=30))
    following_it = [asyncio.create_task(all_events(viewer, run)) for _ in range(200)]
    await until_passed(editor, run, 5)
    assert server.context.feeds.open == 1
    for found in await asyncio.gather(*following_it):
        assert len(results_of(found)) == 30
    assert (await finished(editor, run))["summary"]["passed"] == 30


async def test_streams_end_when_the_server_does(
    server: RunningServer, editor: Caller, model_server: ModelServer
) -> None:
    model_server.latency = 30
    run = await started(editor, await ready(server, model_server))
    async with aclosing(events(editor, run)) as stream:
        await anext(stream)
        await anext(stream)
        await server.context.drain(0)
        assert [event async for event in stream] == []


@pytest.mark.parametrize("way", ["removed", "signed out", "revoked", "narrowed"])
async def test_who_may_not_see_it_any_more_hears_no_more(
    server: RunningServer, owner: Caller, viewer: Caller, model_server: ModelServer, monkeypatch: Any, way: str
) -> None:
    monkeypatch.setattr(following, "LOOK_SECONDS", 0.0)
    released = asyncio.Event()

    async def reply(request: Any) -> str:
        await released.wait()
        return request.prompt

    model_server.reply = reply
    run = await started(owner, await ready(server, model_server))
    key = (await owner.post("/api/auth/api-keys", {"name": "k", "role": "viewer"})).body
    who = server.caller(key["secret"]) if way == "revoked" else viewer
    async with aclosing(events(who, run)) as stream:
        assert [(await anext(stream)).kind for _ in range(2)] == ["", "progress"]
        if way == "removed":
            member = (await viewer.get("/api/auth/me")).body["member_id"]
            assert (await owner.delete(f"/api/members/{member}")).status == 204
        elif way == "signed out":
            assert (await viewer.post("/api/auth/logout")).status == 204
        elif way == "narrowed":
            member = (await viewer.get("/api/auth/me")).body["member_id"]
            assert (await owner.put(f"/api/members/{member}/grants", {"targets": []})).status == 200
        else:
            assert (await owner.delete(f"/api/auth/api-keys/{key['key']['id']}")).status == 204
        released.set()
        assert [event.kind async for event in stream] == []
    assert (await finished(owner, run))["status"] == "completed"
