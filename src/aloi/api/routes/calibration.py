"""How far the judges can be trusted."""

from typing import Annotated

from fastapi import APIRouter, Query

from aloi.api.access import Viewer
from aloi.api.paging import PageOut, Paging, paged
from aloi.core.calibration import Calibration
from aloi.service import calibration

router = APIRouter(prefix="/eval", tags=["calibration"])


@router.get("/calibration")
async def list_calibrations(
    context: Viewer,
    paging: Paging,
    target_id: Annotated[str | None, Query(description="Only runs of this target, by id or name.")] = None,
    dataset_id: Annotated[str | None, Query(description="Only runs of this dataset, by id or name.")] = None,
    run_id: Annotated[str | None, Query(description="Only this run.")] = None,
) -> PageOut[Calibration]:
    """Each judge against people's labels and against itself, the most labelled first.

    A judge is its model, prompt, kind, parameters (rubric, threshold) and number of samples: where one of them differs,
    it is another judge. The gate never uses these figures.
    """
    return paged(await calibration.listing(context, target_id, dataset_id, run_id, *paging))
