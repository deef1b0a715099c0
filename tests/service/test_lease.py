"""Whether a process is alive, and which one it was."""

import os
import subprocess
import sys

from aloi.service.lease import is_dead, this_process


def test_this_process_is_alive() -> None:
    assert not is_dead(this_process())


def test_a_process_that_ended_is_dead() -> None:
    script = "from aloi.service.lease import this_process; print(this_process())"
    owner = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()
    assert is_dead(owner)


def test_a_number_that_is_used_again_is_another_process() -> None:
    host, pid, start = this_process().rsplit(":", 2)
    assert int(pid) == os.getpid()
    assert is_dead(f"{host}:{pid}:{int(start) + 1}")


def test_nothing_is_known_of_another_host() -> None:
    assert not is_dead("elsewhere.example:1:1")
