"""What the command line and the SDK find by name, as the core has it."""

from typing import Annotated

from fastapi import APIRouter, Query

from aloi.api.access import Editor, Viewer
from aloi.core.dataset import Dataset
from aloi.core.run import TargetVersion
from aloi.core.spec import JsonObject, Value
from aloi.service import datasets, targets

router = APIRouter(prefix="/eval/suites", tags=["suites"])


class TargetGiven(Value):
    """A target as a suite names and defines it."""

    name: str
    definition: JsonObject


@router.get("/dataset")
async def find_dataset(context: Viewer, name: Annotated[str, Query(description="Its name or id.")]) -> Dataset:
    """A dataset by its name or id."""
    return await datasets.get(context, name)


@router.get("/target")
async def find_target_version(
    context: Viewer, name: Annotated[str, Query(description="`name`, for its active version, or `name@3`.")]
) -> TargetVersion:
    """A version of a target by the target's name."""
    return await targets.version(context, name)


@router.post("/target")
async def save_target(context: Editor, given: TargetGiven) -> TargetVersion:
    """The version of a target that has this definition: an existing one if it is the same, else the next number."""
    return await targets.save_definition(context, given.name, given.definition)
