"""Every way to a private address is refused at the socket."""

import socket
from ipaddress import ip_address

import pytest

from aloi.llm.guard import Guard, is_public


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("1.1.1.1", True),
        ("127.255.0.1", False),
        ("0.1.2.3", False),
        ("172.16.0.1", False),
        ("172.32.0.1", True),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("198.18.0.1", False),
        ("192.0.2.1", False),
        ("224.0.0.1", False),
        ("239.1.1.1", False),
        ("240.0.0.1", False),
        ("255.255.255.255", False),
        ("2606:4700:4700::1111", True),
        ("::", False),
        ("::1", False),
        ("::127.0.0.1", False),
        ("::8.8.8.8", False),
        ("::ffff:8.8.8.8", True),
        ("::ffff:10.0.0.1", False),
        ("::ffff:0:10.0.0.1", False),
        ("64:ff9b::8.8.8.8", True),
        ("64:ff9b::10.0.0.1", False),
        ("64:ff9b:1::8.8.8.8", False),
        ("2002:808:808::1", True),
        ("2002:7f00:1::1", False),
        ("2002:a00:1::1", False),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", False),
        ("2001:db8::1", False),
        ("fe80::1%eth0", False),
        ("fec0::1", False),
        ("fc00::1", False),
        ("fd12::1", False),
        ("ff02::1", False),
        ("100::1", False),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public(ip_address(address)) is public


def test_the_guard_stands_at_the_socket() -> None:
    """The check sees the address that is connected to, so a name that resolves anew cannot swap it."""
    guard = Guard(allowed=False)
    with pytest.raises(PermissionError):
        guard.socket((socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", 80)))
    assert guard.refused == "127.0.0.1"
    guard.socket((socket.AF_INET, socket.SOCK_STREAM, 0, "", ("8.8.8.8", 80))).close()
    Guard(allowed=True).socket((socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", 80))).close()
