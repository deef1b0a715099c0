"""The values of independent libraries and published tables that the statistics must agree with."""

import json
from pathlib import Path
from typing import Any

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[2] / "golden" / "stats.json").read_text("utf-8"))
TOLERANCE: float = GOLDEN["meta"]["tolerance"]


def section(name: str) -> Any:
    """Return one section of the file."""
    return GOLDEN[name]


def rows(name: str) -> list[dict[str, Any]]:
    """Return the cases of one section."""
    found = GOLDEN[name]
    return found["cases"] if isinstance(found, dict) else found
