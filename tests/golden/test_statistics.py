"""No section of the golden file of statistics may stay unread."""

import re
from pathlib import Path

from tests.core.statistics.golden import GOLDEN

READ_ELSEWHERE = {"meta", "gate", "display"}


def test_every_section_is_read_by_a_test() -> None:
    sources = "".join(
        path.read_text("utf-8") for path in (Path(__file__).parents[1] / "core" / "statistics").glob("test_*.py")
    )
    read = set(re.findall(r'(?:section|rows)\("(\w+)"\)', sources))
    assert read == set(GOLDEN) - READ_ELSEWHERE
