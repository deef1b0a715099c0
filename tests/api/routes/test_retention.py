"""What is kept of production, over HTTP."""

from tests.api.calls import Caller, RunningServer
from tests.otlp_requests import execution, new_trace, span
from tests.service.observed import finish, send

PATH = "/api/workspace/retention"


async def test_limits_are_read_by_all_and_set_by_owners(owner: Caller, editor: Caller, viewer: Caller):
    assert (await viewer.get(PATH)).body == {"days": None, "megabytes": None}
    assert (await editor.put(PATH, {"days": 30})).status == 403
    assert (await owner.put(PATH, {"days": 30, "megabytes": 500})).body == {"days": 30, "megabytes": 500}
    assert (await owner.put(PATH, {"megabytes": None})).body == {"days": 30, "megabytes": None}
    assert (await viewer.get(PATH)).body == {"days": 30, "megabytes": None}


async def test_limits_that_are_none_are_refused(owner: Caller):
    for body in ({"days": 0}, {"megabytes": -1}, {"days": "soon"}, {"years": 1}):
        assert (await owner.put(PATH, body)).status == 422


async def test_other_workspaces_keep_their_own(owner: Caller, stranger: Caller):
    await owner.put(PATH, {"days": 30})
    assert (await stranger.get(PATH)).body["days"] is None


async def test_what_became_of_spans_is_told(server: RunningServer, viewer: Caller, stranger: Caller):
    await send(server.context, *execution(new_trace()), span(new_trace(), 1, name="GET /"))
    before = (await viewer.get("/api/workspace/ingestion")).body
    await finish(server.context)
    after = (await viewer.get("/api/workspace/ingestion")).body
    assert (before["spans"], before["waiting_spans"], before["dropped_traces"]) == (3, 3, 0)
    assert (after["spans"], after["waiting_spans"], after["dropped_traces"]) == (3, 0, 1)
    assert (await stranger.get("/api/workspace/ingestion")).body["spans"] == 0
