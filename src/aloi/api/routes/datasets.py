"""Datasets: named sets of cases, with the evaluators bound to them."""

from typing import Annotated

from fastapi import APIRouter, Body, Query, Response
from pydantic import ConfigDict, Field

from aloi.api.access import Editor, Viewer
from aloi.api.etags import IfMatch, tag, wanted
from aloi.api.faults import Pointed
from aloi.api.paging import PageOut, Paging, paged
from aloi.core.binding import Binding
from aloi.core.dataset import MAX_SAMPLES, NAME_LENGTH, Dataset
from aloi.core.listing import DatasetEntry, DatasetFilter
from aloi.core.simulation import Simulations
from aloi.core.spec import JsonObject, Value
from aloi.service import binding, datasets

router = APIRouter(tags=["datasets"], dependencies=[Pointed])
MOST_EVALUATORS = 100

SearchText = Annotated[str, Query(max_length=200, description="A text that occurs in it; case does not count.")]


class NewDataset(Value):
    """What a dataset is created from."""

    name: str = Field(min_length=1, max_length=NAME_LENGTH, description="Unique in the workspace.")
    description: str | None = None
    target_id: str | None = Field(default=None, description="The target that it is made for.")
    judge_samples: int | None = Field(
        default=None, ge=1, le=MAX_SAMPLES, description="How often each judge call is made; default 1."
    )
    simulations: Simulations | None = Field(
        default=None, description="By the name of a tool or step of the target: what stands in for it in runs."
    )


class DatasetChanges(Value):
    """What may change of a dataset: an absent key leaves the field, null clears it."""

    name: str = Field(default="", min_length=1, max_length=NAME_LENGTH)
    description: str | None = None
    target_id: str | None = None
    judge_samples: int | None = Field(default=None, ge=1, le=MAX_SAMPLES)
    simulations: Simulations | None = None


class WrittenEvaluator(Value):
    """An evaluator of a dataset or a case.

    Either a saved one, by `evaluator_id` (on a dataset alone), or one that is written here: its `kind` with that kind's
    own fields beside it, or all of these in `spec`. What a dataset answers is taken back as it is.
    """

    # The kind's own fields.
    model_config = ConfigDict(extra="allow")

    evaluator_id: str | None = None
    kind: str | None = None
    name: str | None = Field(default=None, max_length=NAME_LENGTH, description="Default: the kind.")
    weight: float = Field(default=1.0, ge=0, allow_inf_nan=False, description="0 informs without deciding.")
    spec: JsonObject | None = None


@router.post("/eval/datasets", status_code=201)
async def create_dataset(context: Editor, body: NewDataset, response: Response) -> Dataset:
    """Create a dataset. It has no cases yet."""
    created = await datasets.create(context, body.model_dump(exclude_unset=True))
    tag(response, created.edited())
    return created


@router.get("/eval/datasets")
async def list_datasets(
    context: Viewer,
    paging: Paging,
    q: SearchText = "",
    name: Annotated[str | None, Query(description="Exactly this name.")] = None,
    target_id: Annotated[str | None, Query(description="Made for this target.")] = None,
) -> PageOut[DatasetEntry]:
    """List datasets, the last changed first."""
    return paged(await datasets.page(context, DatasetFilter(q, name, target_id), paging.page, paging.size))


@router.get("/eval/datasets/{dataset_id}")
async def get_dataset(context: Viewer, dataset_id: str, response: Response) -> Dataset:
    """Read a dataset. Its cases are read apart."""
    found = await datasets.read(context, dataset_id)
    tag(response, found.edited())
    return found


@router.put("/eval/datasets/{dataset_id}")
async def update_dataset(
    context: Editor, dataset_id: str, body: DatasetChanges, response: Response, if_match: IfMatch = None
) -> Dataset:
    """Change a dataset. Judge samples and simulations count from the next run on."""
    changed = await datasets.update(context, dataset_id, body.model_dump(exclude_unset=True), wanted(if_match))
    tag(response, changed.edited())
    return changed


@router.delete("/eval/datasets/{dataset_id}", status_code=204)
async def delete_dataset(context: Editor, dataset_id: str, if_match: IfMatch = None) -> None:
    """Delete a dataset with its cases. Runs over it stay, with the revision that they froze; a live one goes on."""
    await datasets.delete(context, dataset_id, wanted(if_match))


@router.get("/eval/datasets/{dataset_id}/evaluators")
async def list_bound_evaluators(context: Viewer, dataset_id: str, response: Response) -> list[Binding]:
    """The evaluators bound to a dataset, with their weights. Saved ones are shown as they are now."""
    found = await datasets.read(context, dataset_id)
    tag(response, found.edited())
    return list(found.bindings)


@router.put("/eval/datasets/{dataset_id}/evaluators")
async def bind_evaluators(
    context: Editor,
    dataset_id: str,
    body: Annotated[list[WrittenEvaluator], Body(max_length=MOST_EVALUATORS)],
    response: Response,
    if_match: IfMatch = None,
) -> list[Binding]:
    """Bind these evaluators to a dataset, and no others. Names that occur twice are numbered."""
    given = [item.model_dump(exclude_unset=True) for item in body]
    changed = await binding.bind(context, dataset_id, given, wanted(if_match))
    tag(response, changed.edited())
    return list(changed.bindings)
