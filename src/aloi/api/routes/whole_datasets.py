"""A whole dataset as a program sends it: how the command line and the SDK save one on a server."""

from fastapi import APIRouter, Request

from aloi.api.access import Editor
from aloi.api.faults import Pointed
from aloi.core.listing import Saved
from aloi.service import importing
from aloi.service.importing import DatasetUpload

router = APIRouter(tags=["suites"], dependencies=[Pointed])


def _upload_schema() -> dict[str, object]:
    """The body of `save_dataset`, which is read aside and not by the framework."""
    schema = DatasetUpload.model_json_schema()
    schema.pop("$defs")
    bindings = {"type": "array", "items": {"type": "object"}, "description": "Evaluators, as a dataset binds them."}
    schema["properties"] |= {
        "bindings": {"anyOf": [bindings, {"type": "null"}], "default": None},
        "cases": {"type": "array", "items": {"type": "object"}, "description": "Cases, each with its fields."},
    }
    schema["required"] = ["name", "cases"]
    return {"required": True, "content": {"application/json": {"schema": schema}}}


@router.post("/eval/suites/dataset", openapi_extra={"requestBody": _upload_schema()})
async def save_dataset(context: Editor, request: Request) -> Saved:
    """Make or change the dataset of a name: cases are matched by key, all or nothing; null leaves what there is."""
    return await importing.save_upload(context, await request.body())
