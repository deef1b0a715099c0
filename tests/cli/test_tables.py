import io

from aloi.cli.tables import facts, table
from aloi.cli.terminal import console


def test_whole_cells_are_not_broken() -> None:
    shown = table("Id", "Text", whole=("Id",))
    shown.add_row("01a22bad-96b0", "many words " * 20)
    file = io.StringIO()
    console(width=40, file=file).print(shown)
    assert "01a22bad-96b0  many words" in file.getvalue()
    assert max(map(len, file.getvalue().splitlines())) <= 40


def test_facts_hold_no_markup_and_no_commands() -> None:
    file = io.StringIO()
    console(width=40, file=file).print(facts([("Name", "[bold]\x1b[2J")]))
    assert file.getvalue().rstrip() == "Name  [bold]�[2J"
