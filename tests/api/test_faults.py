"""Faults that a use case found, told with their pointers."""

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from aloi.api import errors
from aloi.api.faults import Pointed
from aloi.core.errors import NotFound
from aloi.core.misfit import Misfit, Misplaced, pointer


def answer(error: Exception) -> tuple[int, dict[str, object]]:
    app = FastAPI()
    errors.install(app)

    async def fail() -> None:
        raise error

    app.add_api_route("/", fail, dependencies=[Pointed])
    response = TestClient(app).get("/")
    return response.status_code, response.json()


@pytest.mark.parametrize(
    "place", ["", "/name", "/evaluators/0/text", pointer(("a/b", "c~d", "lone \ud800")), "line 3, column tags"]
)
def test_each_has_its_pointer(place: str) -> None:
    status, body = answer(Misfit([Misplaced(place, "is wrong"), Misplaced("/other", "too")]))
    assert (status, body["code"]) == (422, "invalid_input")
    assert body["errors"] == [{"pointer": place, "detail": "is wrong"}, {"pointer": "/other", "detail": "too"}]


def test_other_errors_are_let_through() -> None:
    status, body = answer(NotFound("there is none"))
    assert (status, body["errors"]) == (404, None)
