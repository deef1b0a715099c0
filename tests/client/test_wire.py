"""Requests to a server: what it says is wrong becomes our own errors, and no odd answer breaks more than its call."""

import json
import socket
from http import HTTPStatus
from types import NoneType

import pytest

from aloi.api.errors import TABLE
from aloi.client.wire import ERRORS, Wire, address_of
from aloi.core.errors import GateRefused, InvalidInput, NotSignedIn, ServerUnavailable, StageFailure, TooMany
from aloi.core.gate import ActivationRefused, GateState
from tests.client.odd_server import answer, odd_server

PATH = "/api/eval/things"
OK = answer(b"[1, 2]")


def problem(status: HTTPStatus, code: str, detail: str = "it is so", headers: str = "") -> bytes:
    body = {"type": "about:blank", "title": "x", "status": status, "detail": detail, "code": code, "errors": None}
    return answer(json.dumps(body).encode(), f"{status.value} {status.phrase}", headers)


async def say(*answers: bytes, token: str | None = None) -> object:
    """What a read comes to when the server answers so."""
    async with odd_server(*answers) as server, Wire(server.url, token, answer_seconds=0.1) as wire:
        return await wire.get(PATH, list[int])


async def stream(*answers: bytes) -> str:
    async with odd_server(*answers) as server, Wire(server.url, None) as wire:
        return "".join([piece async for piece in wire.stream(PATH)])


class TestProblems:
    @pytest.mark.parametrize(("kind", "status", "code"), TABLE, ids=[code for *_, code in TABLE])
    async def test_each_becomes_the_error_that_it_was(self, kind: type, status: HTTPStatus, code: str) -> None:
        # A stage fails within a case, whose result says so; as an answer it is the server's own affair.
        wanted = ServerUnavailable if kind is StageFailure else kind
        with pytest.raises(wanted, match="it is so") as caught:
            await say(problem(status, code))
        assert type(caught.value) is wanted

    def test_the_table_is_that_of_the_server(self) -> None:
        there = {code: kind for kind, _, code in TABLE}
        assert all(there[code] is kind for code, kind in ERRORS.items())
        assert there.keys() - ERRORS.keys() == {"too_many", "stage_failure"}

    async def test_a_gate_that_refuses_tells_its_figures(self) -> None:
        state = GateState(target_id="t", target_name="bot", version=2, allowed=False, policies=())
        body = {"code": "gate_refused", "detail": "it is so", "gate": state.model_dump()}
        with pytest.raises(ActivationRefused, match="bot@2 may not become active") as caught:
            await say(answer(json.dumps(body).encode(), "409 Conflict"))
        assert caught.value.state == state
        for gate in (None, {}, {"version": 2}):
            with pytest.raises(GateRefused, match="it is so"):
                await say(answer(json.dumps({**body, "gate": gate}).encode(), "409 Conflict"))

    @pytest.mark.parametrize(
        ("headers", "seconds"), [("Retry-After: 17\r\n", 17), ("", 1), ("Retry-After: soon\r\n", 1)]
    )
    async def test_too_many_says_when_to_come_back(self, headers: str, seconds: float) -> None:
        with pytest.raises(TooMany) as caught:
            await say(problem(HTTPStatus.TOO_MANY_REQUESTS, "too_many", headers=headers))
        assert caught.value.retry_after == seconds

    async def test_who_is_not_signed_in_is_told_how(self) -> None:
        refusal = problem(HTTPStatus.UNAUTHORIZED, "not_signed_in", "no")
        with pytest.raises(NotSignedIn, match=r"no \(aloi login http://127\.0\.0\.1:\d+, or set ALOI_API_KEY\)"):
            await say(refusal)
        async with odd_server(refusal) as server, Wire(server.url, None, signing_in=True) as wire:
            with pytest.raises(NotSignedIn, match=r"^no$"):
                await wire.post(PATH, NoneType)

    @pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"detail": null}', b'{"code": "new"}', b'"x"', b"\xff"])
    async def test_a_failure_that_tells_nothing(self, body: bytes) -> None:
        with pytest.raises(ServerUnavailable, match="answered with status 502; is it an Aloi server"):
            await say(answer(body, "502 Bad Gateway"))


