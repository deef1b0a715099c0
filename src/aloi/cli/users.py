"""`aloi users`: who may sign in, and what they may do."""

from typing import Annotated

import typer
from rich.text import Text

from aloi.cli.administered import administered
from aloi.cli.door import carry_out, sign_in_address
from aloi.cli.figures import when
from aloi.cli.given import given_password
from aloi.cli.options import RoleOption
from aloi.cli.tables import table, tell_pages
from aloi.cli.terminal import one_line, plain, terminal
from aloi.cli.tree import subcommands
from aloi.core.access import Grants, Member, NewMember, Role
from aloi.core.listing import Page
from aloi.core.wording import count

app = subcommands("List, add and remove the members of the workspace, and change their roles.")
TargetsOption = Annotated[
    list[str] | None,
    typer.Option("--target", metavar="NAME", help="A target that they shall see, by name or id; repeatable."),
]
Email = Annotated[str, typer.Argument(metavar="EMAIL", help="The member's email.")]


@app.command("list")
def list_command(
    context: typer.Context,
    page: Annotated[int, typer.Option(min=1, help="Which page.")] = 1,
    size: Annotated[int, typer.Option(min=1, max=200, help="Members on a page.")] = 50,
) -> None:
    """List the members."""
    found = carry_out(_listed(context, page, size))
    report = terminal().report
    if not found.items:
        report.print("There is no member yet: aloi users add EMAIL --role owner")
        return
    shown = table("Email", "Role", "Targets", "Password", "Last seen", whole=("Role",))
    for member in found.items:
        seen = when(member.last_seen_at) if member.last_seen_at else "never"
        targets = "all" if member.granted is None else str(member.granted)
        password = "yes" if member.has_password else "no"
        shown.add_row(Text(one_line(member.email)), member.role.value, targets, password, seen)
    report.print(shown)
    tell_pages(found, "members")


async def _listed(context: typer.Context, page: int, size: int) -> Page[Member]:
    async with administered(context) as client:
        return await client.members(page, size)


@app.command("add")
def add_command(
    context: typer.Context,
    email: Email,
    role: RoleOption = Role.EDITOR,
    password: Annotated[
        bool, typer.Option("--password", help="Ask for a password; from a pipe it is the first line.")
    ] = False,
    target: TargetsOption = None,
    nothing: Annotated[bool, typer.Option("--none", help="Let them see no target yet.")] = False,
) -> None:
    """Add a member. Without --password they sign in by a link that works once, and may set a password then.

    With --target they see those targets alone; see `aloi users grants`.
    """
    if target and nothing:
        raise typer.BadParameter("give --target, or --none")
    targets = target or ([] if nothing else None)
    _told(context, carry_out(_added(context, email, role, given_password(anew=True) if password else None, targets)))


async def _added(
    context: typer.Context, email: str, role: Role, password: str | None, targets: list[str] | None
) -> NewMember:
    async with administered(context) as client:
        return await client.add_member(email, role, password, targets)


def _told(context: typer.Context, added: NewMember) -> None:
    granted = added.member.granted
    seeing = "" if granted is None else f", and sees {count(granted, 'target') if granted else 'no target'}"
    print(plain(f"{added.member.email} is a member, with the role {added.member.role}{seeing}."))
    if added.link is not None:
        print(f"Sign in, once, within 30 minutes: {sign_in_address(context, added.link)}")


@app.command("link")
def link_command(context: typer.Context, email: Email) -> None:
    """Make a fresh link that signs a member in once."""
    _told(context, carry_out(_linked(context, email)))


async def _linked(context: typer.Context, email: str) -> NewMember:
    async with administered(context) as client:
        return await client.sign_in_link(email)


@app.command("role")
def role_command(
    context: typer.Context, email: Email, role: Annotated[Role, typer.Argument(help="The new role.")]
) -> None:
    """Give a member another role."""
    member = carry_out(_changed(context, email, role))
    print(plain(f"{member.email} has the role {member.role} now."))


async def _changed(context: typer.Context, email: str, role: Role) -> Member:
    async with administered(context) as client:
        return await client.set_role(email, role)


@app.command("grants")
def grants_command(
    context: typer.Context,
    email: Email,
    target: TargetsOption = None,
    everything: Annotated[bool, typer.Option("--all", help="Let them see all targets, and those to come.")] = False,
    nothing: Annotated[bool, typer.Option("--none", help="Let them see no target.")] = False,
) -> None:
    """Tell, or set, which targets a member sees. What is given replaces what they had.

    Who is narrowed to some targets sees those and what is of no target, changes only what is theirs, and makes no
    targets. Owners see everything.
    """
    if bool(target) + everything + nothing > 1:
        raise typer.BadParameter("give --target, or --all, or --none")
    changes = bool(target) or everything or nothing
    found = carry_out(_grants(context, email, None if everything else target or [], changes))
    print(plain(_seen(email, found)))


async def _grants(context: typer.Context, email: str, targets: list[str] | None, changes: bool) -> Grants:
    async with administered(context) as client:
        return await (client.set_grants(email, targets) if changes else client.grants(email))


def _seen(email: str, grants: Grants) -> str:
    if grants.targets is None:
        return f"{email} sees all targets."
    if not grants.targets:
        return f"{email} sees no target."
    names = "\n".join(f"  {one_line(target.name)}" for target in grants.targets)
    return f"{email} sees {count(len(grants.targets), 'target')}:\n{names}"


@app.command("remove")
def remove_command(context: typer.Context, email: Email) -> None:
    """Remove a member; they are signed out at once."""
    carry_out(_removed(context, email))
    print(plain(f"{email} is no member any more."))


async def _removed(context: typer.Context, email: str) -> None:
    async with administered(context) as client:
        await client.remove_member(email)
