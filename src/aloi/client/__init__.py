"""The one door to Aloi: a `Client`. The command line and the SDK know nothing behind it.

`connect` gives an `HttpClient` where the settings name a server, else a `LocalClient`, which works in this process over
the service layer. Both pass the same contract suite. `administration.administer` does the same for targets, members and
keys; who only evaluates does not import what that needs.
"""

from collections.abc import Mapping
from typing import Protocol, cast

from aloi.client.protocol import Client
from aloi.plugins import module
from aloi.settings import Settings

__all__ = ["Client", "connect", "saved_token"]


class _Local(Protocol):
    async def open_local(self, settings: Settings, environ: Mapping[str, str]) -> Client: ...


class _Http(Protocol):
    def open_http(self, server: str, token: str | None) -> Client: ...


class _Credentials(Protocol):
    def token_of(self, settings: Settings) -> str | None: ...


async def connect(settings: Settings, environ: Mapping[str, str]) -> Client:
    """A client of the server that the settings name, else one that works in this process; close it when done.

    Args:
        settings: what the operator set.
        environ: the environment, for keys that model specs name.

    Raises:
        StoreUnavailable: the database cannot be opened.
        InvalidInput: the server's address is none, or the saved token cannot be read.
    """
    if settings.server is not None:
        return cast(_Http, module("aloi.client.http")).open_http(settings.server, saved_token(settings))
    return await cast(_Local, module("aloi.client.local")).open_local(settings, environ)


def saved_token(settings: Settings) -> str | None:
    """The key that the operator set, else what `aloi login` saved.

    Raises:
        InvalidInput: what it saved cannot be read.
    """
    return cast(_Credentials, module("aloi.client.credentials")).token_of(settings)
