"""How far a run is, shown while it goes on: a bar on a terminal, a line now and then elsewhere."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from rich.console import Console

from aloi.cli.figures import clock, short_number
from aloi.core.run import Progress
from aloi.core.wording import count
from aloi.plugins import module

BAR = "aloi.cli.progress_bar"  # takes a while to import, and only a terminal shows it
LINE_SECONDS = 5.0
LINE_SHARE = 0.1
SILENCE_SECONDS = 30.0


class Show(Protocol):
    """Shows how far a run is."""

    def update(self, progress: Progress) -> None:
        """Show this, or not yet."""
        ...


class Pace:
    """Results per second since the first look; `now` gives seconds that never run back."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.now = now
        self.start: tuple[float, int] | None = None

    def rate(self, done: int) -> float | None:
        """Results per second, null while there is nothing to measure."""
        if self.start is None:
            self.start = (self.now(), done)
        began, already = self.start
        elapsed = self.now() - began
        return (done - already) / elapsed if elapsed > 0 and done > already else None


def done_of(progress: Progress) -> int:
    """How many results there are."""
    return progress.passed + progress.failed + progress.errors


def status(progress: Progress, rate: float | None) -> str:
    """`30 pass, 3 fail, 1 error · 2.3/s · 0:12 left · 12.3k tokens`."""
    parts = [f"{progress.passed} pass, {progress.failed} fail, {count(progress.errors, 'error')}"]
    if rate is not None:
        parts.append(f"{rate:.1f}/s")
        parts.append(f"{clock((progress.total - done_of(progress)) / rate)} left")
    if progress.tokens:
        parts.append(f"{short_number(progress.tokens)} tokens")
    return " · ".join(parts)


class Lines:
    """Plain lines: at most one every 5 s, and then only after a tenth of the run or half a minute of silence."""

    def __init__(self, write: Callable[[str], None], now: Callable[[], float]) -> None:
        self.write = write
        self.now = now
        self.pace = Pace(now)
        self.last_time = now()
        self.last_done = 0

    def update(self, progress: Progress) -> None:
        """Write a line if one is due."""
        rate = self.pace.rate(done_of(progress))
        if self._due(progress):
            self.last_time, self.last_done = self.now(), done_of(progress)
            self.write(f"{self.last_done}/{progress.total}: {status(progress, rate)}")

    def _due(self, progress: Progress) -> bool:
        elapsed = self.now() - self.last_time
        moved = done_of(progress) - self.last_done >= LINE_SHARE * progress.total
        return (elapsed >= LINE_SECONDS and moved) or elapsed >= SILENCE_SECONDS


def shown(console: Console, total: int, now: Callable[[], float]) -> AbstractContextManager[Show]:
    """What suits the console, for a run of so many results."""
    if not console.is_terminal:
        return nullcontext(Lines(lambda line: console.print(line, soft_wrap=True), now))
    bar: AbstractContextManager[Show] = module(BAR).drawn(console, total, now)
    return bar
