"""How many more cases a run would need."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from aloi.api.access import Viewer
from aloi.core.planned import Planning
from aloi.service import planning

router = APIRouter(prefix="/eval/runs/{run_id}", tags=["runs"])
HalfWidth = Annotated[float, Field(ge=0.005, lt=1)]


@router.get("/planning")
async def plan_run(
    context: Viewer,
    run_id: str,
    half_width: Annotated[
        list[HalfWidth] | None,
        Query(max_length=10, description="Half the width of the interval as a share; by default 0.2, 0.15, 0.1, 0.05."),
    ] = None,
) -> Planning:
    """How many more cases would narrow the run's 95 % interval, were they to pass at the run's own rate."""
    return await planning.planning(context, run_id, half_width or ())
