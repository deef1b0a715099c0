import pytest

from aloi.cli.tree import COMMANDS, load_command, subcommands


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "demo"])
def test_every_entry_stands_for_a_command_with_help(name: str) -> None:
    command = load_command(COMMANDS[name])
    assert command.help


def test_a_group_shows_its_help_when_it_is_called_alone() -> None:
    group = subcommands("Things.")
    assert group.info.help == "Things."
    assert group.info.no_args_is_help is True
