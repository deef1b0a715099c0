"""Executions: every invocation of a target, in runs, by hand and in production."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import AwareDatetime

from aloi.api.access import Editor, Viewer
from aloi.api.faults import Pointed
from aloi.api.paging import PageOut, Paging, paged
from aloi.core.case import Case
from aloi.core.execution import (
    Execution,
    ExecutionEntry,
    ExecutionFilter,
    ExecutionSource,
    ExecutionStatus,
    ToCase,
)
from aloi.service import executions

router = APIRouter(tags=["executions"], dependencies=[Pointed])


def _filter(
    source: Annotated[ExecutionSource | None, Query(description="Only those that came from there.")] = None,
    status: Annotated[ExecutionStatus | None, Query(description="Only answers, or only failures.")] = None,
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
    """List executions, newest first, without their traces."""
    return paged(await executions.listing(context, paging.page, paging.size, wanted._replace(target_id=target_id)))


@router.get("/executions/{execution_id}")
async def get_execution(context: Viewer, execution_id: str) -> Execution:
    """Read an execution with its trace."""
    return await executions.get(context, execution_id)


@router.post("/executions/{execution_id}/to-case", status_code=201)
async def create_case_of_execution(context: Editor, execution_id: str, body: ToCase) -> Case:
    """Make an execution a case of a dataset. Its output is what is expected, unless another is given."""
    return await executions.to_case(context, execution_id, body)


@router.get("/targets/{target_id}/executions")
async def list_target_executions(
    context: Viewer, target_id: str, paging: Paging, wanted: Filtered
) -> PageOut[ExecutionEntry]:
    """List the executions of one target, newest first, without their traces."""
    return paged(await executions.listing(context, paging.page, paging.size, wanted._replace(target_id=target_id)))
