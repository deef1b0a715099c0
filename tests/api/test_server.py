"""Where the server listens, what it says of that, and how it is asked to end. What it does is in `tests/e2e`."""

import asyncio
import os
import signal
import socket

import pytest

from aloi.api.server import address_of, asked_to_end, is_loopback, listening
from aloi.core.errors import InvalidInput


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_what_is_only_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.4", "aloi.example.org", ""])
def test_what_others_may_reach(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:81"),
        ("0.0.0.0", "http://localhost:81"),
        ("::", "http://localhost:81"),
        ("::1", "http://[::1]:81"),
        ("aloi.example.org", "http://aloi.example.org:81"),
    ],
)
def test_the_address_for_a_browser(host: str, address: str) -> None:
    assert address_of(host, 81) == address


def test_a_free_port_is_picked() -> None:
    with listening("127.0.0.1", 0) as bound:
        host, port = bound.getsockname()
        assert host == "127.0.0.1" and port > 0
        assert bound.proto == socket.IPPROTO_TCP
        socket.create_connection((host, port)).close()


@pytest.mark.parametrize("host", ["127.0.0.1", "no such host", "203.0.113.1", "x" * 300])
def test_where_it_cannot_listen(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InvalidInput, match=f"cannot listen on {host} port {port}: .*--port 0"):
            listening(host, port)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_asks_for_the_end(sign: signal.Signals) -> None:
    before = signal.getsignal(sign)
    with asked_to_end() as asked:
        assert not asked.is_set()
        os.kill(os.getpid(), sign)
        async with asyncio.timeout(5):
            await asked.wait()
    assert signal.getsignal(sign) is before
