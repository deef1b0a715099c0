"""Two runs against each other."""

from typing import Annotated

from fastapi import APIRouter, Query

from aloi.api.access import Viewer
from aloi.core.comparison import Comparison
from aloi.service import comparing

router = APIRouter(prefix="/eval", tags=["runs"])


@router.get("/compare")
async def compare_runs(
    context: Viewer,
    a: Annotated[str, Query(description="The baseline: a run's id.")],
    b: Annotated[str, Query(description="The run that is compared with it.")],
) -> Comparison:
    """Run A, the baseline, against run B: what changed, what differs between them, and whether it is beyond chance."""
    return await comparing.compare_runs(context, a, b)
