"""A registry of models whose waiting takes no time."""

from collections.abc import AsyncIterator

import pytest

from aloi.llm.models import Models
from tests.llm.waits import Waits


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
async def models(waits: Waits) -> AsyncIterator[Models]:
    registry = Models({"SOME_KEY": "s3cret-value"}, clock=waits.clock, sleep=waits.sleep)
    yield registry
    await registry.close()
