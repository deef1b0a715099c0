"""The one door to Aloi: a `Client`. The command line and the SDK know nothing behind it.

`connect` gives an `HttpClient` where the settings name a server, else a `LocalClient`, which works in this process over
the service layer. Both pass the same contract suite. `administer` does the same for targets, members and keys.
"""

from collections.abc import Mapping
from typing import Protocol, cast

from aloi.client.administration import Administration
from aloi.client.protocol import Client
from aloi.plugins import module
from aloi.settings import Settings

__all__ = ["Administration", "Client", "administer", "connect"]


class _Local(Protocol):
    async def open_local(self, settings: Settings, environ: Mapping[str, str]) -> Client: ...


class _LocalAdministration(Protocol):
    async def open_local_administration(self, settings: Settings, environ: Mapping[str, str]) -> Administration: ...


class _Http(Protocol):
    def open_http(self, server: str, token: str | None) -> Client: ...


class _HttpAdministration(Protocol):
    def open_http_administration(self, server: str, token: str | None) -> Administration: ...


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
        return cast(_Http, module("aloi.client.http")).open_http(settings.server, _token(settings))
    return await cast(_Local, module("aloi.client.local")).open_local(settings, environ)


async def administer(settings: Settings, environ: Mapping[str, str]) -> Administration:
    """As `connect`, for targets, members and keys."""
    if settings.server is not None:
        http = cast(_HttpAdministration, module("aloi.client.http_administration"))
        return http.open_http_administration(settings.server, _token(settings))
    local = cast(_LocalAdministration, module("aloi.client.local_administration"))
    return await local.open_local_administration(settings, environ)


def _token(settings: Settings) -> str | None:
    """The key that the operator set, else what `aloi login` saved."""
    return cast(_Credentials, module("aloi.client.credentials")).token_of(settings)
