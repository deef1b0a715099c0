"""Signing in to a server and out of it; the token is kept for later clients."""

from contextlib import suppress
from types import NoneType

from aloi.client.credentials import save_token, token_for
from aloi.client.wire import Wire
from aloi.core.access import Principal, SignIn
from aloi.core.errors import NotSignedIn
from aloi.settings import Settings


async def sign_in(settings: Settings, email: str, password: str) -> Principal:
    """Sign in to the server that the settings name; who that is there.

    Raises:
        NotSignedIn: the email or the password is not right.
        TooMany: it was tried too often.
        ServerUnavailable: the server gives no answer.
        InvalidInput: its address is none, or the token cannot be kept.
    """
    return await _begin(settings, "/api/auth/login", {"email": email, "password": password})


async def sign_in_by_link(settings: Settings, token: str) -> Principal:
    """As `sign_in`, by the token of a one-time link."""
    return await _begin(settings, "/api/auth/link", {"token": token})


async def _begin(settings: Settings, path: str, body: dict[str, str]) -> Principal:
    server = settings.server or ""
    async with Wire(server, None, signing_in=True) as wire:
        signed_in = await wire.post(path, SignIn, body)
    save_token(settings.home, server, signed_in.token)
    return signed_in.principal


async def sign_out(settings: Settings) -> None:
    """End the session at the server, and forget its token even where the server does not know it any more.

    Raises:
        ServerUnavailable: the server gives no answer; the token is forgotten all the same.
        NotSignedIn: nobody is signed in from here.
    """
    server = settings.server or ""
    token = token_for(settings.home, server)
    if token is None:
        raise NotSignedIn(f"nobody is signed in to {server} from here")
    save_token(settings.home, server, None)
    async with Wire(server, token) as wire:
        with suppress(NotSignedIn):
            await wire.post("/api/auth/logout", NoneType)
