"""What every tool's test needs: a context with a fresh workspace and a clock that stands."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from aloi.core.tool import ToolContext
from tests.tools.site import Site

NOW = datetime(2026, 3, 28, 12, 0, 0, tzinfo=UTC)  # a Saturday, the day before clocks go forward in Europe


@pytest.fixture
def ctx(tmp_path: Path) -> ToolContext:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    return ToolContext(workspace=str(workspace), now=lambda: NOW)


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    site = Site()
    app = web.Application()
    app.router.add_get("/{path:.*}", site.answer)
    async with TestServer(app, host="127.0.0.1") as server:
        assert server.port is not None
        site.port = server.port
        yield site
        site.free.set()
