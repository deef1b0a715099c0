"""What reading a file of cases gives."""

from collections.abc import Iterator
from typing import NamedTuple

from aloi.core.case import Case


class CasesFile(NamedTuple):
    """The cases of a file, in its order, and the columns that no case field takes.

    `cases` reads as it goes, once: a fault in a later line is raised when that line is reached, so a caller that wants
    all or nothing stores them in one transaction.
    """

    cases: Iterator[Case]
    unknown_columns: tuple[str, ...] = ()
