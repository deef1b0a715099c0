import io

from rich.console import Console

from aloi.cli.progress import Lines, Pace, shown, status
from aloi.core.run import Progress


class Clock:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def at(done: int, total: int = 100) -> Progress:
    return Progress(total=total, passed=done, tokens=done * 10)


def test_status() -> None:
    progress = Progress(total=40, passed=30, failed=3, errors=1, tokens=12_345)
    assert status(progress, 0.5) == "30 pass, 3 fail, 1 error · 0.5/s · 0:12 left · 12.3k tokens"
    assert status(Progress(total=2), None) == "0 pass, 0 fail, 0 errors"


def test_the_pace_leaves_out_what_was_done_before() -> None:
    clock = Clock()
    pace = Pace(clock)
    assert pace.rate(50) is None
    clock.seconds += 2
    assert pace.rate(50) is None
    assert pace.rate(54) == 2.0


def test_lines_are_few() -> None:
    clock, lines = Clock(), list[str]()
    show = Lines(lines.append, clock)
    for tick in range(401):
        show.update(at(tick // 4))
        clock.seconds += 0.25
    assert len(lines) == 10
    assert lines[0].startswith("10/100: 10 pass, 0 fail, 0 errors · 1.0/s · 1:30 left")


def test_a_quick_run_writes_no_line_and_a_stuck_one_says_so() -> None:
    clock, lines = Clock(), list[str]()
    show = Lines(lines.append, clock)
    for done in (0, 50, 100):
        show.update(at(done))
        clock.seconds += 0.25
    assert lines == []
    clock.seconds += 30
    show.update(at(100))
    assert len(lines) == 1


def test_lines_are_what_suits_a_console_that_is_no_terminal() -> None:
    with shown(Console(file=io.StringIO()), 100, Clock()) as show:
        assert isinstance(show, Lines)
