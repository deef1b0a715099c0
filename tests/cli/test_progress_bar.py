import io
import time

from rich.console import Console

from aloi.cli.progress import shown
from aloi.cli.progress_bar import BarShow
from aloi.core.run import Progress


def test_a_terminal_shows_a_bar() -> None:
    drawn = io.StringIO()
    terminal = Console(file=drawn, force_terminal=True, width=80, legacy_windows=False)
    with shown(terminal, 100, time.monotonic) as show:
        assert isinstance(show, BarShow)
        show.update(Progress(total=100, passed=25))
    assert "25/100" in drawn.getvalue()
    assert "25 pass, 0 fail" in drawn.getvalue()
