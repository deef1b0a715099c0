"""The workspace itself."""

from fastapi import APIRouter
from pydantic import Field

from aloi.api.access import Owner, Viewer
from aloi.core.access import NAME_LENGTH, Workspace
from aloi.core.spec import Value
from aloi.service import workspace

router = APIRouter(prefix="/workspace", tags=["workspace"])


class WorkspaceChange(Value):
    """Its new name."""

    name: str = Field(min_length=1, max_length=NAME_LENGTH)


@router.get("")
async def get_workspace(context: Viewer) -> Workspace:
    """The workspace that the caller works in."""
    return await workspace.get(context)


@router.put("")
async def update_workspace(body: WorkspaceChange, context: Owner) -> Workspace:
    """Give the workspace another name."""
    return await workspace.rename(context, body.name)
