"""`aloi schema`: JSON schemas for editors."""

import json
from typing import Annotated

import typer

from aloi.cli.outputs import STDOUT, Outputs, open_text
from aloi.cli.terminal import write_data
from aloi.cli.tree import subcommands
from aloi.sdk import suite_schema

app = subcommands("Print JSON schemas for editors.")


@app.callback()
def schema() -> None:
    """Print JSON schemas for editors."""


@app.command("suite")
def suite_command(
    output: Annotated[str, typer.Option("--output", "-o", help="A file; `-` is the standard output.")] = STDOUT,
) -> None:
    """Print the JSON schema of suite files.

    With the schema in suite.schema.json beside a suite, this first line gives an editor its fields and docs:
    # yaml-language-server: $schema=suite.schema.json
    """
    Outputs((("output", output),)).check()
    text = json.dumps(suite_schema(), indent=2, ensure_ascii=False) + "\n"
    if output == STDOUT:
        write_data(text)
        return
    with open_text(output) as file:
        file.write(text)
