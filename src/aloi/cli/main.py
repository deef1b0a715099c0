"""The program `aloi`: its global options, and what its exit codes mean.

0 all is well; 1 the evaluation or a gate says no, or a run was cancelled; 2 wrong usage or input; 3 the system failed;
130 ended at once by a second Ctrl-C.
"""

import gc
import os
import sys
from typing import Annotated

import typer
from typer.main import get_command

from aloi import __version__
from aloi.cli.faults import tell
from aloi.cli.streams import prepare_streams, settle_streams
from aloi.cli.tree import CommandTree, Globals

# Plain help: importing the rich one would take as long as all the rest.
app = typer.Typer(name="aloi", cls=CommandTree, no_args_is_help=True, rich_markup_mode=None)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"aloi {__version__}")
        raise typer.Exit


@app.callback()
def aloi(
    context: typer.Context,
    home: Annotated[
        str | None, typer.Option(help="Data folder (ALOI_HOME); default the platform's user data folder.")
    ] = None,
    server: Annotated[
        str | None, typer.Option(metavar="URL", help="Work with this Aloi server (ALOI_SERVER); see aloi login.")
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Evaluate AI agents and workflows: run cases, grade, compare, gate.

    Exit codes: 0 all is well · 1 the evaluation or a gate says no, or the run was cancelled · 2 wrong usage or input ·
    3 the system failed.
    """
    context.obj = Globals(home, server)


def main() -> None:
    """Run the command line of this process, and exit."""
    prepare_streams()
    # Plugins for the data models of other packages are not ours, and looking for them takes time at each start.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Importing makes many objects and no garbage; `carry_out` turns the collector on again.
    gc.disable()
    try:
        get_command(app).main(args=sys.argv[1:], prog_name="aloi")
    except Exception as error:
        sys.exit(tell(error))
    finally:
        settle_streams()
