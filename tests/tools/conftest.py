"""What every tool's test needs: a context with a fresh workspace and a clock that stands."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from aloi.core.tool import ToolContext

NOW = datetime(2026, 3, 28, 12, 0, 0, tzinfo=UTC)  # a Saturday, the day before clocks go forward in Europe


@pytest.fixture
def ctx(tmp_path: Path) -> ToolContext:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    return ToolContext(workspace=str(workspace), now=lambda: NOW)
