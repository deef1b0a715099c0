"""Schedules: runs that start by themselves, and what came of each firing."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import AwareDatetime, Field

from aloi.api.access import Editor, Viewer
from aloi.api.etags import IfMatch, tag, wanted
from aloi.api.faults import Pointed
from aloi.api.paging import PageOut, Paging, paged
from aloi.api.routes.datasets import SearchText
from aloi.core.dataset import NAME_LENGTH
from aloi.core.schedule import Every, Firing, Preview, Recurrence, Schedule, ScheduleGiven, Timing
from aloi.core.spec import Value
from aloi.service.scheduling import schedules

router = APIRouter(prefix="/eval", tags=["schedules"], dependencies=[Pointed])


class ScheduleChanges(Value):
    """What may change of a schedule: an absent key leaves the field, null clears it. A recurrence is replaced whole."""

    name: str = Field(default="", min_length=1, max_length=NAME_LENGTH)
    target_id: str = Field(default="", description="The target by its id or its name.")
    dataset_id: str = Field(default="", description="The dataset by its id or its name.")
    start: AwareDatetime = datetime.max
    end: AwareDatetime | None = None
    zone: str = Field(default="UTC", description="IANA time zone, e.g. Europe/Paris.")
    recurrence: Recurrence = Every(n=1, unit="days")
    paused: bool = False


@router.post("/schedules", status_code=201)
async def create_schedule(context: Editor, body: ScheduleGiven, response: Response) -> Schedule:
    """Create a schedule. It fires from now on, as long as a server runs."""
    created = await schedules.create(context, body.model_dump(exclude_unset=True))
    tag(response, created.edited())
    return created


@router.get("/schedules")
async def list_schedules(
    context: Viewer,
    paging: Paging,
    target_id: Annotated[str | None, Query(description="Only those of this target, by its id or name.")] = None,
    name: Annotated[str | None, Query(max_length=NAME_LENGTH, description="Only the one of exactly this name.")] = None,
    q: SearchText = "",
) -> PageOut[Schedule]:
    """List the schedules, newest first, each with its last firing; `q` looks at their names and their targets'."""
    wanted = schedules.ScheduleFilter(target_id, name, q)
    return paged(await schedules.page(context, wanted, paging.page, paging.size))


@router.post("/schedules/preview")
async def preview_schedule(context: Viewer, body: Timing) -> Preview:
    """Tell what a recurrence means in words, and when it would fire next (at most five times); nothing is stored."""
    return await schedules.preview(context, body)


@router.get("/schedules/{schedule_id}")
async def get_schedule(context: Viewer, schedule_id: str, response: Response) -> Schedule:
    """Read a schedule."""
    found = await schedules.get(context, schedule_id)
    tag(response, found.edited())
    return found


@router.put("/schedules/{schedule_id}")
async def update_schedule(
    context: Editor, schedule_id: str, body: ScheduleChanges, response: Response, if_match: IfMatch = None
) -> Schedule:
    """Change a schedule. A change of when it fires counts from now on; what was due then does not fire any more."""
    changes = body.model_dump(exclude_unset=True)
    changed = await schedules.update(context, schedule_id, changes, wanted(if_match))
    tag(response, changed.edited())
    return changed


@router.delete("/schedules/{schedule_id}", status_code=204)
async def delete_schedule(context: Editor, schedule_id: str, if_match: IfMatch = None) -> None:
    """Delete a schedule with the record of its firings. Its runs stay, and those that are going on go on."""
    await schedules.delete(context, schedule_id, wanted(if_match))


@router.post("/schedules/{schedule_id}/pause")
async def pause_schedule(context: Editor, schedule_id: str) -> Schedule:
    """Let a schedule not fire until it is resumed."""
    return await schedules.pause(context, schedule_id)


@router.post("/schedules/{schedule_id}/resume")
async def resume_schedule(context: Editor, schedule_id: str) -> Schedule:
    """Let a paused schedule fire again, from now on: what it missed does not fire any more."""
    return await schedules.resume(context, schedule_id)


@router.get("/schedules/{schedule_id}/firings")
async def list_firings(context: Viewer, schedule_id: str, paging: Paging) -> PageOut[Firing]:
    """List what came of each firing, newest first."""
    return paged(await schedules.firings_of(context, schedule_id, paging.page, paging.size))
