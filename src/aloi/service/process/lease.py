"""Who works on a run: one process at a time, known by its host, its number and when it started."""

import os
import secrets
import socket
from datetime import timedelta
from pathlib import Path

from aloi.core.errors import Conflict

# Longer than a process may be kept from renewing by its own largest write; on one host nobody waits for its end.
LEASE = timedelta(seconds=60)
RENEW_SECONDS = 5.0


class Lost(Conflict):
    """The lease was taken by another process, or the run was deleted: whoever worked on it must stop."""

    def __init__(self, run_id: str) -> None:
        super().__init__(f"run {run_id} was taken over by another process, or deleted; this one stopped working on it")


def new_owner() -> str:
    """A name for one holder of leases in this process: `host:pid:start/nonce`. Two in one process are told apart."""
    return f"{this_process()}/{secrets.token_hex(4)}"


def this_process() -> str:
    """The name of this process, different after every restart: `host:pid:start`."""
    return f"{socket.gethostname()}:{os.getpid()}:{_start_of(os.getpid())}"


def is_dead(owner: str) -> bool | None:
    """Whether an owner is gone; null where that is not known: of other hosts only the end of a lease tells."""
    process = owner.partition("/")[0]
    host, _, pid_text = process.rpartition(":")[0].rpartition(":")
    if host != socket.gethostname() or not pid_text.isdecimal():
        return None
    pid, start = int(pid_text), process.rpartition(":")[2]
    return not _alive(pid) or _start_of(pid) != start


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not _is_zombie(pid)


def _stat(pid: int) -> list[str]:
    """The fields of Linux's process table behind the command's name; empty where there is no such table."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()


def _is_zombie(pid: int) -> bool:
    fields = _stat(pid)
    return bool(fields) and fields[0] == "Z"


def _start_of(pid: int) -> str:
    """When a process started, in clock ticks since boot: a number that is used again is told apart by it."""
    fields = _stat(pid)
    return fields[19] if len(fields) > 19 else "0"
