"""The tree of commands: names and one line of help for each; a command's module is imported when it is called."""

from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from aloi.core.loading import module


class Globals(NamedTuple):
    """The options before the command: the data folder, and the server; null leaves the environment's."""

    home: str | None = None
    server: str | None = None


class Entry(NamedTuple):
    """One command: where it is defined (a function, or a `typer.Typer` for a group), and its line of help."""

    module: str
    attribute: str
    help: str


COMMANDS = {
    "serve": Entry("aloi.cli.serve", "serve_command", "Serve the web UI and the REST API."),
    "run": Entry("aloi.cli.run", "run_command", "Evaluate a target as a suite file says, and report."),
    "runs": Entry("aloi.cli.runs", "app", "List, show, resume, retry, export runs, and more."),
    "compare": Entry("aloi.cli.compare", "compare_command", "Compare two runs: is B better than A?"),
    "calibration": Entry("aloi.cli.calibration", "calibration_command", "Show how far the judges can be trusted."),
    "datasets": Entry("aloi.cli.datasets", "app", "Import, list and export datasets."),
    "attachments": Entry("aloi.cli.attachments", "app", "List, add and delete the files of cases."),
    "evaluators": Entry("aloi.cli.evaluators", "app", "Show the kinds of evaluators with their parameters."),
    "targets": Entry("aloi.cli.targets", "app", "List, show, save, activate and try targets."),
    "executions": Entry("aloi.cli.executions", "app", "List and answer executions; make cases of them."),
    "schedules": Entry("aloi.cli.schedules", "app", "List, show, create, pause, resume and delete schedules."),
    "online": Entry("aloi.cli.online", "app", "List, show, make and switch rules that grade production."),
    "gate": Entry("aloi.cli.gate", "app", "Check, show and set what a version must reach."),
    "grade": Entry("aloi.cli.grade", "grade_command", "Score one output with one evaluator; nothing is stored."),
    "users": Entry("aloi.cli.users", "app", "List, add and remove members, and change their roles."),
    "api-keys": Entry("aloi.cli.api_keys", "app", "List, make and revoke keys for programs."),
    "login": Entry("aloi.cli.login", "login_command", "Sign in to a server, for the commands that follow."),
    "logout": Entry("aloi.cli.login", "logout_command", "Sign out of a server."),
    "schema": Entry("aloi.cli.schema", "app", "Print JSON schemas for editors."),
    "demo": Entry("aloi.cli.demo", "demo_command", "Evaluate a small model on this machine; no key needed."),
}


class CommandTree(TyperGroup):
    """A group whose help shows entries alone, so that it imports nothing of the commands."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, entry in COMMANDS.items():
            self.add_command(TyperCommand(name, help=entry.help), name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that was called, in place of its entry."""
        name, command, rest = super().resolve_command(ctx, args)
        entry = COMMANDS.get(name or "")
        return name, command if entry is None else load_command(entry), rest


def load_command(entry: Entry) -> Any:
    """The command that an entry stands for; imports its module."""
    found: Any = getattr(module(entry.module), entry.attribute)
    if isinstance(found, typer.Typer):
        return get_command(found)
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command()(found)
    return get_command(single)


def subcommands(about: str) -> typer.Typer:
    """A group of commands that shows its help when it is called alone."""
    return typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, help=about)
