"""What is kept of production, and what became of the spans that came from there."""

from fastapi import APIRouter

from aloi.api.access import Owner, Viewer, ViewerOfAll
from aloi.api.faults import Pointed
from aloi.core.ingestion import IngestionCounts, Retention
from aloi.service import retaining

router = APIRouter(prefix="/workspace", tags=["workspace"], dependencies=[Pointed])


@router.get("/retention")
async def get_retention(context: Viewer) -> Retention:
    """Read how long executions of production are kept; null is for ever."""
    return await retaining.get(context)


@router.put("/retention")
async def update_retention(context: Owner, body: Retention) -> Retention:
    """Say how long executions of production are kept, by age and by size. What is beyond goes in the background."""
    return await retaining.update(context, body.model_dump(exclude_unset=True))


@router.get("/ingestion")
async def get_ingestion(context: ViewerOfAll) -> IngestionCounts:
    """Read what became of the spans that came in the last 30 days."""
    return await retaining.counts(context)
