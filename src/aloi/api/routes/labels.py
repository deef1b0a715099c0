"""What people say of results, to hold the judges against."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query

from aloi.api.access import Editor, Viewer
from aloi.api.paging import PageOut, Paging, paged
from aloi.core.label import Label, LabelGiven, LabellingEntry
from aloi.service import labels

router = APIRouter(prefix="/eval/runs/{run_id}", tags=["labels"])


@router.get("/labels")
async def list_labels(context: Viewer, run_id: str, paging: Paging) -> PageOut[Label]:
    """The labels of a run's results, in the order of the cases."""
    return paged(await labels.listing(context, run_id, *paging))


@router.get("/labelling")
async def list_labelling(
    context: Viewer,
    run_id: str,
    paging: Paging,
    unlabelled: Annotated[bool, Query(description="Only results that nobody labelled.")] = False,
) -> PageOut[LabellingEntry]:
    """The results to label, whatever came of them, in a shuffled order that stays the same.

    It says nothing of what the evaluators found, nor what other people labelled; the reader's own labels are there.
    """
    return paged(await labels.labelling(context, run_id, unlabelled, *paging))


# A case's key may hold slashes, hence `:path`.
@router.put("/results/{case_id:path}/label")
async def label_result(
    context: Editor,
    run_id: str,
    case_id: str,
    body: LabelGiven,
    blind: Annotated[bool, Query(description="Whether it is given without the judge's word on the page.")] = False,
) -> Label:
    """Say whether a result deserves to pass or to fail, by the case's id or key. An earlier label is replaced."""
    return await labels.give(context, run_id, case_id, body, blind)


@router.delete("/results/{case_id:path}/label", status_code=HTTPStatus.NO_CONTENT)
async def delete_label(
    context: Editor,
    run_id: str,
    case_id: str,
    trial: Annotated[int, Query(ge=0, le=1_000_000, description="Counted from 0.")] = 0,
) -> None:
    """Take the label of a result away, by the case's id or key."""
    await labels.remove(context, run_id, case_id, trial)
