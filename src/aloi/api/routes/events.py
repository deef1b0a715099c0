"""Following a run as it goes on."""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Query

from aloi.api.access import Token, Viewer
from aloi.api.streams import Streamed
from aloi.service import following, runs

router = APIRouter(prefix="/eval", tags=["results"])
# No run has as many results; every database holds the number.
MOST_SEQ = 2**53
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"description": "Server-sent events.", "content": {"text/event-stream": {}}}
}
Last = Annotated[int | None, Query(ge=0, le=MOST_SEQ, description="As the header, for who cannot set one.")]
LastHeader = Annotated[
    int | None,
    Header(alias="Last-Event-ID", ge=0, le=MOST_SEQ, description="Go on behind this event; default all results."),
]


@router.get("/runs/{run_id}/events", response_class=Streamed, responses=EVENTS)
async def follow_run(
    context: Viewer, token: Token, run_id: str, last_event_id: Last = None, header: LastHeader = None
) -> Streamed:
    """Server-sent events: `result` for each that is committed, `progress` with counts and rate, `done` with the run.

    Of a run that was deleted, `done` has the status `gone`. The `id` of an event is where to go on after a break.
    """
    run = await runs.get(context, run_id)
    seq = header if header is not None else last_event_id or 0
    return Streamed(following.follow(context, run.id, seq, token), "text/event-stream; charset=utf-8")
