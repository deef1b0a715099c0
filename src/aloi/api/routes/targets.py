"""Targets: what is evaluated, each with its versions. Agents and workflows are those of the kinds of that name."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import Field

from aloi.api.access import Editor, Viewer
from aloi.api.etags import IfMatch, tag, wanted
from aloi.api.faults import Pointed
from aloi.api.paging import PageOut, Paging, paged
from aloi.core.dataset import NAME_LENGTH
from aloi.core.execution import MOST_VERSIONS
from aloi.core.spec import JsonObject, Value
from aloi.core.target_record import DESCRIPTION_LENGTH, Components, TargetDetail, TargetFilter, TargetRecord
from aloi.service import targets

router = APIRouter(tags=["targets"], dependencies=[Pointed])
AGENT, WORKFLOW = "agent", "workflow"

SearchText = Annotated[str, Query(max_length=200, description="A text in the name or description; case is ignored.")]


class NewTarget(Value):
    """What a target is created from. `definition`: its kind with that kind's own fields, see `/api/target-kinds`."""

    name: str = Field(min_length=1, max_length=NAME_LENGTH, description="Unique in the workspace.")
    description: str | None = Field(default=None, max_length=DESCRIPTION_LENGTH)
    definition: JsonObject = Field(description='E.g. `{"kind": "openai", "model": "gpt-4o-mini"}`.')


class NewOfKind(Value):
    """What an agent, or a workflow, is created from. `definition`: the fields of that kind, which need not be named."""

    name: str = Field(min_length=1, max_length=NAME_LENGTH, description="Unique in the workspace.")
    description: str | None = Field(default=None, max_length=DESCRIPTION_LENGTH)
    definition: JsonObject = Field(description='E.g. `{"model": "openai:gpt-4o-mini", "instructions": "Be brief."}`.')


class TargetChanges(Value):
    """What may change of a target: an absent key leaves the field, null clears the description."""

    name: str = Field(default="", min_length=1, max_length=NAME_LENGTH)
    description: str | None = Field(default=None, max_length=DESCRIPTION_LENGTH)


@router.post("/targets", status_code=201)
async def create_target(context: Editor, body: NewTarget, response: Response) -> TargetDetail:
    """Create a target with its version 1, which is active at once."""
    created = await targets.create(context, body.name, body.description or "", body.definition)
    tag(response, created)
    return created


@router.get("/targets")
async def list_targets(
    context: Viewer,
    paging: Paging,
    q: SearchText = "",
    kind: Annotated[str | None, Query(max_length=100, description="Only targets of this kind.")] = None,
    name: Annotated[str | None, Query(description="Exactly this name.")] = None,
) -> PageOut[TargetRecord]:
    """List targets, the last changed first."""
    return paged(await targets.listing(context, paging.page, paging.size, TargetFilter(q, kind, name)))


@router.post("/agents", status_code=201)
async def create_agent(context: Editor, body: NewOfKind, response: Response) -> TargetDetail:
    """Create a target of kind `agent` with its version 1, which is active at once."""
    created = await targets.create(context, body.name, body.description or "", {**body.definition, "kind": AGENT})
    tag(response, created)
    return created


@router.get("/agents")
async def list_agents(context: Viewer, paging: Paging, q: SearchText = "") -> PageOut[TargetRecord]:
    """List the targets of kind `agent`, the last changed first."""
    return paged(await targets.listing(context, paging.page, paging.size, TargetFilter(q, AGENT)))


@router.post("/workflows", status_code=201)
async def create_workflow(context: Editor, body: NewOfKind, response: Response) -> TargetDetail:
    """Create a target of kind `workflow` with its version 1, which is active at once."""
    created = await targets.create(context, body.name, body.description or "", {**body.definition, "kind": WORKFLOW})
    tag(response, created)
    return created


@router.get("/workflows")
async def list_workflows(context: Viewer, paging: Paging, q: SearchText = "") -> PageOut[TargetRecord]:
    """List the targets of kind `workflow`, the last changed first."""
    return paged(await targets.listing(context, paging.page, paging.size, TargetFilter(q, WORKFLOW)))


@router.get("/targets/{target_id}")
async def get_target(context: Viewer, target_id: str, response: Response) -> TargetDetail:
    """Read a target with its active version."""
    found = await targets.get(context, target_id)
    tag(response, found)
    return found


@router.put("/targets/{target_id}")
async def update_target(
    context: Editor, target_id: str, body: TargetChanges, response: Response, if_match: IfMatch = None
) -> TargetDetail:
    """Change a target's name or description. What it does is changed by a new version."""
    changed = await targets.update(context, target_id, body.model_dump(exclude_unset=True), wanted(if_match))
    tag(response, changed)
    return changed


@router.delete("/targets/{target_id}", status_code=204)
async def delete_target(context: Editor, target_id: str, if_match: IfMatch = None) -> None:
    """Delete a target with its versions and its executions outside of runs. One that runs evaluated is kept: 409."""
    await targets.delete(context, target_id, wanted(if_match))


@router.get("/targets/{target_id}/components")
async def get_components(
    context: Viewer,
    target_id: str,
    version: Annotated[int | None, Query(ge=1, le=MOST_VERSIONS, description="Default: the active one.")] = None,
) -> Components:
    """What of a target can be simulated: its tools and steps, each with an example of what it answers; the parts that
    a run leaves out (MCP servers); and why it takes no files, if it takes none."""
    return await targets.components(context, target_id, version)
