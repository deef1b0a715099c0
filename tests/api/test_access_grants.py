"""A member who is narrowed to some targets gets nothing of another target, by no route.

Every route is asked with ids of such a target in its path, in its query and in its body. A new route is covered by
itself where its ids stand in the path or the query; a body that names things is written into `grant_table.py`.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from aloi.core.access import Role
from aloi.store import narrowing
from tests.api.calls import Answer, Caller, RunningServer
from tests.api.conftest import member
from tests.api.grant_table import (
    BODIES_THAT_NAME,
    HIDDEN,
    MINE,
    NAME_NO_THING,
    OF_ALL,
    OF_NO_WORDS,
    SHARED,
    Ids,
)
from tests.api.narrowed_world import World, narrowed_world
from tests.api.role_table import ROLES, WORDS
from tests.api.test_access_roles import PARAMETER, ask
from tests.store.backends import BACKENDS

DOCUMENT = json.loads((Path(__file__).parents[2] / "openapi.json").read_text(encoding="utf-8"))
NAMES_A_THING = re.compile(r"(_ids?|^dataset|^target|^agent|^run|^execution|^schedule|^evaluator|^hash)s?$|^[ab]$")
NO_THING = {"last_event_id"}
# What changes with each request, or is not of targets.
RESTLESS = {"members", "sessions", "audit_log", "sign_in_links"}


@pytest.fixture
async def world(server: RunningServer, owner: Caller) -> World:
    return await narrowed_world(server, owner)


both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


def tells(answer: Answer, word: str) -> bool:
    """Whether a word is anywhere in an answer."""
    return word in json.dumps(answer.body) or word in json.dumps(dict(answer.headers))


async def content(server: RunningServer) -> dict[str, list[str]]:
    """All rows of all tables that requests do not change by being made."""
    async with server.context.database.read() as rx:
        return {
            table: sorted(map(repr, await rx.fetch(f"SELECT * FROM {table}")))
            for table in narrowing.tables()
            if table not in RESTLESS
        }


def operations() -> dict[str, dict[str, Any]]:
    """What the document says of each operation, by `METHOD path`, the path as it is declared there."""
    return {
        f"{method.upper()} {path}": operation
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
    }


def is_refused(status: int, route: str) -> bool:
    """Whether that is the answer for a thing that is not there; or, where the caller may do nothing at all, 403."""
    return status == 404 or (status == 403 and (ROLES[route] is Role.OWNER or route in OF_ALL))


@both
async def test_ids_in_paths_are_not_there(world: World) -> None:
    before = await content(world.server)
    wrong: dict[str, Answer] = {}
    for route in ROLES:
        if set(PARAMETER.findall(route)) & world.hidden.keys():
            for ids in (world.hidden, {**world.hidden, **world.flow}):
                answer = await ask(world.editor, route, WORDS | ids)
                if not is_refused(answer.status, route) or tells(answer, HIDDEN):
                    wrong[route] = answer
    assert not wrong
    assert await content(world.server) == before


@both
async def test_a_granted_target_is_no_way_to_what_is_of_another(world: World) -> None:
    """Paths with several ids: one of them is of a granted target."""
    before = await content(world.server)
    wrong: dict[str, Answer] = {}
    for route in ROLES:
        parameters = [name for name in PARAMETER.findall(route) if name in world.hidden]
        for name in parameters if len(parameters) > 1 else ():
            if name == "case_id" and "/runs/" in route:
                continue  # the case's key is in both
            answer = await ask(world.editor, route, WORDS | world.mine | {name: world.hidden[name]})
            if not is_refused(answer.status, route) or tells(answer, HIDDEN):
                wrong[f"{route} {name}"] = answer
    assert not wrong
    assert await content(world.server) == before


@both
async def test_what_is_read_without_ids_tells_nothing(world: World) -> None:
    wrong: dict[str, Answer] = {}
    ids = {**world.hidden, **{f"flow_{name}": value for name, value in world.flow.items()}}
    of_targets = {name: value for name, value in ids.items() if name not in ("member_id", "key_id")}
    seen = 0
    for route in ROLES:
        if route.startswith("GET ") and not PARAMETER.search(route):
            answer = await ask(world.editor, route, {})
            seen += tells(answer, MINE)
            if tells(answer, HIDDEN) or any(tells(answer, value) for value in of_targets.values()):
                wrong[route] = answer
    assert not wrong
    assert seen > 5


@both
async def test_ids_in_queries_find_nothing(world: World) -> None:
    wrong: dict[str, Answer] = {}
    asked = 0
    for route, operation in operations().items():
        names = [p["name"] for p in operation.get("parameters", ()) if p["in"] == "query" and p["name"] not in NO_THING]
        if not route.startswith("GET ") or not any(map(NAMES_A_THING.search, names)):
            continue
        path = PARAMETER.sub(lambda found: world.mine.get(found[1], WORDS.get(found[1], "")), route[4:])
        for name in filter(NAMES_A_THING.search, names):
            query = {n: named(n, world.mine) for n in names if n in ("a", "b")} | {name: named(name, world.hidden)}
            answer = await world.editor.call("GET", path, params=query)
            asked += 1
            found = answer.status == 200 and answer.body.get("total") != 0
            if found or answer.status not in (200, 404, 422) or tells(answer, HIDDEN):
                wrong[f"{route}?{name}"] = answer
    assert not wrong
    assert asked > 8


def named(parameter: str, ids: Ids) -> str:
    """The id that a parameter of a query means."""
    return ids["run_id" if parameter in ("a", "b") else parameter.removesuffix("_id") + "_id"]


def names_of(operation: dict[str, Any]) -> set[str]:
    """The names of the fields of an operation's body, at any depth, that may name a thing."""
    content = operation.get("requestBody", {}).get("content", {})
    fields = {name for media in content.values() for name in fields_in(media.get("schema", {}), frozenset())}
    return set(filter(NAMES_A_THING.search, fields))


