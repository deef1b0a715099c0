"""What the tests of targets share."""

from collections.abc import AsyncIterator

import pytest

from aloi.llm.models import Models
from tests.model_server import ModelServer
from tests.targets.flows import ENVIRON, Flows, at_once


@pytest.fixture
async def flows(model_server: ModelServer) -> AsyncIterator[Flows]:
    """Runs workflows against the model server, without the waits between attempts."""
    models = Models(ENVIRON, sleep=at_once)
    yield Flows(model_server, models)
    await models.close()
