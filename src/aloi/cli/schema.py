"""`aloi schema`: JSON schemas for editors."""

import json
from collections.abc import Callable
from typing import Annotated

import typer

from aloi.cli.outputs import STDOUT, Outputs, open_text
from aloi.cli.terminal import write_data
from aloi.cli.tree import subcommands
from aloi.core.spec import JsonObject
from aloi.sdk import suite_schema, target_schema

app = subcommands("Print JSON schemas for editors.")
Output = Annotated[str, typer.Option("--output", "-o", help="A file; `-` is the standard output.")]


@app.callback()
def schema() -> None:
    """Print JSON schemas for editors."""


@app.command("suite")
def suite_command(output: Output = STDOUT) -> None:
    """Print the JSON schema of suite files.

    With the schema in suite.schema.json beside a suite, this first line gives an editor its fields and docs:
    # yaml-language-server: $schema=suite.schema.json
    """
    _print(suite_schema, output)


@app.command("target")
def target_command(
    kind: Annotated[str, typer.Argument(help="A kind of target, e.g. workflow.")], output: Output = STDOUT
) -> None:
    """Print the JSON schema of the definition of a kind of target, e.g. of a workflow file.

    With the schema in workflow.schema.json beside the file, this first line gives an editor its fields and docs:
    # yaml-language-server: $schema=workflow.schema.json
    """
    _print(lambda: target_schema(kind), output)


def _print(schema: Callable[[], JsonObject], output: str) -> None:
    Outputs((("output", output),)).check()
    text = json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
    if output == STDOUT:
        write_data(text)
        return
    with open_text(output) as file:
        file.write(text)
