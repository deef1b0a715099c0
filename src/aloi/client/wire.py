"""Requests to an Aloi server, and its problems as our own errors."""

import asyncio
import codecs
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import quote

import aiohttp
from pydantic import JsonValue, TypeAdapter, ValidationError
from pydantic_core import to_json
from yarl import URL

from aloi.core import errors
from aloi.core.errors import AloiError, NotSignedIn, ServerUnavailable
from aloi.core.gate import ActivationRefused, GateState
from aloi.core.listing import Page, PageOut
from aloi.core.spec import JsonObject

T = TypeVar("T")
CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 600.0
PIECE_BYTES = 64 * 1024
AGAIN_SECONDS = 0.2
# How the server names each error: the other direction of the table in `aloi.api.errors`.
ERRORS: Mapping[str, type[AloiError]] = {
    "invalid_input": errors.InvalidInput,
    "not_found": errors.NotFound,
    "stale": errors.Stale,
    "conflict": errors.Conflict,
    "not_signed_in": errors.NotSignedIn,
    "not_permitted": errors.NotPermitted,
    "gate_refused": errors.GateRefused,
    "too_large": errors.TooLarge,
    "store_unavailable": errors.StoreUnavailable,
    "files_unavailable": errors.FilesUnavailable,
}


class Wire:
    """Sends requests to one server, with one token.

    Every method raises the error that the server answered with, or `ServerUnavailable` when it gives no usable answer.
    Redirects are not followed: the token is for this server alone.

    Args:
        server: its address, e.g. `https://aloi.example.org`.
        token: an API key or a token of a login; null asks as nobody.
        answer_seconds: how long the server may be silent.
        signing_in: whether it is used to sign in; else a refusal says how to do that.

    Raises:
        InvalidInput: the address or the token is none.
    """

    def __init__(
        self, server: str, token: str | None, answer_seconds: float = ANSWER_SECONDS, signing_in: bool = False
    ) -> None:
        self._server = address_of(server)
        self._signing_in = signing_in
        headers = {"Accept": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {_sendable(token.strip())}"
        self._session = aiohttp.ClientSession(
            headers=headers,
            timeout=aiohttp.ClientTimeout(total=None, connect=CONNECT_SECONDS, sock_read=answer_seconds),
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Release the connections."""
        await self._session.close()

    async def get(self, path: str, answer: type[T], **query: object) -> T:
        """Read something."""
        return self._read(answer, await self._send("GET", path, query=query))

    async def get_patiently(self, path: str, answer: type[T], seconds: float) -> T:
        """Read something; for so many seconds a server that gives no answer, as it restarts, is asked again."""
        until = time.monotonic() + seconds
        while True:
            try:
                return await self.get(path, answer)
            except ServerUnavailable:
                if time.monotonic() > until:
                    raise
            await asyncio.sleep(AGAIN_SECONDS)

    async def post(self, path: str, answer: type[T], body: object = None) -> T:
        """Make or start something; `answer` is `NoneType` where there is none."""
        return self._read(answer, await self._send("POST", path, body))

    async def upload(self, path: str, answer: type[T], name: str, content: bytes) -> T:
        """Send a file, as a form does."""
        form = aiohttp.FormData(quote_fields=False)
        form.add_field("file", content, filename=name)
        return self._read(answer, await self._sent("POST", path, form, {}))

    async def put(self, path: str, answer: type[T], body: object, if_match: str | None = None) -> T:
        """Change something; where a tag is given, only if it still has that one."""
        return self._read(answer, await self._send("PUT", path, body, if_match=if_match))

    async def delete(self, path: str) -> None:
        """Delete something."""
        await self._send("DELETE", path)

    async def page(self, path: str, item: type[T], page: int, size: int, **query: object) -> Page[T]:
        """One page of a list."""
        if page < 1 or size < 1:
            raise errors.InvalidInput(f"there is no page {page} of {size} each; pages count from 1 and hold at least 1")
        found = await self.get(path, PageOut[JsonValue], page=page, size=size, **query)
        read = TypeAdapter(item).validate_python
        return Page(items=tuple(map(read, found.items)), total=found.total, page=page, size=size)

    async def stream(self, path: str, **query: object) -> AsyncIterator[str]:
        """A text in pieces."""
        try:
            async with self._session.get(self._url(path), params=_params(query), allow_redirects=False) as response:
                await self._check(response)
                decoder = codecs.getincrementaldecoder("utf-8")()
                async for piece in response.content.iter_chunked(PIECE_BYTES):
                    if text := decoder.decode(piece):
                        yield text
                decoder.decode(b"", final=True)
        except (aiohttp.ClientError, OSError) as error:
            raise self._unavailable(error) from error
        except UnicodeDecodeError as error:
            raise self._not_understood("it is not UTF-8") from error

    async def _send(
        self,
        method: str,
        path: str,
        body: object = None,
        query: Mapping[str, object] | None = None,
        if_match: str | None = None,
    ) -> bytes:
        data = None if body is None else _encoded(body)
        headers = {} if data is None else {"Content-Type": "application/json"}
        if if_match is not None:
            headers["If-Match"] = f'"{if_match}"'
        return await self._sent(method, path, data, headers, query)

    async def _sent(
        self,
        method: str,
        path: str,
        data: bytes | aiohttp.FormData | None,
        headers: Mapping[str, str],
        query: Mapping[str, object] | None = None,
    ) -> bytes:
        try:
            async with self._session.request(
                method, self._url(path), params=_params(query or {}), data=data, headers=headers, allow_redirects=False
            ) as response:
                await self._check(response)
                return await response.read()
        except (aiohttp.ClientError, OSError) as error:
            raise self._unavailable(error) from error

    def _url(self, path: str) -> URL:
        return URL(f"{self._server}{path}", encoded=True)

    def _unavailable(self, error: Exception) -> ServerUnavailable:
        said = str(error) or type(error).__name__
        return ServerUnavailable(
            f"the server {self._server} gives no answer ({said}); is it running, and the address right?"
        )

    async def _check(self, response: aiohttp.ClientResponse) -> None:
        """Raise what the server says went wrong."""
        if response.status < HTTPStatus.MULTIPLE_CHOICES:
            return
        if place := response.headers.get("Location"):
            raise ServerUnavailable(f"{self._server} points to {place:.200}; name that server instead, if you trust it")
        error = _error(response.status, response.headers.get("Retry-After"), await response.read(), self._server)
        if isinstance(error, NotSignedIn) and not self._signing_in:
            raise NotSignedIn(f"{self._server}: {error} (aloi login {self._server}, or set ALOI_API_KEY)")
        raise error

    def _read(self, answer: type[T], body: bytes) -> T:
        try:
            return TypeAdapter(answer).validate_json(body or b"null")
        except ValidationError as error:
            raise self._not_understood(error.errors()[0]["msg"]) from error

    def _not_understood(self, reason: str) -> ServerUnavailable:
        return ServerUnavailable(
            f"the answer of {self._server} is not understood ({reason}); is it an Aloi server, of this version?"
        )


def address_of(server: str) -> str:
    """A server's address in one way of writing: `HTTPS://Aloi.example.org/` is `https://aloi.example.org`.

    Raises:
        InvalidInput: it is no http or https address, or holds more than a host, a port and a path.
    """
    with suppress(ValueError):
        url = URL(server.strip())
        plain = url.scheme in ("http", "https") and url.host and " " not in url.host
        if plain and not (url.user or url.password or url.query_string or url.fragment):
            return str(url).rstrip("/")
    raise errors.InvalidInput(f"{server!r} is no address of a server; write it like https://aloi.example.org")


def part(text: str) -> str:
    """A name or an id as one part of a path."""
    return quote(text, safe="")


def _params(query: Mapping[str, object]) -> dict[str, str]:
    """The parameters that are set, as texts."""
    return {name: _param(value) for name, value in query.items() if value is not None}


def _param(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _encoded(body: object) -> bytes:
    try:
        return to_json(body)
    except ValueError as error:
        raise errors.InvalidInput(f"what is sent is not JSON: {error}") from error


def _sendable(token: str) -> str:
    """A token that a header can carry.

    Raises:
        InvalidInput: it cannot be one.
    """
    if token.isascii() and token.isprintable():
        return token
    raise errors.InvalidInput("the key for the server is none: it has letters, digits, - and _; look at ALOI_API_KEY")


def _error(status: int, retry_after: str | None, body: bytes, server: str) -> AloiError:
    """The error that a problem stands for."""
    problem = _problem(body)
    detail = str(problem.get("detail") or f"the server {server} answered with status {status}; is it an Aloi server?")
    kind = ERRORS.get(str(problem.get("code")))
    if kind is errors.GateRefused and "gate" in problem:
        with suppress(ValidationError):
            return ActivationRefused(GateState.model_validate(problem["gate"]))
    if kind is not None:
        return kind(detail)
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return errors.TooMany(detail, float(retry_after) if retry_after and retry_after.isdigit() else 1.0)
    return ServerUnavailable(detail)


def _problem(body: bytes) -> JsonObject:
    """The problem that a body tells; empty where it tells none."""
    try:
        return TypeAdapter(JsonObject).validate_json(body)
    except ValidationError:
        return {}
