"""The versions of saved evaluators, and which of them graded a run."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from aloi.api.access import Editor, Viewer
from aloi.api.etags import IfMatch, tag, wanted
from aloi.api.faults import Pointed
from aloi.api.paging import PageOut, Paging, paged
from aloi.core.binding import Binding
from aloi.core.saved_evaluator import MOST_EVALUATOR_VERSIONS, EvaluatorVersion, SavedEvaluator
from aloi.service import evaluator_versions

router = APIRouter(tags=["evaluators"], dependencies=[Pointed])

Number = Annotated[int, Path(ge=1, le=MOST_EVALUATOR_VERSIONS, description="The version's number.")]


@router.get("/eval/evaluators/{evaluator_id}/versions")
async def list_evaluator_versions(context: Viewer, evaluator_id: str, paging: Paging) -> PageOut[EvaluatorVersion]:
    """List the versions of a saved evaluator, newest first; also of one that was deleted."""
    return paged(await evaluator_versions.listing(context, evaluator_id, paging.page, paging.size))


@router.get("/eval/evaluators/{evaluator_id}/versions/{number}")
async def get_evaluator_version(context: Viewer, evaluator_id: str, number: Number) -> EvaluatorVersion:
    """Read one version of a saved evaluator; also of one that was deleted."""
    return await evaluator_versions.get(context, evaluator_id, number)


@router.post("/eval/evaluators/{evaluator_id}/versions/{number}/restore")
async def restore_evaluator_version(
    context: Editor, evaluator_id: str, number: Number, response: Response, if_match: IfMatch = None
) -> SavedEvaluator:
    """Make a new version that says what an earlier one said, here and in every dataset that binds the evaluator.

    Nothing changes where the present version says that already.
    """
    changed = await evaluator_versions.restore(context, evaluator_id, number, wanted(if_match))
    tag(response, changed.edited())
    return changed


@router.get("/eval/runs/{run_id}/evaluators")
async def list_run_evaluators(context: Viewer, run_id: str) -> list[Binding]:
    """The evaluators that graded a run, as they were when it started: spec, weight, and which version of a saved one.

    They stay as they are whatever becomes of the evaluators and the dataset. Cases may have had others of their own.
    """
    return list(await evaluator_versions.of_run(context, run_id))
