"""The process `aloi`, which `python -m aloi.cli` is too: the command line, and a quick end."""

import atexit
import os
import sys

from aloi.cli.main import main
from aloi.cli.streams import settle_streams

# What imports code of others, which may have files open that are only written out when the interpreter frees them.
IMPORTERS = ("aloi.targets.python", "aloi.evaluators.python")


def run() -> None:
    """Run the command line of this process, and end it.

    Threads are waited for, and what is registered for the exit is done, as ever. What the interpreter would do then is
    left out where only our code ran: it frees every object one by one, for longer than a small run takes, and the
    system frees them at once.
    """
    codes: list[int] = []
    atexit.register(_end, codes)  # first, so that it comes last
    try:
        main()
    except SystemExit as end:
        if isinstance(end.code, int):
            codes.append(end.code)
        raise


def _end(codes: list[int]) -> None:
    if codes and not _others_ran():
        settle_streams()
        os._exit(codes[0])


def _others_ran() -> bool:
    plugins = sys.modules.get("aloi.plugins")
    return any(name in sys.modules for name in IMPORTERS) or (plugins is not None and plugins.asked_others())


if __name__ == "__main__":
    run()
