"""The progress of a run as a bar on a terminal."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar

from aloi.cli.progress import Pace, Show, done_of, status
from aloi.core.run import Progress


class BarShow:
    """A bar that is drawn anew at each update, and goes when the run ends."""

    def __init__(self, bar: Bar, total: int, now: Callable[[], float]) -> None:
        self.bar = bar
        self.pace = Pace(now)
        self.task = bar.add_task("", total=total, status="starting")

    def update(self, progress: Progress) -> None:
        """Draw the bar."""
        done = done_of(progress)
        said = status(progress, self.pace.rate(done))
        self.bar.update(self.task, completed=done, total=progress.total, status=said)
        self.bar.refresh()


@contextmanager
def drawn(console: Console, total: int, now: Callable[[], float]) -> Generator[Show]:
    """A bar on the console, for a run of so many results."""
    columns = (BarColumn(bar_width=None), MofNCompleteColumn(), TextColumn("{task.fields[status]}", markup=False))
    # Drawn by hand: the run's own loop needs the time that a drawing thread would take.
    with Bar(*columns, console=console, expand=True, transient=True, auto_refresh=False) as bar:
        yield BarShow(bar, total, now)
