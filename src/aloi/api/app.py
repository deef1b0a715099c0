"""The application: every route, the errors, the protection, and the web UI's files."""

import pkgutil
import warnings
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from pydantic.warnings import UnsupportedFieldAttributeWarning
from starlette.types import ASGIApp

from aloi.api import errors, routes, served_tools
from aloi.api.errors import MEDIA_TYPE, Problem
from aloi.api.pages import Pages
from aloi.api.protection import Protection
from aloi.plugins import module
from aloi.service.accounts.throttle import Throttle
from aloi.service.context import Context

PROBLEMS = {
    "4XX": {"model": Problem, "description": "It cannot be done; the problem says why and how to mend it."},
    "5XX": {"model": Problem, "description": "The system failed, not the caller."},
}


def create_app(context: Context | None) -> FastAPI:
    """The application over an open context; without one it can only describe itself.

    The caller opens and closes the context, and wraps the application in `protected` to serve it.
    """
    # FastAPI silences this one as it makes a validator; ours are made later, at their first use.
    warnings.simplefilter("ignore", UnsupportedFieldAttributeWarning)
    app = _App(
        title="Aloi",
        version=version("aloi"),
        summary="Evaluation centre for AI agents and workflows.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # its pages load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,  # one address for each thing
        generate_unique_id_function=_operation_id,
        responses=PROBLEMS,  # pyright: ignore[reportArgumentType] - FastAPI's own type says dict where it only reads
    )
    app.state.context = context
    app.state.throttle = Throttle()
    errors.install(app)
    for router in _routers():
        # Where OpenTelemetry's exporters send to is not ours to choose.
        app.include_router(router, prefix="" if router.prefix.startswith("/v1") else "/api")
    app.router.routes.append(served_tools.route())
    # Not a mount at "/", which would also answer for a route that lacks the method.
    app.router.default = Pages(Path(str(files("aloi.api") / "static")))
    return app


class _App(FastAPI):
    """An application whose description names the media type of problems, which FastAPI cannot be told."""

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI document, made once."""
        document = super().openapi()
        for operations in document["paths"].values():
            for operation in operations.values():
                for answer in operation["responses"].values():
                    schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
                    if schema.get("$ref", "").endswith("Problem"):
                        answer["content"] = {MEDIA_TYPE: {"schema": schema}}
        return document


def protected(app: ASGIApp) -> ASGIApp:
    """The application with its limits and its security headers around it."""
    return Protection(app)


def _routers() -> list[APIRouter]:
    names = sorted(found.name for found in pkgutil.iter_modules(routes.__path__))
    return [module(f"aloi.api.routes.{name}").router for name in names]


def _operation_id(route: APIRoute) -> str:
    """Stable and readable: the function's name, which is unique over all routes."""
    return route.name
