"""Tables that read well at 80 columns, with or without colours."""

from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from aloi.cli.terminal import plain, terminal
from aloi.core.listing import Page


def table(*columns: str, whole: Sequence[str] = ()) -> Table:
    """An empty table with these column heads; the cells of `whole` columns are never broken."""
    made = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        made.add_column(column, overflow="fold", no_wrap=column in whole)
    return made


def tell_pages(found: Page[Any], things: str, most_counted: int | None = None) -> None:
    """Below a page of a list: that there are others, and how to see them.

    `things`: what the list is of; `most_counted`: a total above it stands for "more than that many".
    """
    if found.pages > 1:
        total = str(found.total)
        if most_counted is not None and found.total > most_counted:
            total = f"more than {most_counted}"
        where = f"Page {found.page} of {found.pages}, {total} {things} in all"
        terminal().report.print(f"\n{where}: --page N shows another.")


def facts(pairs: Sequence[tuple[str, str]]) -> Table:
    """Names with their texts, in two columns without heads."""
    made = Table.grid(padding=(0, 2))
    made.add_column(style="dim", no_wrap=True)
    made.add_column(overflow="fold")
    for name, text in pairs:
        made.add_row(name, Text(plain(text)))
    return made
