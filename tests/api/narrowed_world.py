"""A workspace in which an editor is narrowed to one of two targets that have everything that can be of one."""

from typing import NamedTuple

from aloi.core.access import Role
from aloi.service.accounts import api_keys, members
from tests.api.calls import Caller, RunningServer
from tests.api.conftest import member
from tests.api.grant_table import HIDDEN, MINE, SHARED, Ids
from tests.api.planted import made, plant, waiting


class World(NamedTuple):
    """Who is narrowed to the target of `mine`; `shared` is a dataset of no target."""

    editor: Caller
    owner: Caller
    server: RunningServer
    hidden: Ids
    flow: Ids
    mine: Ids
    shared: str


async def narrowed_world(server: RunningServer, owner: Caller) -> World:
    """Make it."""
    hidden, flow = await plant(server, owner, HIDDEN), await waiting(owner, HIDDEN)
    mine = await plant(server, owner, MINE)
    shared = (await made(owner, "/api/eval/datasets", {"name": f"{SHARED} data"}))["id"]
    await made(owner, f"/api/eval/datasets/{shared}/cases", {"prompt": SHARED, "expected_output": SHARED})
    editor = await member(server, Role.EDITOR, "narrow@example.org", targets=[mine["target_id"]])
    others = {
        "member_id": (await members.add(server.context, "ann@example.org", Role.VIEWER)).member.id,
        "key_id": (await api_keys.create(server.context, "ci", Role.VIEWER)).key.id,
    }
    return World(editor, owner, server, hidden | others, flow, mine | others, shared)
