"""The workspace over HTTP."""

import pytest

from tests.api.calls import Caller


async def test_its_name(owner: Caller, viewer: Caller, stranger: Caller) -> None:
    assert (await viewer.get("/api/workspace")).body["name"] == "default"
    changed = await owner.put("/api/workspace", {"name": "é 😀"})
    assert (changed.status, changed.body["name"]) == (200, "é 😀")
    assert (await viewer.get("/api/workspace")).body == changed.body
    assert (await viewer.get("/api/auth/me")).body["workspace"] == changed.body
    assert (await stranger.get("/api/workspace")).body["name"] == "elsewhere"


@pytest.mark.parametrize("body", [{}, {"name": ""}, {"name": "x" * 201}, {"name": None}, {"name": "x", "id": "y"}])
async def test_what_is_no_name(owner: Caller, body: dict[str, str | None]) -> None:
    assert (await owner.put("/api/workspace", body)).status == 422
