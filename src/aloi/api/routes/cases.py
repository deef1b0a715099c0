"""The cases of a dataset."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import Field, JsonValue

from aloi.api.access import Editor, Viewer
from aloi.api.etags import IfMatch, tag, wanted
from aloi.api.faults import Pointed
from aloi.api.paging import PageOut, Paging, paged
from aloi.api.routes.datasets import SearchText, WrittenEvaluator
from aloi.core.attachment import MOST_FILES, WrittenAttachment
from aloi.core.case import KEY_LENGTH, Case, CaseStatus
from aloi.core.listing import BulkDone, CaseFilter
from aloi.core.simulation import Simulations
from aloi.core.spec import JsonObject, Value
from aloi.service import cases
from aloi.service.cases import BulkAction

router = APIRouter(tags=["cases"], dependencies=[Pointed])
MOST_AT_ONCE = 1000


class CaseFields(Value):
    """The fields of a case. A new one needs a `prompt` (text) or an `input` (text, or an object); null is the default.

    In a change an absent key leaves the field, null clears it. A `key` that is cleared is made from the input.
    """

    key: str | None = Field(
        default=None, max_length=KEY_LENGTH, description="Stable external id, unique in its dataset."
    )
    name: str | None = Field(default=None, description="A name for people.")
    prompt: str | None = Field(default=None, description="The input, where it is text.")
    input: str | JsonObject | None = Field(default=None, description="Text, or an object that fits the target.")
    expected_output: JsonValue = Field(default=None, description="Any JSON.")
    expected_behavior: str | None = Field(default=None, description="What a good answer does, in words, for a judge.")
    assertions: tuple[str, ...] | None = Field(default=None, description="Statements that must each hold, for a judge.")
    evaluators: tuple[WrittenEvaluator, ...] | None = Field(default=None, description="For this case alone.")
    criteria: dict[str, JsonObject] | None = Field(
        default=None, description="By the name of a bound evaluator: values that replace its own for this case."
    )
    simulations: Simulations | None = Field(
        default=None, description="By the name of a tool or step: what stands in for it, in place of the dataset's."
    )
    attachments: tuple[WrittenAttachment, ...] | None = Field(
        default=None, max_length=MOST_FILES, description="Files that were sent before, by their hashes."
    )
    tags: tuple[str, ...] | None = Field(default=None, description="Words to group cases by.")
    enabled: bool | None = Field(default=None, description="False leaves it out of runs; default true.")
    status: CaseStatus | None = Field(default=None, description="A draft is left out of runs; default ready.")


class Several(Value):
    """Cases of one dataset, and what to do to them."""

    case_ids: tuple[str, ...] = Field(min_length=1, max_length=MOST_AT_ONCE)
    action: BulkAction


@router.post("/eval/datasets/{dataset_id}/cases", status_code=201)
async def create_case(context: Editor, dataset_id: str, body: CaseFields, response: Response) -> Case:
    """Add a case to a dataset, behind the others."""
    created = await cases.create(context, dataset_id, body.model_dump(exclude_unset=True))
    tag(response, created)
    return created


@router.get("/eval/datasets/{dataset_id}/cases")
async def list_cases(
    context: Viewer,
    dataset_id: str,
    paging: Paging,
    q: SearchText = "",
    status: CaseStatus | None = None,
    enabled: bool | None = None,
    tag: Annotated[str | None, Query(max_length=200, description="Has this tag.")] = None,
) -> PageOut[Case]:
    """List the cases of a dataset in its order. `q` looks at key, name, input and what is expected."""
    return paged(await cases.page(context, dataset_id, CaseFilter(q, tag, enabled, status), paging.page, paging.size))


@router.post("/eval/datasets/{dataset_id}/cases/bulk")
async def change_cases(context: Editor, dataset_id: str, body: Several) -> BulkDone:
    """Enable, disable, delete, or set the status of several cases at once."""
    return await cases.change_several(context, dataset_id, body.case_ids, body.action)


@router.get("/eval/datasets/{dataset_id}/cases/{case_id}")
async def get_case(context: Viewer, dataset_id: str, case_id: str, response: Response) -> Case:
    """Read a case."""
    found = await cases.read(context, dataset_id, case_id)
    tag(response, found)
    return found


@router.put("/eval/datasets/{dataset_id}/cases/{case_id}")
async def update_case(
    context: Editor, dataset_id: str, case_id: str, body: CaseFields, response: Response, if_match: IfMatch = None
) -> Case:
    """Change a case. Runs keep what they froze of it."""
    changes = body.model_dump(exclude_unset=True)
    changed = await cases.update(context, dataset_id, case_id, changes, wanted(if_match))
    tag(response, changed)
    return changed


@router.delete("/eval/datasets/{dataset_id}/cases/{case_id}", status_code=204)
async def delete_case(context: Editor, dataset_id: str, case_id: str, if_match: IfMatch = None) -> None:
    """Delete a case. Runs keep what they froze of it."""
    await cases.delete(context, dataset_id, case_id, wanted(if_match))
