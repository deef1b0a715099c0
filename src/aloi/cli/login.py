"""`aloi login` and `aloi logout`: a session at a server, kept for the commands that follow."""

import sys
from typing import Annotated, Protocol, cast

import typer

from aloi.cli.door import carry_out, surroundings
from aloi.cli.given import given_password
from aloi.cli.terminal import plain, terminal
from aloi.core.access import Principal
from aloi.core.errors import InvalidInput
from aloi.plugins import module
from aloi.settings import Settings


class _Session(Protocol):
    async def sign_in(self, settings: Settings, email: str, password: str) -> Principal: ...

    async def sign_in_by_link(self, settings: Settings, token: str) -> Principal: ...

    async def sign_out(self, settings: Settings) -> None: ...


def _session() -> _Session:
    return cast(_Session, module("aloi.client.session"))


def _settings(context: typer.Context, server: str | None) -> Settings:
    settings = surroundings(context).settings
    named = server or settings.server
    if named is None:
        raise InvalidInput("which server? Name it: aloi login https://aloi.example.org")
    return settings.model_copy(update={"server": named})


def login_command(
    context: typer.Context,
    server: Annotated[str | None, typer.Argument(metavar="[URL]", help="The server; default ALOI_SERVER.")] = None,
    email: Annotated[str | None, typer.Option(help="Your email; asked for when it is not given.")] = None,
    link: Annotated[str | None, typer.Option(metavar="LINK", help="A one-time link, instead of a password.")] = None,
) -> None:
    """Sign in to a server. Commands with --server, or with ALOI_SERVER set, are then carried out there, as you.

    The token is kept in the data folder, in a file that you alone can read. From a pipe, the password is its first
    line.
    """
    settings = _settings(context, server)
    if link is not None:
        who = carry_out(_session().sign_in_by_link(settings, link.rpartition("token=")[2]))
    else:
        who = carry_out(_session().sign_in(settings, email or _asked_email(), given_password()))
    print(plain(f"Signed in to {settings.server} as {who.name} ({who.role}, workspace {who.workspace.name})."))
    print(f"Use it: aloi --server {settings.server} runs list, or set ALOI_SERVER.")
    if settings.api_key is not None:
        terminal().note("ALOI_API_KEY is set, and goes before this; unset it to work as who signed in.")


def _asked_email() -> str:
    if not sys.stdin.isatty():
        raise InvalidInput("whose password is it? Name them: --email you@example.org")
    return input("Email: ")


def logout_command(
    context: typer.Context,
    server: Annotated[str | None, typer.Argument(metavar="[URL]", help="The server; default ALOI_SERVER.")] = None,
) -> None:
    """Sign out of a server, and forget its token."""
    settings = _settings(context, server)
    carry_out(_session().sign_out(settings))
    print(f"Signed out of {settings.server}.")
