"""What came out of a run, case by case."""

from typing import Annotated

from fastapi import APIRouter, Query

from aloi.api.access import Viewer
from aloi.api.paging import PageOut, Paging, paged
from aloi.core.case import Case
from aloi.core.label import BlindResult
from aloi.core.result import CaseResult
from aloi.core.run_view import CaseDetail, ResultView
from aloi.core.score import Verdict
from aloi.service import labels, run_views, runs

router = APIRouter(prefix="/eval/runs/{run_id}", tags=["results"])
OneVerdict = Annotated[Verdict | None, Query(description="Only results of this verdict.")]


@router.get("/results")
async def list_results(
    context: Viewer,
    run_id: str,
    paging: Paging,
    verdict: OneVerdict = None,
    q: Annotated[
        str | None, Query(description="Only results with this in the case's key or name, the answer or the reasoning.")
    ] = None,
    labelled: Annotated[
        bool | None, Query(description="Only results that somebody labelled, or only the others.")
    ] = None,
) -> PageOut[ResultView]:
    """Results in the order of the cases: long texts are cut, traces left out. May be read while the run goes on."""
    return paged(await run_views.page_of_results(context, run_id, verdict, q, *paging, labelled))


@router.get("/whole-results")
async def list_whole_results(
    context: Viewer, run_id: str, paging: Paging, verdict: OneVerdict = None
) -> PageOut[CaseResult]:
    """Results in the order of the cases with everything: scores with their samples, whole texts, traces."""
    return paged(await runs.results_page(context, run_id, verdict, *paging))


# A case's key may hold slashes, hence `:path`.
@router.get("/results/{case_id:path}")
async def get_result(
    context: Viewer,
    run_id: str,
    case_id: str,
    trial: Annotated[int, Query(ge=0, le=1_000_000, description="Counted from 0.")] = 0,
    blind: Annotated[
        bool, Query(description="Leave out what every evaluator found: for labelling without being led.")
    ] = False,
) -> CaseDetail | BlindResult:
    """Everything of one result, by the case's id or key: scores with samples, the trace, the case as it was frozen.

    The trace begins at the case; below it stand the target's execution, with its own spans, and a span for each
    evaluator, with one for each sample of its judge. The outcome's own trace is null: it would be the same spans again.

    With `blind=1` the case, the answer and the target's own trace alone: no verdict, no score and no reasoning.
    """
    if blind:
        return await labels.blind(context, run_id, case_id, trial)
    return await run_views.detail(context, run_id, case_id, trial)


@router.get("/cases/{case_id:path}")
async def get_frozen_case(context: Viewer, run_id: str, case_id: str) -> Case:
    """A case as the run froze it, by its id or key."""
    return await runs.frozen_case(context, run_id, case_id)
