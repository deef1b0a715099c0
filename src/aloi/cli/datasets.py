"""`aloi datasets`: import, list, export."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from aloi.cli.door import carry_out, opened
from aloi.cli.figures import when
from aloi.cli.outputs import STDOUT, Outputs, open_text
from aloi.cli.tables import table
from aloi.cli.terminal import one_line, plain, terminal, write_data
from aloi.cli.tree import subcommands
from aloi.core.listing import DatasetEntry, Saved
from aloi.core.wording import count
from aloi.sdk import export_cases, import_file, unknown_columns_text

app = subcommands("Import, list and export datasets.")


class Format(StrEnum):
    """Files that cases are exported to."""

    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"


ENDINGS = {".csv": Format.CSV, ".json": Format.JSON, ".jsonl": Format.JSONL, ".ndjson": Format.JSONL}


@app.command("import")
def import_command(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A .csv, .json or .jsonl file.")],
    name: Annotated[str | None, typer.Option(help="The dataset's name; default the file's.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Remove the cases that the file does not hold.")] = False,
) -> None:
    """Take the cases of a file into a dataset: matched by key, all or nothing."""
    saved = carry_out(_imported(context, name or file.stem, file, replace))
    shown = terminal()
    was = f" (before: {saved.before})" if saved.before else ""
    text = f"{saved.dataset_name}: {count(saved.given, 'case')} taken in, {saved.after} in the dataset now{was}"
    shown.report.print(plain(text), soft_wrap=True)
    if saved.unknown_columns:
        shown.note(f"Not taken in, for no such field is known: {unknown_columns_text(saved.unknown_columns)}")


async def _imported(context: typer.Context, name: str, file: Path, replace: bool) -> Saved:
    async with opened(context) as client:
        return await import_file(client, name, file, replace)


@app.command("list")
def list_command(context: typer.Context) -> None:
    """List all datasets, newest first."""
    entries = carry_out(_entries(context))
    report = terminal().report
    if not entries:
        report.print("There is no dataset yet: aloi datasets import FILE")
        return
    shown = table("Dataset", "Cases", "Judge samples", "Changed")
    for entry in entries:
        shown.add_row(
            Text(one_line(entry.name, 60)), f"{entry.case_count:,}", str(entry.judge_samples), when(entry.updated_at)
        )
    report.print(shown)


async def _entries(context: typer.Context) -> list[DatasetEntry]:
    async with opened(context) as client:
        return await client.datasets()


@app.command("export")
def export_command(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The dataset's name or id.")],
    form: Annotated[Format | None, typer.Option("--format", help="Default: the file's ending, else csv.")] = None,
    output: Annotated[str, typer.Option("--output", "-o", help="A file; `-` is the standard output.")] = STDOUT,
) -> None:
    """Write the cases of a dataset, as import takes them."""
    chosen = form or ENDINGS.get(Path(output).suffix.lower(), Format.CSV)
    Outputs((("output", output),)).check()
    carry_out(_exported(context, name, chosen, output))


async def _exported(context: typer.Context, name: str, form: Format, output: str) -> None:
    async with opened(context) as client:
        if output == STDOUT:
            async for piece in export_cases(client, name, form.value):
                write_data(piece)
            return
        # The name is looked up before the file is made: a wrong one leaves no empty file behind.
        await client.dataset(name)
        with open_text(output) as file:
            async for piece in export_cases(client, name, form.value):
                file.write(piece)
