"""No section of the golden file may stay unread."""

import re
from pathlib import Path

from tests.core.statistics.golden import GOLDEN

READ_ELSEWHERE = {"meta", "gate", "display"}


def test_every_section_is_read_by_a_test_of_this_folder() -> None:
    sources = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    read = set(re.findall(r'(?:section|rows)\("(\w+)"\)', sources))
    assert read == set(GOLDEN) - READ_ELSEWHERE
