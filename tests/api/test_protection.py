"""The headers around every answer, and the limits on bodies."""

from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest

from aloi.api import protection
from aloi.api.app import create_app, protected
from tests.api.calls import Caller, RunningServer, raw

ANSWERS = [
    ("GET", "/api/openapi.json", 200),
    ("GET", "/api/auth/me", 401),
    ("GET", "/api/nope", 404),
    ("PUT", "/api/auth/me", 405),
    ("POST", "/api/auth/login", 422),
    ("GET", "/", None),
    ("GET", "/assets/nope.js", 404),
]


@pytest.mark.parametrize(("method", "path", "status"), ANSWERS)
async def test_every_answer_keeps_the_browser_safe(nobody: Caller, method: str, path: str, status: int | None) -> None:
    answer = await nobody.call(method, path)
    assert status in {None, answer.status}
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "script-src" not in policy and "frame-ancestors 'none'" in policy
    assert "http" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert not path.startswith("/api/") or answer.headers["Cache-Control"] == "no-store"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits of 1 MB, and of 2 MB for uploads."""
    monkeypatch.setattr(protection, "MOST_BYTES", 1024 * 1024)
    monkeypatch.setattr(protection, "MOST_UPLOAD_BYTES", 2 * 1024 * 1024)


async def in_pieces(size: int) -> AsyncIterator[bytes]:
    """A body whose length nobody announces."""
    for _ in range(size // 1024):
        yield b" " * 1024


@pytest.mark.parametrize("streamed", [True, False])
@pytest.mark.usefixtures("small")
async def test_a_body_over_the_limit_is_refused(owner: Caller, streamed: bool) -> None:
    size = 1024 * 1024 + 1024
    body = in_pieces(size) if streamed else b" " * size
    answer = await owner.call("PUT", "/api/workspace", data=body, headers={"Content-Type": "application/json"})
    assert (answer.status, answer.body["code"]) == (413, "too_large")
    assert "larger than 1 MB" in answer.body["detail"]
    assert "Content-Security-Policy" in answer.headers


@pytest.mark.parametrize("streamed", [True, False])
@pytest.mark.usefixtures("small")
async def test_a_body_within_the_limit_is_taken(owner: Caller, streamed: bool) -> None:
    text = b'{"name": "x"' + b" " * (1024 * 1024 - 13) + b"}"

    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(text), 1000):
            yield text[start : start + 1000]

    data = pieces() if streamed else text
    answer = await owner.call("PUT", "/api/workspace", data=data, headers={"Content-Type": "application/json"})
    assert answer.status == 200


@pytest.mark.usefixtures("small")
async def test_files_may_be_larger(owner: Caller) -> None:
    path = "/api/eval/datasets/0/import"
    assert (await owner.call("POST", path, data=b" " * 1024 * 1500)).status != 413
    answer = await owner.call("POST", path, data=b" " * 1024 * 2500)
    assert (answer.status, answer.body["code"]) == (413, "too_large")


@pytest.mark.parametrize("length", ["99999999999999", "9" * 5000])
async def test_an_announced_length_is_believed(server: RunningServer, length: str) -> None:
    head = f"PUT /api/workspace HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
    answer = await raw(server, head.encode())
    assert int(answer.split()[1]) in {400, 413}


@pytest.mark.parametrize("length", ["x", "-1", ""])
async def test_a_length_that_is_none_is_no_fault_of_ours(server: RunningServer, length: str) -> None:
    head = f"PUT /api/workspace HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
    assert int((await raw(server, head.encode())).split()[1]) < 500


async def test_web_sockets_are_refused() -> None:
    sent = list[str]()

    async def send(message: object) -> None:
        assert isinstance(message, dict)
        sent.append(str(message["type"]))

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    await protected(create_app(None))({"type": "websocket", "path": "/api"}, receive, send)
    assert sent == ["websocket.close"]


async def test_a_host_that_is_none_is_no_fault_of_ours(server: RunningServer) -> None:
    port = urlsplit(server.url).port
    for host in ("", "[", "x y", f"evil.example:{port}", "\xff"):
        head = f"GET /api/auth/me HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        assert int((await raw(server, head.encode("latin-1"))).split()[1]) in {400, 401}


@pytest.mark.parametrize("sent", [b"", b'{"email": "a"', b'{"email": "a", "password": "b"}'])
@pytest.mark.parametrize("path", ["/api/auth/login", "/api/eval/suites/dataset", "/api/eval/datasets/x/import"])
async def test_a_body_that_does_not_come_is_not_waited_for_for_ever(
    server: RunningServer, owner: Caller, monkeypatch: pytest.MonkeyPatch, sent: bytes, path: str
) -> None:
    monkeypatch.setattr(protection, "BODY_SECONDS", 0.05)
    head = (
        f"POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {owner.token}\r\n"
        "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
    )
    answer = await raw(server, head.encode() + sent)
    assert int(answer.split()[1]) in {408, 422}
    assert int(answer.split()[1]) == 408 or path.endswith("import")
    assert b"problem+json" in answer
