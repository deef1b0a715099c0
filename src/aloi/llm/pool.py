"""Sends one HTTP request and reads its bounded answer, over connections that are kept and used again."""

import errno
import os
from collections.abc import Mapping
from typing import NamedTuple

import aiohttp
from yarl import URL

from aloi.core.errors import StageFailure
from aloi.llm.retry import AttemptFailed, Cause

CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 3600.0  # a last guard; the deadline that counts is the caller's
# Below the five seconds after which common servers close an idle connection: fewer requests meet a closing one.
KEEP_ALIVE_SECONDS = 4.0


class Answer(NamedTuple):
    """An answer: status, headers with lower-case names (of several with one name, the last), body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Pool:
    """Connections by endpoint. How many there are is the limiters' business.

    No cookies, no redirects (they would carry keys to another host), no proxies or passwords from the environment.
    """

    def __init__(self, *, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._answer_seconds = answer_seconds
        self._opened: aiohttp.ClientSession | None = None

    async def send(self, method: str, url: URL, headers: Mapping[str, str], body: bytes | None, most: int) -> Answer:
        """Send it and read the whole answer, of whatever status.

        Args:
            most: the most bytes of a body that are read; more is a failure of type `too_large`.

        Raises:
            AttemptFailed: no answer; the failure's type is `connection`, `timeout`, `bad_reply`, `bad_request` or
                `too_large`. Its message names the address without the query.
        """
        try:
            async with self._session.request(
                method, url, headers=headers, data=body, allow_redirects=False
            ) as response:
                headers = {name.lower(): value for name, value in response.headers.items()}
                return Answer(response.status, headers, await _read(response, url, most))
        except (aiohttp.ClientError, OSError, ValueError) as error:  # TimeoutError is an OSError
            raise _failed(error, url) from error

    @property
    def _session(self) -> aiohttp.ClientSession:
        """The session; made at first use, because it belongs to the loop that runs then."""
        if self._opened is None:
            timeout = aiohttp.ClientTimeout(self._answer_seconds, sock_connect=CONNECT_SECONDS)
            self._opened = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_ALIVE_SECONDS),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=timeout,
                headers={"User-Agent": "aloi"},
            )
        return self._opened

    async def close(self) -> None:
        """Close all connections."""
        if self._opened is not None:
            await self._opened.close()
            self._opened = None


async def _read(response: aiohttp.ClientResponse, url: URL, most: int) -> bytes:
    body = bytearray()
    while chunk := await response.content.readany():
        body += chunk
        if len(body) > most:
            message = f"the answer of {place(url)} is longer than {most:,} bytes, the most that is read"
            raise AttemptFailed(StageFailure("invoke", "too_large", message))
    return bytes(body)


def place(url: URL) -> str:
    """An address for a message: without query, user and password, which may hold a secret."""
    return str(url.with_query(None).with_user(None).with_fragment(None)) if url.absolute else str(url.with_query(None))


def _failed(error: Exception, url: URL) -> AttemptFailed:
    kind, cause, reason = _reason(error)
    return AttemptFailed(StageFailure("invoke", kind, f"{place(url)} {reason}"), cause)


def _reason(error: Exception) -> tuple[str, Cause, str]:
    """Type of the failure, cause, and the words behind the address."""
    match error:
        case aiohttp.ClientConnectorDNSError():
            return "connection", "unsent", "cannot be reached: its host name does not resolve; check the address"
        case aiohttp.ClientSSLError():
            return "connection", "final", "cannot be trusted: its TLS certificate or handshake is not valid"
        case aiohttp.ClientConnectorError():
            why = os.strerror(error.os_error.errno or errno.ECONNREFUSED).lower()
            return "connection", "unsent", f"cannot be reached ({why}); is it running, and is the address right?"
        case aiohttp.ConnectionTimeoutError():
            return "connection", "unsent", f"did not accept a connection within {CONNECT_SECONDS:g} s"
        case TimeoutError():
            return "timeout", "final", "did not answer in time"
        case aiohttp.ServerDisconnectedError() | aiohttp.ClientPayloadError() | OSError():
            return "connection", "dropped", "dropped the connection before its answer was complete"
        case aiohttp.InvalidURL() | ValueError():
            return "bad_request", "final", "cannot be asked: the address or a header is not valid"
        case _:
            return "bad_reply", "final", f"did not answer in HTTP ({type(error).__name__})"
