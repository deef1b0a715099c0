"""The one door to Aloi: a `Client`. The command line and the SDK know nothing behind it.

`connect` gives a `LocalClient`, which works in this process over the service layer. Another kind of client would stand
beside it and pass the same contract suite.
"""

from collections.abc import Mapping
from typing import Protocol, cast

from aloi.client.protocol import Client
from aloi.plugins import module
from aloi.settings import Settings

__all__ = ["Client", "connect"]


class _Local(Protocol):
    async def open_local(self, settings: Settings, environ: Mapping[str, str]) -> Client: ...


async def connect(settings: Settings, environ: Mapping[str, str]) -> Client:
    """A client that works in this process; close it when done.

    Args:
        settings: what the operator set.
        environ: the environment, for keys that model specs name.

    Raises:
        StoreUnavailable: the database cannot be opened.
    """
    local = cast(_Local, module("aloi.client.local"))
    return await local.open_local(settings, environ)
