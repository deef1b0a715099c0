"""`aloi attachments`: the files of cases."""

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from aloi.cli.door import carry_out, opened
from aloi.cli.figures import when
from aloi.cli.tables import table, tell_pages
from aloi.cli.terminal import one_line, plain, terminal
from aloi.cli.tree import subcommands
from aloi.client.finding import attachment_of
from aloi.core.attachment import Attachment, AttachmentEntry
from aloi.core.listing import Page
from aloi.core.wording import count
from aloi.sdk import add_attachment

app = subcommands("List, add and delete the files of cases.")


@app.command("list")
def list_command(
    context: typer.Context,
    search: Annotated[str, typer.Option(help="A part of the name.")] = "",
    unused: Annotated[bool, typer.Option("--unused", help="Only files to which no case and no run refers.")] = False,
    page: Annotated[int, typer.Option(min=1, help="Which page.")] = 1,
    size: Annotated[int, typer.Option(min=1, max=200, help="Files on a page.")] = 50,
) -> None:
    """List the files, the last that came first."""
    found = carry_out(_listed(context, page, size, search, unused))
    report = terminal().report
    if not found.items:
        report.print(
            "There is no such file." if search or unused else "There is no file yet: aloi attachments add FILE"
        )
        return
    shown = table("File", "Type", "Size", "Used by", "Sent", "Hash", whole=("Hash",))
    for file in found.items:
        uses = f"{count(file.cases, 'case')}, {count(file.runs, 'run')}"
        name = Text(one_line(file.name, 60))
        shown.add_row(name, file.media_type, f"{file.size:,}", uses, when(file.created_at), file.hash[:12])
    report.print(shown)
    tell_pages(found, "files")


async def _listed(context: typer.Context, page: int, size: int, search: str, unused: bool) -> Page[AttachmentEntry]:
    async with opened(context) as client:
        return await client.attachments(page, size, search, unused)


@app.command("add")
def add_command(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Images, PDF or texts; 10 MB each at most.")],
) -> None:
    """Send files, and print what a case says of each: a line of JSON."""
    for file in carry_out(_added(context, files)):
        print(file.model_dump_json())


async def _added(context: typer.Context, files: list[Path]) -> list[Attachment]:
    async with opened(context) as client:
        return [await add_attachment(client, file) for file in files]


@app.command("delete")
def delete_command(
    context: typer.Context,
    file_hash: Annotated[str, typer.Argument(metavar="HASH", help="The file's hash, or the beginning of it.")],
) -> None:
    """Delete a file to which no case and no run refers."""
    name = carry_out(_deleted(context, file_hash.lower()))
    terminal().report.print(plain(f"The file {name} is deleted."), soft_wrap=True)


async def _deleted(context: typer.Context, beginning: str) -> str:
    async with opened(context) as client:
        file = await attachment_of(client, beginning)
        await client.delete_attachment(file.hash)
        return file.name
