"""Datasets as files: cases in and out."""

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, File, Query, UploadFile

from aloi.api.access import Editor, Viewer
from aloi.api.faults import Pointed
from aloi.api.streams import Streamed
from aloi.core.listing import ImportPreview, Saved
from aloi.service import importing
from aloi.service.files import CasesFormat

router = APIRouter(tags=["dataset files"], dependencies=[Pointed])
MEDIA_TYPES: dict[CasesFormat, str] = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "jsonl": "application/jsonl",
}
NAMELESS = "cases"
EXPORTS: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file.", "content": {media_type: {} for media_type in MEDIA_TYPES.values()}}
}


@router.post("/eval/datasets/{dataset_id}/import")
async def import_cases(
    context: Editor,
    dataset_id: str,
    file: Annotated[UploadFile, File(description="CSV, JSON or JSONL; told by its name, else by its content.")],
    replace: Annotated[bool, Query(description="Remove the cases that the file does not hold.")] = False,
    dry_run: Annotated[bool, Query(description="Say what would be done, and store nothing.")] = False,
) -> Saved | ImportPreview:
    """Take the cases of a file into a dataset: matched by key, all or nothing. A fault is told by line and column."""
    content, name = await file.read(), file.filename or NAMELESS
    act = importing.preview if dry_run else importing.import_file
    return await act(context, dataset_id, content, name, replace)


@router.get("/eval/datasets/{dataset_id}/export", response_class=Streamed, responses=EXPORTS)
async def export_cases(
    context: Viewer, dataset_id: str, form: Annotated[CasesFormat, Query(alias="format")] = "csv"
) -> Streamed:
    """Download the cases of a dataset, as an import takes them."""
    name, pieces = await importing.export(context, dataset_id, form)
    response = Streamed(pieces, MEDIA_TYPES[form])
    response.headers["Content-Disposition"] = disposition(f"{name}.{form}")
    return response


def disposition(name: str, kind: str = "attachment") -> str:
    """The header that saves a download under any name (RFC 6266; the name as in RFC 5987). `inline` shows it first."""
    plain = "".join(letter if (letter.isascii() and letter.isalnum()) or letter in " ._-" else "_" for letter in name)
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
