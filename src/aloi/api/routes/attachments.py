"""Files for cases: sent once, then named by their hash wherever they are used."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, File, Path, Query, Response, UploadFile

from aloi.api.access import Editor, Viewer
from aloi.api.paging import PageOut, Paging, paged
from aloi.api.routes.dataset_files import disposition
from aloi.api.routes.datasets import SearchText
from aloi.core.attachment import NAME_LENGTH, Attachment, AttachmentEntry
from aloi.core.media_type import is_text
from aloi.service import attachments

router = APIRouter(tags=["attachments"])
HASH = "^[0-9a-f]{64}$"
NAMELESS = "file"
# A page that shows a file can do nothing: no script, no form, no origin of its own.
LOCKED = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
FOR_EVER = "private, max-age=31536000, immutable"
CONTENTS: dict[int | str, dict[str, Any]] = {200: {"description": "The content.", "content": {"*/*": {}}}}
ADDED: dict[int | str, dict[str, Any]] = {200: {"model": Attachment, "description": "It was there already."}}

FileHash = Annotated[str, Path(pattern=HASH, description="SHA-256 of the content, 64 hex digits.")]


@router.post("/eval/attachments", status_code=201, responses=ADDED)
async def add_attachment(
    context: Editor,
    response: Response,
    file: Annotated[UploadFile, File(description="An image (PNG, JPEG, GIF, WebP), PDF, or text; 10 MB at most.")],
) -> Attachment:
    """Send a file, to be named on cases. A content that is there already is not stored again (200)."""
    taken = await attachments.add(context, file.filename or NAMELESS, await file.read())
    response.status_code = HTTPStatus.CREATED if taken.new else HTTPStatus.OK
    return taken.file


@router.get("/eval/attachments")
async def list_attachments(
    context: Viewer,
    paging: Paging,
    q: SearchText = "",
    unused: Annotated[bool, Query(description="Only those to which no case and no run refers.")] = False,
) -> PageOut[AttachmentEntry]:
    """List the workspace's files, the last that came first. `q` looks at their names."""
    return paged(await attachments.page(context, paging.page, paging.size, q, unused))


@router.get("/eval/attachments/{file_hash}")
async def get_attachment(context: Viewer, file_hash: FileHash) -> AttachmentEntry:
    """Read what is known of a file."""
    return await attachments.read(context, file_hash)


@router.get("/eval/attachments/{file_hash}/content", response_class=Response, responses=CONTENTS)
async def get_attachment_content(
    context: Viewer,
    file_hash: FileHash,
    name: Annotated[str | None, Query(max_length=NAME_LENGTH, description="What to save it as.")] = None,
    download: Annotated[bool, Query(description="Save it, also where a browser could show it.")] = False,
) -> Response:
    """Read a file's content. Images and texts are shown by a browser, PDF is saved."""
    entry, content = await attachments.content(context, file_hash)
    text = is_text(entry.media_type)
    shown = not download and (text or entry.media_type.startswith("image/"))
    headers = {
        "Content-Disposition": disposition(name or entry.name, "inline" if shown else "attachment"),
        "Content-Security-Policy": LOCKED,
        "Cache-Control": FOR_EVER,
        "Vary": "Cookie, Authorization",  # who signs in after somebody else is not shown what the browser kept
    }
    return Response(content, media_type="text/plain; charset=utf-8" if text else entry.media_type, headers=headers)


@router.delete("/eval/attachments/{file_hash}", status_code=204)
async def delete_attachment(context: Editor, file_hash: FileHash) -> None:
    """Delete a file to which no case and no run refers; else 409 says how many do."""
    await attachments.delete(context, file_hash)
