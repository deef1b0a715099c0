"""Every route against every role, somebody who is not signed in, and the owner of another workspace."""

import re
from typing import Any

import aiohttp
import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import iter_route_contexts

from aloi.api.access import Needs, server_context
from aloi.api.app import create_app
from aloi.core.access import Role
from aloi.core.notice import News, NoticeKind
from aloi.service.accounts import api_keys, members
from aloi.service.clock import new_id, now
from aloi.service.scheduling import notices
from aloi.store import outcomes, targets
from tests.api.calls import Answer, Caller, RunningServer
from tests.api.role_table import BODIES, ROLES, WORDS
from tests.service.started_runs import finished, prompts, results_of, save, start

PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")
DONE_OR_REFUSED_FOR_ANOTHER_REASON = {200, 201, 202, 204, 400, 404, 409, 412, 415, 422}
UNNAMED = "tests/api/role_table.py does not fit the routes; add to ROLES (or take out of it):\n"


def needed(dependant: Dependant) -> Role | None:
    """The role that a route itself asks for: by the one context that it takes."""
    calls = [found.call for found in dependant.dependencies]
    asked = [call.role if isinstance(call, Needs) else None for call in calls if is_context(call)]
    assert len(asked) == 1, f"{dependant.call} takes {len(asked)} of Viewer, Editor, Owner and Public; it wants one"
    return asked[0]


def is_context(call: object) -> bool:
    """Whether a dependency is one of Viewer, Editor, Owner and Public."""
    return isinstance(call, Needs) or call is server_context


def declared() -> dict[str, Role | None]:
    """The role that each route of the application asks for, by `METHOD path`."""
    found: dict[str, Role | None] = {}
    for route in iter_route_contexts(create_app(None).routes):
        dependant: Dependant | None = getattr(route, "dependant", None)
        for method in (route.methods or set()) - {"HEAD"}:
            found[f"{method} {route.path}"] = needed(dependant) if dependant else None
    return found


def test_each_route_asks_for_the_role_that_is_written_down() -> None:
    routes = declared()
    missing = [f'    "{route}": {(role or "public").upper()},' for route, role in routes.items() if route not in ROLES]
    gone = [f'    take out "{route}"' for route in ROLES if route not in routes]
    assert not missing and not gone, UNNAMED + "\n".join(missing + gone)
    assert {route: role for route, role in routes.items() if ROLES[route] is not role} == {}


def test_what_only_reads_is_open_to_viewers_and_changes_are_not() -> None:
    own_affairs = {"POST /api/auth/logout", "POST /api/auth/password"}
    own_affairs |= {"POST /api/notices/read", "POST /api/notices/{notice_id}/read"}
    reckoning = {"POST /api/eval/schedules/preview", "POST /api/target-kinds/{kind}/check"}  # nothing is stored
    owners = {"GET /api/audit", "GET /api/auth/api-keys", "GET /api/members/{member_id}/grants"}
    for route, role in ROLES.items():
        if route.startswith("GET ") and role is not None and route not in owners:
            assert role is Role.VIEWER, route
        elif not route.startswith("GET ") and role is not None and route not in own_affairs | reckoning:
            assert role.may(Role.EDITOR), route


@pytest.fixture
async def things(server: RunningServer, owner: Caller) -> dict[str, str]:
    """The ids of real things in the first workspace, by the name that a path's parameter has."""
    context = server.context
    dataset = await save(context, prompts(2))
    run = await finished(context, await start(context, answer_ok))
    result = next(iter((await results_of(context, run)).values()))
    async with context.database.read() as rx:
        version = await targets.version_by_id(rx, run.spec.target_version_id)
        executions = await outcomes.graded(rx, run.id)
    timing = {"start": "2030-01-01T00:00:00Z", "recurrence": {"kind": "every", "n": 1, "unit": "days"}}
    made = {"name": "daily", "target_id": version.target_id, "dataset_id": dataset, **timing}
    schedule = (await owner.post("/api/eval/schedules", made)).body
    news = News(NoticeKind.FAILED, "it failed")
    async with context.database.transaction() as tx:
        notice = await notices.tell(tx, (schedule["id"], schedule["name"]), None, news, now())
    evaluator = await owner.post("/api/eval/evaluators", {"name": "e", "spec": {"kind": "contains", "text": "ok"}})
    own = {"name": "rule", "evaluators": [{"kind": "latency", "max": 1}]}
    rule = (await owner.post(f"/api/targets/{version.target_id}/online-rules", own)).body
    return {
        "rule_id": rule["id"],
        "dataset_id": dataset,
        "case_id": result.case_id,
        "run_id": run.id,
        "target_id": version.target_id,
        "execution_id": executions[0].execution_id,
        "evaluator_id": evaluator.body["id"],
        "schedule_id": schedule["id"],
        "notice_id": notice.id,
        "member_id": (await members.add(context, "ann@example.org", Role.VIEWER)).member.id,
        "key_id": (await api_keys.create(context, "ci", Role.VIEWER)).key.id,
    }


