"""The application as a whole: every route is found, and what is none is told."""

import pkgutil

import pytest
from fastapi.routing import iter_route_contexts

from aloi.api import routes
from aloi.api.app import create_app
from tests.api.calls import Caller


def test_every_file_of_routes_is_in_the_application() -> None:
    found = {route.endpoint.__module__ for route in iter_route_contexts(create_app(None).routes) if route.endpoint}
    files = {f"aloi.api.routes.{found.name}" for found in pkgutil.iter_modules(routes.__path__)}
    assert files <= found


@pytest.mark.parametrize(
    "path", ["/api", "/api/", "/api/nope", "/api/members/", "/api//members", "/api/eval", "/api/%00"]
)
async def test_an_unknown_path_of_the_api_is_a_problem(owner: Caller, path: str) -> None:
    answer = await owner.get(path)
    assert (answer.status, answer.body["code"], answer.body["status"]) == (404, "not_found", 404)
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("method", ["DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "BREW"])
async def test_a_method_that_a_path_lacks_is_a_problem(owner: Caller, method: str) -> None:
    answer = await owner.call(method, "/api/target-kinds")
    assert answer.status == 405
    assert answer.headers["Allow"] == "GET"
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert method == "HEAD" or answer.body["code"] == "method_not_allowed"


async def test_its_description_is_public_and_its_docs_pages_are_not_there(nobody: Caller) -> None:
    assert (await nobody.get("/api/openapi.json")).body["info"]["title"] == "Aloi"
    for path in ("/docs", "/redoc", "/openapi.json"):
        assert (await nobody.get(path)).headers["Content-Type"].startswith("text/"), path
