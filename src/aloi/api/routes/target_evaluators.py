"""The evaluators of a target: what its datasets bind, and those that it begins with."""

from typing import Any

from fastapi import APIRouter, Response, status

from aloi.api.access import Editor, Viewer
from aloi.api.paging import PageOut, Paging, paged
from aloi.core.saved_evaluator import BoundDataset, DefaultEvaluators
from aloi.service import default_evaluators

router = APIRouter(prefix="/targets/{target_id}", tags=["evaluators"])
THERE_ARE_SOME: dict[int | str, dict[str, Any]] = {
    200: {"model": DefaultEvaluators, "description": "It had some already; nothing was made."}
}


@router.get("/evaluators")
async def list_target_evaluators(context: Viewer, target_id: str, paging: Paging) -> PageOut[BoundDataset]:
    """List a target's datasets, the oldest first, each with the evaluators that it binds and their weights."""
    return paged(await default_evaluators.bound(context, target_id, paging.page, paging.size))


@router.post("/default-evaluators", status_code=201, responses=THERE_ARE_SOME)
async def create_default_evaluators(context: Editor, target_id: str, response: Response) -> DefaultEvaluators:
    """Make the default evaluators of a target that has none of its own and whose datasets bind none.

    They are `output_judge`, `trajectory_judge`, `exact_match`, `json_similarity` and `tool_call_order`. Only the first
    is bound, to the target's first dataset, which is made where there is none. Asked again it does nothing: 200.
    """
    made = await default_evaluators.create_defaults(context, target_id)
    if not made.created:
        response.status_code = status.HTTP_200_OK
    return made
