"""What a member who is narrowed to some targets uses: files, models, datasets; by the same world as the routes."""

import json

import aiohttp
import pytest

from aloi.core.access import Role
from aloi.core.usage import Usage
from aloi.service.clock import new_id, now
from aloi.store import usage
from aloi.store.codec import pack_id, pack_time
from aloi.store.usage import Source
from tests.api.calls import Caller, RunningServer
from tests.api.conftest import member
from tests.api.grant_table import HIDDEN, MINE, file_of
from tests.api.narrowed_world import World, narrowed_world
from tests.api.planted import changed, made
from tests.store.backends import BACKENDS


@pytest.fixture
async def world(server: RunningServer, owner: Caller) -> World:
    return await narrowed_world(server, owner)


both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


@both
async def test_who_knows_the_hash_of_a_file_has_not_got_it(world: World) -> None:
    """Whoever has the content may use it, and finds it in their list; nobody tells them that it was there already."""
    file_hash, dataset = world.hidden["file_hash"], world.mine["dataset_id"]
    cases = json.dumps([{"prompt": "new", "attachments": [file_of(world.hidden)]}]).encode()
    form = aiohttp.FormData()
    form.add_field("file", cases, filename="cases.json")
    refused = await world.editor.call("POST", f"/api/eval/datasets/{dataset}/import", data=form)
    assert (refused.status, "no file of this hash" in refused.body["detail"]) == (422, True)
    files = "/api/eval/attachments"
    assert file_hash not in str((await world.editor.get(files)).body)
    form = aiohttp.FormData()
    form.add_field("file", f"It says {HIDDEN}.".encode(), filename="mine.txt", content_type="text/plain")
    assert (await world.editor.call("POST", files, data=form)).status == 201
    assert file_hash in str((await world.editor.get(files, unused="false")).body)
    assert (await world.editor.get(f"{files}/{file_hash}/content")).body == f"It says {HIDDEN}."
    case = {"prompt": "new", "attachments": [{"hash": file_hash}]}
    assert (await world.editor.post(f"/api/eval/datasets/{dataset}/cases", case)).status == 201
    assert (await world.editor.delete(f"{files}/{file_hash}")).status == 409
    other = await member(world.server, Role.EDITOR, "other@example.org", targets=[])
    assert (await other.get(f"{files}/{file_hash}")).status == 404


@both
async def test_what_was_used_for_a_granted_target_is_counted_wherever_it_was(world: World) -> None:
    """Of each source by its target, which is known when the source is not there any more."""
    day, used = now().date(), Usage(calls=1)
    async with world.server.context.database.transaction() as tx:
        for number, ids in enumerate((world.mine, world.hidden)):
            source = Source(new_id(), ids["target_id"])
            await usage.put(tx, source, "judge", day, f"openai:judge-{number}", used)
        await usage.put(tx, Source(new_id(), None), "judge", day, "openai:judge-of-none", used)
    models = [row["model"] for row in (await world.editor.get("/api/eval/usage")).body["models"]]
    assert sorted(models) == [f"{MINE}:model", "openai:judge-0"]
    gone = (await world.owner.delete(f"/api/eval/runs/{world.mine['run_id']}")).status
    assert (gone, (await world.editor.get("/api/eval/usage")).body["target"]["calls"]) == (204, 1)


@both
async def test_a_schedule_that_is_given_to_a_granted_target_tells_nothing_of_the_one_before(world: World) -> None:
    schedule, at = world.hidden["schedule_id"], pack_time(now())
    async with world.server.context.database.transaction() as tx:
        await tx.execute(
            "INSERT INTO firings (id, schedule_id, due_at, fired_at, status, run_id, told)"
            " VALUES (?, ?, ?, ?, 'started', ?, 1)",
            (pack_id(new_id()), pack_id(schedule), at, at, pack_id(world.hidden["run_id"])),
        )
    given = {name: world.mine[name] for name in ("target_id", "dataset_id")}
    await changed(world.owner, f"/api/eval/schedules/{schedule}", {"name": "given", **given})
    assert (await world.owner.get(f"/api/eval/schedules/{schedule}/firings")).body["total"] == 1
    for path in ("/api/notices", f"/api/eval/schedules/{schedule}", f"/api/eval/schedules/{schedule}/firings"):
        answer = await world.editor.get(path)
        told = HIDDEN in str(answer.body) or world.hidden["run_id"] in str(answer.body)
        assert (answer.status, told) == (200, False), answer


@both
async def test_a_target_does_not_take_the_name_by_which_others_are_found(world: World) -> None:
    """Traces of a service that is not known yet, and a suite that is run the first time, come under a name."""
    own = {"name": "own", "definition": {"kind": "replay", "outputs": {"a": "b"}}}
    target = (await made(world.owner, "/api/targets", own))["id"]
    editor = await member(world.server, Role.EDITOR, "other@example.org", targets=[target])
    refused = await editor.put(f"/api/targets/{target}", {"name": "payments"})
    assert (refused.status, "by its name" in refused.body["detail"]) == (403, True)
    kept = await editor.put(f"/api/targets/{target}", {"name": "own", "description": "new"})
    assert (kept.status, kept.body["name"], kept.body["description"]) == (200, "own", "new")
    assert (await world.owner.put(f"/api/targets/{target}", {"name": "payments"})).status == 200


@both
async def test_the_list_says_which_datasets_may_be_changed(world: World) -> None:
    shared_gate = {"policies": [{"dataset_id": world.mine["dataset_id"], "threshold": 1}]}
    more = (await made(world.owner, "/api/eval/datasets", {"name": "more", "target_id": world.mine["target_id"]}))["id"]
    await made(world.owner, "/api/eval/datasets", {"name": "theirs", "target_id": world.hidden["target_id"]})
    listed = (await world.editor.get("/api/eval/datasets")).body["items"]
    assert {one["id"]: one["may_change"] for one in listed} == {
        more: True,
        world.mine["dataset_id"]: True,
        world.shared: False,
    }
    await changed(world.owner, f"/api/targets/{world.hidden['target_id']}/gate", shared_gate)
    for one in (await world.editor.get("/api/eval/datasets")).body["items"]:
        done = await world.editor.post(f"/api/eval/datasets/{one['id']}/cases", {"prompt": "new"})
        assert (done.status == 201) is one["may_change"] is (one["id"] == more)
    assert all(one["may_change"] for one in (await world.owner.get("/api/eval/datasets")).body["items"])
