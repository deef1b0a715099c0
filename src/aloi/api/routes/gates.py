"""Gates: what a version must reach to become active, what that says of a version, and the exceptions of owners."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from aloi.api.access import Owner, Viewer
from aloi.api.etags import IfMatch, tag, wanted
from aloi.api.faults import Pointed
from aloi.api.paging import PageOut, Paging, paged
from aloi.core.execution import MOST_VERSIONS
from aloi.core.gate import Gate, GateState, Override, PolicyState
from aloi.service import gates

router = APIRouter(tags=["gates"], dependencies=[Pointed])

Number = Annotated[
    int | None, Query(alias="version", ge=1, le=MOST_VERSIONS, description="Which version; default the newest.")
]


@router.get("/targets/{target_id}/gate")
async def get_gate(context: Viewer, target_id: str, response: Response, number: Number = None) -> GateState:
    """What a target's gate says of a version. The ETag is that of the policies, whatever they say."""
    state = await gates.get(context, target_id, number)
    tag(response, state.gate)
    return state


@router.put("/targets/{target_id}/gate")
async def set_gate(
    context: Owner, target_id: str, body: Gate, response: Response, if_match: IfMatch = None
) -> GateState:
    """Set all policies of a target, in place of those before; what they say of its newest version."""
    state = await gates.replace(context, target_id, body, wanted(if_match))
    tag(response, state.gate)
    return state


@router.get("/targets/{target_id}/overrides")
async def list_overrides(context: Viewer, target_id: str, paging: Paging) -> PageOut[Override]:
    """List the versions that owners let pass against the gate, newest first. What is written there never changes."""
    return paged(await gates.overrides_of(context, target_id, paging.page, paging.size))


@router.get("/eval/runs/{run_id}/gate")
async def get_run_gate(context: Viewer, run_id: str) -> tuple[PolicyState, ...]:
    """What the policies on a run's dataset say now of the version that it evaluated; empty without a policy on it.

    They rest on the latest complete run, which may be another one.
    """
    return await gates.of_run(context, run_id)
