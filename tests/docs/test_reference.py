"""The reference pages are what the code says."""

import subprocess
import sys

from tests.docs.pages import ROOT


def test_the_reference_is_up_to_date() -> None:
    """If not: `python docs/generate.py`."""
    command = [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
