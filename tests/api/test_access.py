"""Tokens, the browser's cookie, and pages of other origins."""

from pathlib import Path

import pytest

from aloi.api.access import COOKIE
from aloi.core.access import Role
from aloi.service.accounts import members
from aloi.settings import Settings
from tests.api.calls import Caller, RunningServer

RENAME = {"name": "new"}


def browser(server: RunningServer, owner: Caller, origin: str | None) -> dict[str, str]:
    """The headers of a request that a browser makes for a page of an origin."""
    cookie = {"Cookie": f"{COOKIE}={owner.token}"}
    return cookie if origin is None else {**cookie, "Origin": origin.replace("OURS", server.url)}


async def test_a_bearer_token_needs_no_origin_and_none_spoils_it(owner: Caller) -> None:
    assert (await owner.put("/api/workspace", RENAME)).status == 200
    assert (await owner.put("/api/workspace", RENAME, headers={"Origin": "http://evil.example"})).status == 200


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Basic YTpi", "Bearer  x", "Bearer \u00e9", "bearer x y"])
async def test_odd_authorization_is_401(nobody: Caller, header: str) -> None:
    answer = await nobody.get("/api/auth/me", headers={"Authorization": header})
    assert (answer.status, answer.body["code"]) == (401, "not_signed_in")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


async def test_the_scheme_is_read_in_any_case(server: RunningServer, owner: Caller) -> None:
    for scheme in ("bearer", "BEARER"):
        answer = await server.caller().get("/api/auth/me", headers={"Authorization": f"{scheme} {owner.token}"})
        assert answer.status == 200


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("OURS", 200),
        (None, 403),
        ("null", 403),
        ("http://evil.example", 403),
        ("OURS.evil.example", 403),
        ("OURS:1", 403),
        ("OURS/", 403),
        ("http://127.0.0.1", 403),
        ("http://[", 403),
        ("", 403),
    ],
)
async def test_a_change_by_cookie_comes_from_our_own_pages(
    server: RunningServer, owner: Caller, nobody: Caller, origin: str | None, status: int
) -> None:
    answer = await nobody.put("/api/workspace", RENAME, headers=browser(server, owner, origin))
    assert answer.status == status
    assert status == 200 or answer.body["code"] == "not_permitted"


async def test_reading_by_cookie_works_from_plain_links(server: RunningServer, owner: Caller, nobody: Caller) -> None:
    for origin in (None, "http://evil.example"):
        answer = await nobody.get("/api/workspace", headers=browser(server, owner, origin))
        assert answer.status == 200
        assert "Access-Control-Allow-Origin" not in answer.headers


async def test_a_page_of_another_origin_signs_nobody_in(server: RunningServer, nobody: Caller) -> None:
    link = (await members.add(server.context, "ann@example.org", Role.VIEWER)).link
    token = str(link).partition("=")[2]
    evil = {"Origin": "http://evil.example"}
    login = {"email": "ann@example.org", "password": "a wrong password"}
    assert (await nobody.post("/api/auth/link", {"token": token}, headers=evil)).status == 403
    assert (await nobody.post("/api/auth/login", login, headers=evil)).status == 403
    assert (await nobody.post("/api/auth/link", {"token": token}, headers={"Origin": server.url})).status == 200


async def test_a_preflight_of_another_origin_is_not_answered(nobody: Caller) -> None:
    asks = {"Origin": "http://evil.example", "Access-Control-Request-Method": "PUT"}
    answer = await nobody.call("OPTIONS", "/api/workspace", headers=asks)
    assert answer.status == 405
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]


async def test_a_role_that_is_too_low_is_told_which_is_needed(viewer: Caller) -> None:
    answer = await viewer.put("/api/workspace", RENAME)
    assert answer.status == 403
    assert answer.body["detail"] == "this needs the role owner, and yours is viewer; ask an owner"


class TestBehindAProxyThatRewritesTheHost:
    @pytest.fixture
    async def server_settings(self, tmp_path: Path) -> Settings:
        return Settings(home=tmp_path / "home", public_url="https://aloi.example.org/")

    @pytest.mark.parametrize(
        ("origin", "status"),
        [
            ("https://aloi.example.org", 200),
            ("http://aloi.example.org", 403),
            ("https://aloi.example.org.evil.example", 403),
            ("https://evil.example", 403),
        ],
    )
    async def test_the_public_address_is_ours(
        self, server: RunningServer, owner: Caller, nobody: Caller, origin: str, status: int
    ) -> None:
        answer = await nobody.put("/api/workspace", RENAME, headers=browser(server, owner, origin))
        assert answer.status == status
