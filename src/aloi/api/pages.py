"""The web UI's files: built assets as they are, and its one page for every address of a screen."""

from http import HTTPStatus
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

NOT_BUILT = "Aloi's API runs here; this installation was made without the web UI. See /api/openapi.json.\n"
ASSETS = "assets/"
FOREVER = "public, max-age=31536000, immutable"


class Pages:
    """An ASGI application over the folder that the UI was built into."""

    def __init__(self, folder: Path) -> None:
        self._files = StaticFiles(directory=folder, check_dir=False)
        self._built = (folder / "index.html").is_file()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        response = await self._answer(scope["path"].lstrip("/"), scope)
        await response(scope, receive, send)

    async def _answer(self, path: str, scope: Scope) -> Response:
        if path == "api" or path.startswith("api/"):
            raise HTTPException(HTTPStatus.NOT_FOUND, f"there is no {path}; /api/openapi.json lists what there is")
        if scope["method"] not in {"GET", "HEAD"}:
            raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED, "pages can only be read", {"Allow": "GET, HEAD"})
        if not self._built:
            return PlainTextResponse(NOT_BUILT, HTTPStatus.NOT_FOUND)
        try:
            response = await self._files.get_response(path or "index.html", scope)
        except HTTPException as error:
            # An address of a screen is the UI's own affair; a missing file is missing.
            if error.status_code != HTTPStatus.NOT_FOUND or path.startswith(ASSETS):
                raise
            response = await self._files.get_response("index.html", scope)
        # Built files carry a hash in their names; the page itself names them and must be fresh.
        response.headers["Cache-Control"] = FOREVER if path.startswith(ASSETS) else "no-cache"
        return response
