"""A context over a fresh database, with a target that the test scripts."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.service.context import Context
from aloi.settings import Settings


@pytest.fixture
async def context(tmp_path: Path) -> AsyncIterator[Context]:
    """An open context; its runs are interrupted at the end."""
    opened = await Context.open(Settings(home=tmp_path), {})
    yield opened
    await opened.close()
