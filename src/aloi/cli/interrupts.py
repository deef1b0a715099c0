"""Ctrl-C and SIGTERM while a run is going on: the first asks for an end, the second is one."""

import os
import signal
import sys
from types import FrameType, TracebackType

SIGNALS = (signal.SIGINT, signal.SIGTERM)
SHOW_CURSOR = b"\x1b[?25h\n"


class Interrupts:
    """While it is entered, the first signal sets `asked`; the second ends the process at once.

    What is committed is safe either way: a later `aloi runs resume` goes on from there. The handlers are the process's,
    not the event loop's: a target that blocks the loop must not make Ctrl-C useless.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before = {sign: signal.getsignal(sign) for sign in SIGNALS}

    def __enter__(self) -> "Interrupts":
        for sign in SIGNALS:
            signal.signal(sign, self._interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for sign, before in self._before.items():
            signal.signal(sign, before)

    def _interrupt(self, sign: int, frame: FrameType | None) -> None:
        if self.asked:
            _end_at_once(128 + sign)
        self.asked = True


def _end_at_once(code: int) -> None:
    """End the process without any goodbye; only the cursor, which a progress bar hides, is given back."""
    if sys.stderr.isatty():
        os.write(sys.stderr.fileno(), SHOW_CURSOR)
    os._exit(code)