def answer_ok(_: object) -> str:
    """A target."""
    return "ok"


async def key_of(server: RunningServer, role: Role) -> Caller:
    """A program with a key of a role: unlike a session, it is still there after signing out."""
    return server.caller((await api_keys.create(server.context, role, role)).secret)


async def ask(caller: Caller, route: str, ids: dict[str, str]) -> Answer:
    """Call a route with these ids in its path, and a body that fits where the table has one."""
    method, path = route.split(" ")
    path = PARAMETER.sub(lambda found: ids[found[1]], path)
    if method in {"GET", "DELETE"}:
        return await caller.call(method, path)
    body = BODIES.get(route, {})
    if isinstance(body, bytes):
        form = aiohttp.FormData()
        form.add_field("file", body, filename="cases.csv", content_type="text/csv")
        return await caller.call(method, path, data=form)
    return await caller.call(method, path, json=body)


def nothing() -> dict[str, str]:
    """For every parameter of a path: an id of nothing."""
    names = {name for route in ROLES for name in PARAMETER.findall(route)}
    return {name: new_id() for name in names} | WORDS


async def test_nobody_gets_beyond_what_is_public(nobody: Caller) -> None:
    wrong: dict[str, Any] = {}
    for route, role in ROLES.items():
        answer = await ask(nobody, route, nothing())
        refused = answer.status == 401 and answer.body["code"] in (
            "not_signed_in",
            16,
        )  # the latter by the rules of OTLP
        if refused is (role is None):
            wrong[route] = answer
        if refused:
            assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert not wrong


@pytest.mark.parametrize("token", ["aloi_" + "x" * 43, "x" * 43, "é"])
async def test_a_token_of_nobody_is_as_good_as_none(server: RunningServer, token: str) -> None:
    caller = server.caller(token)
    for route, role in ROLES.items():
        if role is not None:
            assert (await ask(caller, route, nothing())).status == 401, route


@pytest.mark.parametrize("role", list(Role))
async def test_each_role_gets_to_what_it_may_do_and_no_further(server: RunningServer, role: Role) -> None:
    caller = await key_of(server, role)
    wrong: dict[str, Any] = {}
    for route, needs in ROLES.items():
        if needs is None:
            continue
        answer = await ask(caller, route, nothing())
        fits = answer.status in DONE_OR_REFUSED_FOR_ANOTHER_REASON if role.may(needs) else answer.status == 403
        if not fits:
            wrong[route] = answer
    assert not wrong


async def test_another_workspaces_things_are_not_there(
    server: RunningServer, owner: Caller, stranger: Caller, things: dict[str, str]
) -> None:
    ids = things | WORDS
    unknown = {name for route in ROLES for name in PARAMETER.findall(route)} - ids.keys()
    assert not unknown, f"add {unknown} to WORDS in tests/api/role_table.py, or a real one to test_access_roles.things"
    wrong: dict[str, Any] = {}
    for route in ROLES:
        if PARAMETER.search(route):
            answer = await ask(stranger, route, ids)
            if answer.status != 404:
                wrong[route] = answer
    assert not wrong, "give BODIES in tests/api/role_table.py a body that fits where these say 422"
    for path in ("/api/eval/datasets/{dataset_id}", "/api/eval/runs/{run_id}", "/api/eval/evaluators/{evaluator_id}"):
        assert (await owner.get(path.format(**things))).status == 200, path
    assert (await owner.get("/api/members")).body["total"] == 2
    assert (await owner.get("/api/auth/api-keys")).body["total"] == 1
