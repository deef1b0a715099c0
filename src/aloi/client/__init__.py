"""The one door to Aloi: a `Client`. The command line and the SDK know nothing behind it.

`connect` gives the one that the settings ask for: `LocalClient` works in this process over the service layer. A client
of a server over HTTP will stand beside it and pass the same contract suite.
"""

from collections.abc import Mapping
from typing import Protocol, cast

from aloi.client.protocol import Client
from aloi.core.errors import InvalidInput
from aloi.plugins import module
from aloi.settings import Settings

__all__ = ["Client", "connect"]


class _Local(Protocol):
    async def open_local(self, settings: Settings, environ: Mapping[str, str]) -> Client: ...


async def connect(settings: Settings, environ: Mapping[str, str]) -> Client:
    """The client that the settings ask for; close it when done.

    Args:
        settings: what the operator set.
        environ: the environment, for keys that model specs name.

    Raises:
        InvalidInput: the settings name a server, which this version cannot talk to yet.
        StoreUnavailable: the database cannot be opened.
    """
    if settings.server is not None:
        raise InvalidInput("ALOI_SERVER names a server, but this version works in its own process only; unset it")
    local = cast(_Local, module("aloi.client.local"))
    return await local.open_local(settings, environ)
