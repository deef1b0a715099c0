"""Lists in pages."""

import pytest

from aloi.api.paging import paged
from aloi.core.access import Role
from aloi.core.listing import Page
from aloi.service.accounts import members
from tests.api.calls import Caller, RunningServer


def test_a_page_as_it_is_answered() -> None:
    answered = paged(Page[int](items=(1, 2), total=7, page=2, size=3))
    assert answered.model_dump() == {"items": (1, 2), "total": 7, "page": 2, "size": 3, "pages": 3}
    assert paged(Page[int](items=(), total=0, page=1, size=20)).pages == 0


async def test_pages_of_a_list(server: RunningServer, owner: Caller) -> None:
    for number in range(4):
        await members.add(server.context, f"{number}@example.org", Role.VIEWER)
    seen = list[str]()
    for page in (1, 2, 3):
        answer = await owner.get("/api/members", page=page, size=2)
        assert answer.body | {"items": []} == {"items": [], "total": 5, "page": page, "size": 2, "pages": 3}
        seen += [member["email"] for member in answer.body["items"]]
    assert seen == ["3@example.org", "2@example.org", "1@example.org", "0@example.org", "owner@example.org"]
    assert (await owner.get("/api/members")).body["size"] == 20


@pytest.mark.parametrize("query", ["size=200", "page=1000000000", "page=1000000000&size=200"])
async def test_the_most_that_can_be_asked(owner: Caller, query: str) -> None:
    assert (await owner.get(f"/api/members?{query}")).status == 200


@pytest.mark.parametrize("name", ["page", "size"])
@pytest.mark.parametrize("value", [0, -1, 10**9 + 1, 10**30, "", "x", "1.5", "1e3"])
async def test_what_is_no_page(owner: Caller, name: str, value: int | str) -> None:
    answer = await owner.get(f"/api/members?{name}={value}")
    assert (answer.status, [fault["pointer"] for fault in answer.body["errors"]]) == (422, [name])