class TestOddAnswers:
    @pytest.mark.parametrize(
        "body", [b"<html>Welcome</html>", b"[1, 2", b'{"a": 1}', b"", b"[\xff]", b'["x"]'], ids=repr
    )
    async def test_what_is_not_understood(self, body: bytes) -> None:
        with pytest.raises(ServerUnavailable, match=r"is not understood .* is it an Aloi server"):
            await say(answer(body))

    @pytest.mark.parametrize("sent", [b"", b"nonsense\r\n\r\n", answer(b"[1", length=100)], ids=repr)
    async def test_what_is_no_answer(self, sent: bytes) -> None:
        with pytest.raises(ServerUnavailable, match="gives no answer"):
            await say(sent)

    async def test_silence(self) -> None:
        with pytest.raises(ServerUnavailable, match="gives no answer"):
            await say()

    async def test_nobody_is_there(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            free = taken.getsockname()[1]
        async with Wire(f"http://127.0.0.1:{free}", None) as wire:
            with pytest.raises(ServerUnavailable, match="is it running, and the address right"):
                await wire.get(PATH, list[int])

    @pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
    async def test_a_redirect_is_not_followed(self, status: str) -> None:
        async with odd_server(OK) as elsewhere:
            moved = answer(b"", status, f"Location: {elsewhere.url}/api\r\n")
            for call in (say(moved, token="aloi_secret"), stream(moved)):
                with pytest.raises(ServerUnavailable, match=f"points to {elsewhere.url}/api"):
                    await call
        assert elsewhere.asked == []

    async def test_a_cookie_is_not_kept(self) -> None:
        async with odd_server(answer(b"[]", headers="Set-Cookie: a=b\r\n")) as server, Wire(server.url, None) as wire:
            for _ in range(2):
                await wire.get(PATH, list[int])
        assert "cookie" not in server.asked[1].lower()


class TestStreams:
    async def test_pieces_are_put_together(self) -> None:
        text = "né 😀" * 20_000
        assert await stream(answer(text.encode())) == text

    @pytest.mark.parametrize("body", [b"caf\xe9 au lait", "é".encode()[:1]])
    async def test_what_is_not_utf_8(self, body: bytes) -> None:
        with pytest.raises(ServerUnavailable, match="it is not UTF-8"):
            await stream(answer(body))

    async def test_one_that_breaks_off(self) -> None:
        with pytest.raises(ServerUnavailable, match="gives no answer"):
            await stream(answer(b"half of it", length=100))


class TestRequests:
    async def test_what_is_sent(self) -> None:
        async with odd_server(OK) as server, Wire(f"{server.url}/below/", " aloi_key\n") as wire:
            await wire.get(PATH, list[int], q="é&=/?", none=None, yes=True)
        line, *heads = server.asked[0].splitlines()
        assert line == f"GET /below{PATH}?q=%C3%A9%26%3D/?&yes=true HTTP/1.1"
        assert "Authorization: Bearer aloi_key" in heads

    async def test_a_tag_that_a_change_goes_by(self) -> None:
        async with odd_server(OK) as server, Wire(server.url, None) as wire:
            await wire.put(PATH, list[int], {})
            await wire.put(PATH, list[int], {}, if_match="abc")
        assert "If-Match" not in server.asked[0]
        assert 'If-Match: "abc"' in server.asked[1].splitlines()

    async def test_an_answer_without_a_body(self) -> None:
        async with odd_server(b"HTTP/1.1 204 No Content\r\n\r\n") as server, Wire(server.url, None) as wire:
            await wire.post(PATH, NoneType)
            await wire.delete(PATH)

    @pytest.mark.parametrize("body", ["\ud800", {"a": "\udfff"}, [object()]])
    async def test_what_cannot_be_sent(self, body: object) -> None:
        async with Wire("http://127.0.0.1:1", None) as wire:
            with pytest.raises(InvalidInput, match="what is sent is not JSON"):
                await wire.post(PATH, NoneType, body)

    @pytest.mark.parametrize("token", ["a b\nX-Evil: 1", "clé", "a\x00b"])
    def test_what_is_no_token(self, token: str) -> None:
        with pytest.raises(InvalidInput, match="ALOI_API_KEY"):
            Wire("http://127.0.0.1:1", token)

    async def test_a_server_that_restarts_is_waited_for(self) -> None:
        gateway = answer(b"<html>", "503 Service Unavailable")
        async with odd_server(b"", gateway, OK) as server, Wire(server.url, None) as wire:
            assert await wire.get_patiently(PATH, list[int], 30) == [1, 2]
            with pytest.raises(ServerUnavailable):
                async with odd_server(gateway) as other, Wire(other.url, None) as impatient:
                    await impatient.get_patiently(PATH, list[int], 0)

    async def test_only_what_may_pass_is_waited_for(self) -> None:
        refusal = problem(HTTPStatus.UNAUTHORIZED, "not_signed_in")
        async with odd_server(refusal, OK) as server, Wire(server.url, None) as wire:
            with pytest.raises(NotSignedIn):
                await wire.get_patiently(PATH, list[int], 30)


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
        (" HTTPS://Aloi.Example.org:443/below/ ", "https://aloi.example.org/below"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("http://bücher.example", "http://xn--bcher-kva.example"),
    ],
)
def test_one_way_to_write_an_address(given: str, address: str) -> None:
    assert address_of(given) == address


NO_ADDRESSES = (
    "",
    "example.org",
    "//h",
    "ftp://h",
    "http://",
    "http:///x",
    "http://h o",
    "http://h:99999",
    "http://h?a=b",
)


@pytest.mark.parametrize("given", [*NO_ADDRESSES, "http://me:secret@h", "http://:secret@h", "http://h/#a", "file:///x"])
def test_what_is_no_address(given: str) -> None:
    with pytest.raises(InvalidInput, match="is no address of a server; write it like https://"):
        address_of(given)
