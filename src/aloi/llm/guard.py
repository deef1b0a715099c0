"""Connections that never lead into the operator's own network, unless the operator allows the host.

The address is checked where the socket is made, once for every connection: whatever form the host was written in and
whatever its name resolved to, the address that passed the check is the one that is connected to.
"""

import asyncio
import socket
from collections.abc import Collection, Mapping
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple

import aiohttp
from yarl import URL

GLOBAL_UNICAST = IPv6Network("2000::/3")
NAT64 = IPv6Network("64:ff9b::/96")  # RFC 6052: the last 32 bits are an IPv4 address
AddrInfo = tuple[int, int, int, str, tuple[object, ...]]  # family, type, protocol, canonical name, address


class Guard:
    """Makes the sockets of one connection, and refuses any that would lead to an address that is not public.

    `refused` is the last address that was refused.
    """

    def __init__(self, *, allowed: bool) -> None:
        self._allowed = allowed
        self.refused: str | None = None

    def socket(self, info: AddrInfo) -> socket.socket:
        """aiohttp's socket factory: `info` holds the very address that the socket is then connected to."""
        family, kind, protocol, _, address = info
        if not (self._allowed or is_public(ip_address(str(address[0])))):
            self.refused = str(address[0])
            raise PermissionError(f"{self.refused} is not public")
        return socket.socket(family, kind, protocol)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address belongs to the public internet; one with an IPv4 address in it is judged by that as well."""
    if isinstance(address, IPv4Address):
        return address.is_global and not (address.is_multicast or address.is_reserved)
    if address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    if address in NAT64:
        return is_public(IPv4Address(int(address) & 0xFFFF_FFFF))
    if address.sixtofour is not None and not is_public(address.sixtofour):
        return False
    return address in GLOBAL_UNICAST and address.is_global


def host_key(host: str) -> str:
    """A host as it is compared: case, the final dot and IPv6 brackets do not count."""
    return host.strip("[]").rstrip(".").casefold()


def reason_of_failure(error: Exception) -> str:
    """Why a request failed, in few words."""
    match error:
        case aiohttp.ClientConnectorDNSError():
            return "its host name does not resolve"
        case UnicodeError():  # the resolver cannot encode it, e.g. a label of more than 63 characters
            return "its host name is not valid"
        case aiohttp.ClientSSLError():
            return "its TLS certificate or handshake is not valid"
        case aiohttp.ClientConnectorError():
            return f"no connection ({(error.os_error.strerror or 'refused').lower()})"
        case _:
            return f"the connection or the reply broke ({type(error).__name__})"


class Posted(NamedTuple):
    """What came of sending something: the status of the answer, or why there was none."""

    status: int | None
    fault: str | None


async def post(
    url: URL, body: bytes, headers: Mapping[str, str], allow_hosts: Collection[str], seconds: float
) -> Posted:
    """Send a body by POST to a public address, or to a host that the operator allows.

    Redirects are not followed, and of the answer only the status is read.

    Args:
        seconds: for all of it.
    """
    guard = Guard(allowed=host_key(url.host or "") in map(host_key, allow_hosts))
    connector = aiohttp.TCPConnector(socket_factory=guard.socket, force_close=True)
    try:
        async with (
            asyncio.timeout(seconds),
            aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session,
            session.post(url, data=body, headers=headers, allow_redirects=False) as reply,
        ):
            return Posted(reply.status, None)
    except TimeoutError:
        return Posted(None, f"no answer within {seconds:g} s")
    except (aiohttp.ClientError, OSError, ValueError) as error:
        if guard.refused:
            return Posted(None, f"{guard.refused} is a private or reserved address; the operator may allow the host")
        return Posted(None, reason_of_failure(error))
