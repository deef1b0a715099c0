"""Runs: start, list, read, delete, export."""

from enum import StrEnum
from typing import Annotated, Any

from fastapi import APIRouter, Query

from aloi.api.access import Editor, Viewer
from aloi.api.paging import PageOut, Paging, paged
from aloi.api.streams import Streamed
from aloi.core.run import Progress, RunStatus
from aloi.core.run_start import RunStart, SuiteStart
from aloi.core.run_view import RunPage, RunView
from aloi.service import exporting, run_views, runs

router = APIRouter(prefix="/eval", tags=["runs"])


class Format(StrEnum):
    """Formats of an export."""

    JSON = "json"
    CSV = "csv"
    JUNIT = "junit"
    HTML = "html"


FILES = {
    Format.JSON: ("json", "application/json"),
    Format.CSV: ("csv", "text/csv; charset=utf-8"),
    Format.JUNIT: ("xml", "application/xml"),
    Format.HTML: ("html", "text/html; charset=utf-8"),
}
EXPORTS: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file.", "content": {media_type: {} for _, media_type in FILES.values()}}
}


@router.post("/runs", status_code=202)
async def start_run(context: Editor, wanted: RunStart) -> RunView:
    """Start a run of a target on a dataset. What it needs is frozen now; the work goes on in the background."""
    return await run_views.view(context, await runs.start_for(context, wanted))


@router.post("/suites/runs", status_code=202)
async def start_suite_run(context: Editor, wanted: SuiteStart) -> RunView:
    """Make a dataset hold exactly these cases and evaluators and start a run on it, in one step or not at all."""
    run = await runs.start_with(
        context, wanted.request, wanted.each(), wanted.bindings, wanted.judge_samples, wanted.simulations
    )
    return await run_views.view(context, run)


@router.get("/runs")
async def list_runs(
    context: Viewer,
    paging: Paging,
    target_id: Annotated[str | None, Query(description="Only runs of this target.")] = None,
    dataset_id: Annotated[str | None, Query(description="Only runs on this dataset.")] = None,
    schedule_id: Annotated[str | None, Query(description="Only runs that this schedule started.")] = None,
    status: Annotated[list[RunStatus] | None, Query(description="Only runs of these states.")] = None,
    q: Annotated[str | None, Query(description="Only runs with this in the name of the target or dataset.")] = None,
) -> PageOut[RunView]:
    """Runs, newest first."""
    found = await run_views.listing(
        context,
        *paging,
        target_id=target_id,
        dataset_id=dataset_id,
        schedule_id=schedule_id,
        statuses=status or (),
        text=q,
    )
    return paged(found)


@router.get("/runs/{run_id}")
async def get_run(context: Viewer, run_id: str) -> RunPage:
    """A run with its numbers and its first 200 results; `results_total` counts all. It may be read while it goes on."""
    return await run_views.with_results(context, run_id)


@router.get("/runs/{run_id}/state")
async def get_run_state(context: Viewer, run_id: str) -> RunView:
    """A run with its numbers, without results."""
    return await run_views.view(context, await runs.get(context, run_id))


@router.get("/runs/{run_id}/progress")
async def get_run_progress(context: Viewer, run_id: str) -> Progress:
    """How far a run is, from what is committed."""
    return await runs.progress(context, run_id)


@router.delete("/runs/{run_id}", status_code=204)
async def delete_run(context: Editor, run_id: str) -> None:
    """Delete a run with its results. One that is going on is cancelled first."""
    await runs.delete(context, run_id)


@router.get("/runs/{run_id}/export", response_class=Streamed, responses=EXPORTS)
async def export_run(
    context: Viewer, run_id: str, form: Annotated[Format, Query(alias="format")] = Format.JSON
) -> Streamed:
    """A run with all its results as a file."""
    run = await runs.get(context, run_id)
    ending, media_type = FILES[form]
    return Streamed(exporting.export(context, run.id, form.value), media_type, f"run-{run.id}.{ending}")