def fields_in(schema: object, within: frozenset[str]) -> Iterator[str]:
    """The names of the fields that a schema has, at any depth; `within` are the ones that it stands in."""
    if isinstance(schema, list):
        for part in schema:
            yield from fields_in(part, within)
    if not isinstance(schema, dict):
        return
    yield from schema.get("properties", {})
    for key, part in schema.items():
        if key != "$ref":
            yield from fields_in(part, within)
        elif part not in within:
            yield from fields_in(DOCUMENT["components"]["schemas"][part.rpartition("/")[2]], within | {part})


def test_each_body_that_names_things_is_asked() -> None:
    """Write a body with ids of the hidden target into `BODIES_THAT_NAME` for each that is missing here."""
    naming = {route for route, operation in operations().items() if names_of(operation)}
    owners = {route for route, role in ROLES.items() if role is Role.OWNER}
    assert naming - owners - OF_ALL - NAME_NO_THING - BODIES_THAT_NAME.keys() == set()
    assert BODIES_THAT_NAME.keys() <= operations().keys()


@both
@pytest.mark.parametrize("route", BODIES_THAT_NAME)
async def test_ids_in_bodies_are_not_there(world: World, route: str) -> None:
    before = await content(world.server)
    method, path = route.split(" ")
    path = PARAMETER.sub(lambda found: (WORDS | world.mine)[found[1]], path)
    for body in BODIES_THAT_NAME[route]:
        answer = await world.editor.call(method, path, json=body(world.hidden, world.mine))
        told = json.dumps(answer.body).replace(json.dumps(body(world.hidden, world.mine))[1:-1], "")
        assert 400 <= answer.status < 500 or nothing_done(answer), answer
        assert HIDDEN not in re.sub(f"{HIDDEN} (target|data|saved)", "", told), answer  # the names that were sent
    assert await content(world.server) == before


def nothing_done(answer: Answer) -> bool:
    """Whether several things were named, and none was found."""
    counts = [answer.body.get(name, 0) for name in ("added", "changed", "present")]
    return answer.status == 200 and not any(counts) and bool(answer.body["missing"])


