"""Which environment variables a definition may name on a server, and where their values may be sent."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from aloi.core.errors import NotPermitted
from aloi.core.spec import Value

OUR_OWN = "ALOI_"  # how the names of our own settings begin; no definition needs them
# Readers of addresses differ on these, so that a value could go to another host than the one that was checked.
AMBIGUOUS = frozenset("\\@ \t\r\n")


class NamedKey(Value):
    """A variable that a definition names.

    `address`: where its value is sent; null where that is the model provider's own address, or a program here.
    """

    variable: str
    address: str | None = None


class KeyPolicy(NamedTuple):
    """What an operator lets definitions do with the environment.

    Args:
        names: shell patterns of the variables that may be named; null for all.
        hosts: shell patterns of the hosts that values may be sent to, beside providers' own addresses and this machine.
    """

    names: frozenset[str] | None
    hosts: frozenset[str] = frozenset()

    def check(self, keys: Iterable[NamedKey]) -> None:
        """Let these keys pass.

        Raises:
            NotPermitted: one may not be named, or not be sent there; the message names it and the mend.
        """
        if self.names is None:
            return
        for key in keys:
            self._check_name(key.variable, self.names)
            if key.address is not None:
                self._check_address(key.variable, key.address)

    def _check_name(self, variable: str, names: frozenset[str]) -> None:
        listed = any(fnmatchcase(variable, pattern) for pattern in names)
        if not listed or variable.upper().startswith(OUR_OWN):
            raise NotPermitted(
                f"the environment variable {variable} may not be named here; use one that fits "
                f"{', '.join(sorted(names))} and does not begin with {OUR_OWN}, or let the operator add it to "
                "ALOI_KEY_NAMES"
            )

    def _check_address(self, variable: str, address: str) -> None:
        host = host_of(address)
        if host is None:
            raise NotPermitted(
                f"the value of {variable} is not sent to {address!r}, whose host cannot be told for sure; write the "
                "address plainly, like https://example.org/v1"
            )
        if not is_loopback(host) and not any(fnmatchcase(host, pattern.lower()) for pattern in self.hosts):
            raise NotPermitted(
                f"the value of {variable} may not be sent to {host}; let the operator add that host to ALOI_KEY_HOSTS, "
                "or name no key"
            )


ANY_KEY = KeyPolicy(names=None)


def host_of(address: str) -> str | None:
    """The host of an address in lower case; null when there is none, or not every reader finds the same one."""
    try:
        host = urlsplit(address).hostname
    except ValueError:
        return None
    if not host or not address.isascii() or AMBIGUOUS & set(address):
        return None
    return host


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself: `localhost`, or an address of the loopback."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
