"""Executions: every invocation of a target, in runs, by hand and in production."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import AwareDatetime

from aloi.api.access import Editor, Viewer
from aloi.api.faults import Pointed
from aloi.api.paging import PageOut, Paging, paged
from aloi.core.case import Case
from aloi.core.execution import (
    Answer,
    Execution,
    ExecutionEntry,
    ExecutionFilter,
    ExecutionSource,
    ExecutionStatus,
    Harvested,
    ToCase,
    ToCases,
    WaitingStep,
)
from aloi.service import executions, harvesting, waiting

router = APIRouter(tags=["executions"], dependencies=[Pointed])


def _filter(
    source: Annotated[ExecutionSource | None, Query(description="Only those that came from there.")] = None,
    status: Annotated[ExecutionStatus | None, Query(description="Only those in this state.")] = None,
    since: Annotated[AwareDatetime | None, Query(description="Only those from then on.")] = None,
    until: Annotated[AwareDatetime | None, Query(description="Only those before.")] = None,
    q: Annotated[str, Query(max_length=200, description="A text in the input or output; case is ignored.")] = "",
) -> ExecutionFilter:
    return ExecutionFilter(source=source, status=status, since=since, until=until, text=q)


Filtered = Annotated[ExecutionFilter, Depends(_filter)]


@router.get("/executions")
async def list_executions(
    context: Viewer,
    paging: Paging,
    wanted: Filtered,
    target_id: Annotated[str | None, Query(description="Only those of this target.")] = None,
) -> PageOut[ExecutionEntry]:
    """List executions, newest first, without their traces.

    `total` is exact up to 10,000; 10,001 stands for more than that. `q` looks at the newest 10,000 that the other
    filters let through.
    """
    return paged(await executions.listing(context, paging.page, paging.size, wanted._replace(target_id=target_id)))


@router.get("/executions/waiting")
async def list_waiting_steps(
    context: Viewer,
    paging: Paging,
    target_id: Annotated[str | None, Query(description="Only those of this target.")] = None,
) -> PageOut[WaitingStep]:
    """List the steps that wait for people, oldest first."""
    return paged(await waiting.listing(context, paging.page, paging.size, target_id))


@router.post("/executions/to-cases")
async def create_cases_of_executions(context: Editor, body: ToCases) -> Harvested:
    """Make executions draft cases of a dataset, all at once. Those that are in it already count, and change nothing."""
    return await harvesting.add_drafts(context, body.dataset_id, body.execution_ids)


@router.get("/executions/{execution_id}")
async def get_execution(context: Viewer, execution_id: str) -> Execution:
    """Read an execution with its trace."""
    return await executions.get(context, execution_id)


@router.post("/executions/{execution_id}/steps/{name}/answer", status_code=202)
async def answer_step(context: Editor, execution_id: str, name: str, body: Answer) -> Execution:
    """Answer a step that waits for a person. The execution goes on in the background; a step is answered once."""
    return await waiting.answer(context, execution_id, name, body.answer)


@router.post("/executions/{execution_id}/cancel")
async def cancel_execution(context: Editor, execution_id: str) -> Execution:
    """Give up an execution that waits for people, or that runs: it fails as `cancelled`."""
    return await waiting.cancel(context, execution_id)


@router.post("/executions/{execution_id}/to-case", status_code=201)
async def create_case_of_execution(context: Editor, execution_id: str, body: ToCase) -> Case:
    """Make an execution a case of a dataset. Its output is what is expected, unless another is given."""
    return await harvesting.to_case(context, execution_id, body)


@router.get("/targets/{target_id}/executions")
async def list_target_executions(
    context: Viewer, target_id: str, paging: Paging, wanted: Filtered
) -> PageOut[ExecutionEntry]:
    """List the executions of one target, newest first, without their traces; see `list_executions`."""
    return paged(await executions.listing(context, paging.page, paging.size, wanted._replace(target_id=target_id)))
