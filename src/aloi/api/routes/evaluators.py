"""Saved evaluators: named rules that datasets bind."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import Field

from aloi.api.access import Editor, Viewer
from aloi.api.etags import IfMatch, tag, wanted
from aloi.api.faults import Pointed
from aloi.api.paging import PageOut, Paging, paged
from aloi.api.routes.datasets import SearchText
from aloi.core.access import NAME_LENGTH
from aloi.core.listing import EvaluatorFilter
from aloi.core.saved_evaluator import SavedEvaluator
from aloi.core.spec import JsonObject, Value
from aloi.service import saved_evaluators

NOTE_LENGTH = 2000

router = APIRouter(tags=["evaluators"], dependencies=[Pointed])


class NewEvaluator(Value):
    """What an evaluator is created from."""

    name: str = Field(min_length=1, max_length=NAME_LENGTH, description="Unique in the workspace.")
    description: str | None = None
    spec: JsonObject = Field(description="Its kind with that kind's fields; `/api/eval/evaluator-kinds` has them.")
    target_id: str | None = Field(default=None, description="The target that it is made for; null for any.")


class EvaluatorChanges(Value):
    """What may change of an evaluator: an absent key leaves the field, null clears it.

    A spec is replaced whole; another one is a new version.
    """

    name: str = Field(default="", min_length=1, max_length=NAME_LENGTH)
    description: str | None = None
    spec: JsonObject = Field(default_factory=dict)
    target_id: str | None = None
    note: str | None = Field(default=None, max_length=NOTE_LENGTH, description="What is new in the spec.")


@router.post("/eval/evaluators", status_code=201)
async def create_evaluator(context: Editor, body: NewEvaluator, response: Response) -> SavedEvaluator:
    """Save an evaluator. What it says now is its version 1."""
    created = await saved_evaluators.create(context, body.model_dump(exclude_unset=True))
    tag(response, created.edited())
    return created


@router.get("/eval/evaluators")
async def list_evaluators(
    context: Viewer,
    paging: Paging,
    q: SearchText = "",
    kind: Annotated[str | None, Query(max_length=200, description="Of this kind.")] = None,
    target: Annotated[
        str | None, Query(max_length=200, description="Made for this target, or bound by one of its datasets.")
    ] = None,
) -> PageOut[SavedEvaluator]:
    """List the saved evaluators, newest first, each with how many datasets bind it."""
    return paged(await saved_evaluators.page(context, EvaluatorFilter(q, kind, target), paging.page, paging.size))


@router.get("/eval/evaluators/{evaluator_id}")
async def get_evaluator(context: Viewer, evaluator_id: str, response: Response) -> SavedEvaluator:
    """Read a saved evaluator."""
    found = await saved_evaluators.read(context, evaluator_id)
    tag(response, found.edited())
    return found


@router.put("/eval/evaluators/{evaluator_id}")
async def update_evaluator(
    context: Editor, evaluator_id: str, body: EvaluatorChanges, response: Response, if_match: IfMatch = None
) -> SavedEvaluator:
    """Change a saved evaluator, here and in every dataset that binds it. Another spec makes a new version."""
    changes = body.model_dump(exclude_unset=True)
    changed = await saved_evaluators.update(context, evaluator_id, changes, wanted(if_match))
    tag(response, changed.edited())
    return changed


@router.delete("/eval/evaluators/{evaluator_id}", status_code=204)
async def delete_evaluator(context: Editor, evaluator_id: str, if_match: IfMatch = None) -> None:
    """Delete a saved evaluator that no dataset binds. Its versions stay, for the runs that it graded."""
    await saved_evaluators.delete(context, evaluator_id, wanted(if_match))
