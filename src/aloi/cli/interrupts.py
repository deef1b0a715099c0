"""Ctrl-C and SIGTERM while a run is going on: the first asks for an end, the second is one."""

import asyncio
import os
import signal
import sys
from contextlib import suppress
from types import TracebackType

SIGNALS = (signal.SIGINT, signal.SIGTERM)
SHOW_CURSOR = b"\x1b[?25h\n"


class Interrupts:
    """While it is entered, the first signal sets `asked`; the second ends the process at once.

    What is committed is safe either way: a later `aloi runs resume` goes on from there.
    """

    def __init__(self) -> None:
        self.asked = False

    def __enter__(self) -> "Interrupts":
        for sign in SIGNALS:
            # Windows' loop has no signal handlers; there Ctrl-C cancels the work, and closing the client the run.
            with suppress(NotImplementedError):
                asyncio.get_running_loop().add_signal_handler(sign, self._interrupt, sign)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for sign in SIGNALS:
            with suppress(NotImplementedError):
                asyncio.get_running_loop().remove_signal_handler(sign)

    def _interrupt(self, sign: signal.Signals) -> None:
        if self.asked:
            _end_at_once(128 + sign)
        self.asked = True


def _end_at_once(code: int) -> None:
    """End the process without any goodbye; only the cursor, which a progress bar hides, is given back."""
    if sys.stderr.isatty():
        os.write(sys.stderr.fileno(), SHOW_CURSOR)
    os._exit(code)
