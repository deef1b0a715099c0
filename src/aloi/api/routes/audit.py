"""The audit log."""

from typing import Annotated

from fastapi import APIRouter, Query

from aloi.api.access import Owner
from aloi.api.paging import PageOut, Paging, paged
from aloi.core.audit import AuditEntry
from aloi.service import audit

router = APIRouter(prefix="/audit", tags=["audit"])

Text = Annotated[str, Query(max_length=200, description="A part of who did it, or of what it was done to.")]
Action = Annotated[
    str | None, Query(max_length=100, description="Such as `member.add`; `member.` for all that begin so.")
]


@router.get("")
async def list_audit_entries(
    context: Owner, paging: Paging, q: Text = "", action: Action = None
) -> PageOut[AuditEntry]:
    """Every change that matters, newest first: who, what, when, and the fields before and after."""
    return paged(await audit.listing(context, paging.page, paging.size, q, action))
