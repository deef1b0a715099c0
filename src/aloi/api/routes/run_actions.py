"""What is done with a run that was started: stop it, go on, do parts of it again."""

from typing import Annotated

from fastapi import APIRouter, Body

from aloi.api.access import Editor
from aloi.core.run_start import RetryStart
from aloi.core.run_view import RunView
from aloi.service import again, run_views, runs

router = APIRouter(prefix="/eval", tags=["runs"])
ERRORS = RetryStart()


@router.post("/runs/{run_id}/cancel")
async def cancel_run(context: Editor, run_id: str) -> RunView:
    """Stop a run. What is finished is kept."""
    return await run_views.view(context, await runs.cancel(context, run_id))


@router.post("/runs/{run_id}/resume", status_code=202)
async def resume_run(context: Editor, run_id: str) -> RunView:
    """Go on with a run that stopped. What is finished is not done again."""
    return await run_views.view(context, await runs.resume(context, run_id))


@router.post("/runs/{run_id}/retry", status_code=202)
async def retry_run(context: Editor, run_id: str, wanted: Annotated[RetryStart, Body()] = ERRORS) -> RunView:
    """Do the cases again that ended in error, or failed, as a new run that names its parent and keeps the others."""
    run = await again.retry(context, run_id, wanted.verdicts)
    return await run_views.view(context, run)


@router.post("/runs/{run_id}/regrade", status_code=202)
async def regrade_run(context: Editor, run_id: str) -> RunView:
    """Grade the same answers with the dataset's present evaluators, as a new run. The target is not called."""
    return await run_views.view(context, await again.regrade(context, run_id))
