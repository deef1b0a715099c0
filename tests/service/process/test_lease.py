"""Whether a process is alive, and which one it was."""

import os
import subprocess
import sys

from aloi.core.errors import Conflict
from aloi.service.process.lease import Lost, is_dead, new_owner, this_process


def test_this_process_is_alive() -> None:
    assert is_dead(this_process()) is False


def test_a_process_that_ended_is_dead() -> None:
    script = "from aloi.service.process.lease import this_process; print(this_process())"
    owner = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()
    assert is_dead(owner)


def test_a_number_that_is_used_again_is_another_process() -> None:
    host, pid, start = this_process().rsplit(":", 2)
    assert int(pid) == os.getpid()
    assert is_dead(f"{host}:{pid}:{int(start) + 1}")


def test_nothing_is_known_of_another_host() -> None:
    assert is_dead("elsewhere.example:1:1") is None


def test_two_holders_of_one_process_are_told_apart() -> None:
    one, two = new_owner(), new_owner()
    assert one != two
    assert is_dead(one) is False
    host, pid, start = this_process().rsplit(":", 2)
    assert is_dead(f"{host}:{pid}:{int(start) + 1}/{one.partition('/')[2]}")


def test_of_a_name_that_is_none_of_ours_nothing_is_known() -> None:
    for owner in ("", "somebody", "a:b", f"{this_process().split(':')[0]}:x:y"):
        assert is_dead(owner) is None


def test_a_lost_lease_names_the_run_and_is_a_conflict() -> None:
    assert "run 0123 was taken over" in str(Lost("0123"))
    assert issubclass(Lost, Conflict)