@both
async def test_datasets_of_no_target_are_read_and_not_changed(world: World) -> None:
    before = await content(world.server)
    ids = {**world.mine, "dataset_id": world.shared}
    case = (await world.editor.get(f"/api/eval/datasets/{world.shared}/cases")).body["items"][0]
    ids["case_id"] = case["id"]
    wrong: dict[str, Answer] = {}
    for route in ROLES:
        if "/eval/datasets/{dataset_id}" in route:
            answer = await ask(world.editor, route, WORDS | ids)
            if answer.status != (200 if route.startswith("GET ") else 403):
                wrong[route] = answer
    assert not wrong
    for route, body in (
        ("/api/eval/datasets", {"name": "new"}),
        ("/api/eval/suites/dataset", {"name": "new", "cases": []}),
        ("/api/eval/suites/dataset", {"name": f"{SHARED} data", "cases": []}),
        (f"/api/executions/{world.mine['execution_id']}/to-case", {"dataset_id": world.shared}),
        ("/api/executions/to-cases", {"dataset_id": world.shared, "execution_ids": [world.mine["execution_id"]]}),
    ):
        answer = await world.editor.post(route, body)
        assert (answer.status, "ask an owner" in answer.body["detail"]) == (403, True), answer
    spec = {"kind": "contains", "text": "x"}
    free = await world.editor.post("/api/eval/evaluators", {"name": "new", "spec": spec})
    assert (free.status, "make one for a target of yours" in free.body["detail"]) == (403, True)
    given_away = await world.editor.put(f"/api/eval/datasets/{world.mine['dataset_id']}", {"target_id": None})
    assert given_away.status == 403
    assert await content(world.server) == before


@both
async def test_what_concerns_all_targets_is_refused_with_the_reason(world: World) -> None:
    before = await content(world.server)
    definition: JsonValue = {"kind": "replay", "outputs": {"a": "b"}}
    bodies: dict[str, Any] = {route: {"name": "new", "definition": definition} for route in OF_ALL if "/api/" in route}
    bodies["POST /api/agents"]["definition"] = bodies["POST /api/workflows"]["definition"] = {}
    for route in OF_ALL:
        method, path = route.split(" ")
        path = PARAMETER.sub(lambda found: (WORDS | world.mine)[found[1]], path)
        answer = await world.editor.call(method, path, json=bodies.get(route, {}))
        said = answer.body.get("detail") or answer.body["message"]
        assert (answer.status, "granted" in said, "ask an owner" in said) == (403, True, True), (route, answer)
    assert await content(world.server) == before


@both
async def test_the_granted_target_is_there_with_everything_of_it(world: World) -> None:
    """Without it, the tests above would pass where everything is refused."""
    wrong: dict[str, Answer] = {}
    for route, role in ROLES.items():
        if route.startswith("GET ") and role is Role.VIEWER and route not in OF_ALL and "/export" not in route:
            answer = await ask(world.editor, route, WORDS | world.mine | {"name": f"{MINE} data"})
            if answer.status != 200 and "/suites/" not in route and route != "GET /api/eval/compare":
                wrong[route] = answer
    assert not wrong
    compared = await world.editor.get("/api/eval/compare", a=world.mine["run_id"], b=world.mine["run_id"])
    assert compared.status == 200
    target, dataset = world.mine["target_id"], world.mine["dataset_id"]
    run = await world.editor.post("/api/eval/runs", {"target_id": target, "dataset_id": dataset})
    assert run.status == 202
    assert (await world.editor.post(f"/api/eval/datasets/{dataset}/cases", {"prompt": "new"})).status == 201
    assert (await world.editor.put(f"/api/targets/{target}", {"description": "new"})).status == 200
    new = await world.editor.post("/api/eval/datasets", {"name": "new", "target_id": target})
    assert new.status == 201
    assert (await world.editor.delete(f"/api/eval/datasets/{new.body['id']}")).status == 204
    rule = f"/api/eval/evaluators/{world.mine['evaluator_id']}"
    assert (await world.editor.put(rule, {"description": "new"})).status == 200
    assert (await world.editor.put(rule, {"target_id": None})).status == 403
    assert (await world.editor.delete(rule)).status == 204


@both
async def test_an_editor_of_all_targets_is_told_of_it(world: World) -> None:
    """The words that the tests look for are where they look for them."""
    everything = await member(world.server, Role.EDITOR, "wide@example.org")
    silent: list[str] = []
    for route, role in ROLES.items():
        if route.startswith("GET ") and role is Role.VIEWER and "/suites/" not in route:
            ids = {**world.hidden, **world.flow} if "/waiting" in route else world.hidden
            if not tells(await ask(everything, route, WORDS | ids), HIDDEN):
                silent.append(route)
    assert set(silent) <= OF_NO_WORDS, "plant something that these tell, in tests/api/planted.py"
