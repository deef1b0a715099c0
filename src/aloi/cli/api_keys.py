"""`aloi api-keys`: keys for programs."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from rich.text import Text

from aloi.cli.administered import administered
from aloi.cli.door import carry_out
from aloi.cli.figures import when
from aloi.cli.options import RoleOption
from aloi.cli.tables import table, tell_pages
from aloi.cli.terminal import one_line, terminal
from aloi.cli.tree import subcommands
from aloi.core.access import ApiKey, NewApiKey, Role
from aloi.core.listing import Page

app = subcommands("List, make and revoke keys for programs.")


@app.command("list")
def list_command(
    context: typer.Context,
    page: Annotated[int, typer.Option(min=1, help="Which page.")] = 1,
    size: Annotated[int, typer.Option(min=1, max=200, help="Keys on a page.")] = 50,
) -> None:
    """List the keys; their secrets cannot be read again."""
    found = carry_out(_listed(context, page, size))
    report = terminal().report
    if not found.items:
        report.print("There is no key yet: aloi api-keys create NAME --role editor")
        return
    shown = table("Name", "Key", "Role", "Made by", "Expires", "Last used", whole=("Key", "Role"))
    for key in found.items:
        expires = when(key.expires_at) if key.expires_at else "never"
        used = when(key.last_used_at) if key.last_used_at else "never"
        names = Text(one_line(key.name, 60)), f"{key.prefix}…", key.role.value, Text(one_line(key.created_by, 60))
        shown.add_row(*names, expires, used)
    report.print(shown)
    tell_pages(found, "keys")


async def _listed(context: typer.Context, page: int, size: int) -> Page[ApiKey]:
    async with administered(context) as client:
        return await client.api_keys(page, size)


@app.command("create")
def create_command(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="What it is for, e.g. ci.")],
    role: RoleOption = Role.EDITOR,
    days: Annotated[int | None, typer.Option(min=1, max=36_500, help="Days until it expires; default never.")] = None,
) -> None:
    """Make a key and print it: the only time that it is shown. It works on an empty home too."""
    expires_at = None if days is None else datetime.now(UTC) + timedelta(days=days)
    made = carry_out(_created(context, name, role, expires_at))
    terminal().note(f"The key {made.key.name!r}, with the role {made.key.role}; it is not shown again:")
    print(made.secret)


async def _created(context: typer.Context, name: str, role: Role, expires_at: datetime | None) -> NewApiKey:
    async with administered(context) as client:
        return await client.create_api_key(name, role, expires_at)


@app.command("revoke")
def revoke_command(
    context: typer.Context, name: Annotated[str, typer.Argument(metavar="NAME", help="The key's name or id.")]
) -> None:
    """Revoke a key: it opens nothing from now on."""
    carry_out(_revoked(context, name))
    print(f"The key {name!r} is revoked.")


async def _revoked(context: typer.Context, name: str) -> None:
    async with administered(context) as client:
        await client.revoke_api_key(name)
