"""The versions of a target: immutable, numbered, one of them active."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Response, status
from pydantic import Field

from aloi.api.access import Editor, Viewer
from aloi.api.errors import GateProblem
from aloi.api.etags import IfMatch, tag, wanted
from aloi.api.faults import Pointed
from aloi.api.paging import PageOut, Paging, paged
from aloi.core.execution import MOST_VERSIONS
from aloi.core.gate import OverrideReason
from aloi.core.run import TargetVersion
from aloi.core.spec import JsonObject, Value
from aloi.core.target_record import TargetDetail
from aloi.service import versions

router = APIRouter(prefix="/targets/{target_id}/versions", tags=["targets"], dependencies=[Pointed])
NOTE_LENGTH = 2000

Number = Annotated[int, Path(ge=1, le=MOST_VERSIONS, description="The version's number.")]


class NewVersion(Value):
    """What a version is made from. `definition`: the fields of the target's kind, which need not be named again."""

    definition: JsonObject
    note: str | None = Field(default=None, max_length=NOTE_LENGTH, description="What is new in it.")


class Activation(Value):
    """How a version becomes active. `override`: an owner's reason to let it pass although the gate does not."""

    override: OverrideReason | None = None


NO_OVERRIDE = Activation()
REFUSED: dict[int | str, dict[str, Any]] = {409: {"model": GateProblem, "description": "The gate does not allow it."}}


@router.post("", status_code=201, responses={200: {"model": TargetVersion, "description": "It was there already."}})
async def create_version(
    context: Editor, target_id: str, body: NewVersion, response: Response, if_match: IfMatch = None
) -> TargetVersion:
    """Add a version, which is not active yet. A definition that is there already gives the version that has it: 200."""
    added = await versions.add(context, target_id, body.definition, body.note or "", wanted(if_match))
    if not added.new:
        response.status_code = status.HTTP_200_OK
    return added.version


@router.get("")
async def list_versions(context: Viewer, target_id: str, paging: Paging) -> PageOut[TargetVersion]:
    """List a target's versions, newest first."""
    return paged(await versions.listing(context, target_id, paging.page, paging.size))


@router.get("/{number}")
async def get_version(context: Viewer, target_id: str, number: Number) -> TargetVersion:
    """Read one version with its definition."""
    return await versions.get(context, target_id, number)


@router.post("/{number}/activate", responses=REFUSED)
async def activate_version(
    context: Editor,
    target_id: str,
    number: Number,
    response: Response,
    body: Annotated[Activation, Body()] = NO_OVERRIDE,
    if_match: IfMatch = None,
) -> TargetDetail:
    """Make a version the one that is invoked where none is named, if the target's gate allows it.

    If it does not, the answer is 409 `gate_refused`, with what the gate says in `gate`. An owner may override it.
    """
    changed = await versions.activate(context, target_id, number, wanted(if_match), body.override)
    tag(response, changed)
    return changed
