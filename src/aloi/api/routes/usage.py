"""What a workspace used of models."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query

from aloi.api.access import Viewer
from aloi.core.usage import UsageReport
from aloi.service import usage

router = APIRouter(tags=["usage"])


@router.get("/eval/usage")
async def get_usage(
    context: Viewer,
    since: Annotated[date | None, Query(description="First day (UTC); default 29 days before the last.")] = None,
    until: Annotated[date | None, Query(description="Last day (UTC); default today.")] = None,
) -> UsageReport:
    """Calls, tokens and cost by day and side (target and judge), by model, and in all. What is not known is null."""
    return await usage.report(context, since, until)
