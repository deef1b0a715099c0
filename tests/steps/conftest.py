"""What the tests of steps share."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.llm.models import Models
from tests.steps.step_calls import ENVIRON, StepCalls, at_once


@pytest.fixture
async def calls(tmp_path: Path) -> AsyncIterator[StepCalls]:
    """Runs single steps, without the waits between attempts."""
    models = Models(ENVIRON, sleep=at_once)
    yield StepCalls(models, workspace=str(tmp_path))
    await models.close()
