"""Evaluating an agent whose tools are simulated, from Python."""

from typing import Any

import pytest

import aloi
from aloi.core.errors import InvalidInput
from tests.model_server import ModelServer
from tests.sdk.test_evaluate import CASES, OK, answer


class TestSimulations:
    WRITE = 'tool-once:file_ops:{"action": "write", "path": "a", "content": "b"}'
    FIXED = {"file_ops": {"kind": "static", "answers": [{"output": {"bytes": 7}}]}}

    def agent(self, server: ModelServer) -> dict[str, Any]:
        model = {"model": f"openai:{self.WRITE}", "base_url": server.url}
        return {"kind": "agent", **model, "tools": ["file_ops"], "side_effects": ["file_ops"]}

    async def test_a_tool_is_simulated(self, model_server: ModelServer) -> None:
        report = await aloi.evaluate(
            self.agent(model_server), CASES, evaluators=[{"kind": "contains", "text": "7"}], simulations=self.FIXED
        )
        assert report.summary.passed == 4

    async def test_a_side_effect_is_simulated_or_allowed(self, model_server: ModelServer) -> None:
        answered = [{"kind": "contains", "text": "answer"}]
        with pytest.raises(InvalidInput, match="what changes the world is not simulated: file_ops"):
            await aloi.evaluate(self.agent(model_server), CASES, evaluators=answered)
        report = await aloi.evaluate(self.agent(model_server), CASES, evaluators=answered, allow_side_effects=True)
        assert report.summary.passed == 4

    async def test_the_dataset_has_those_of_the_last_call_alone(self, model_server: ModelServer) -> None:
        await self.test_a_tool_is_simulated(model_server)
        with pytest.raises(InvalidInput, match="is not simulated"):
            await aloi.evaluate(self.agent(model_server), CASES, evaluators=OK)

    async def test_what_is_no_simulation(self) -> None:
        with pytest.raises(InvalidInput, match="a simulation does not fit: lookup: lacks its 'kind'"):
            await aloi.evaluate(answer, CASES, evaluators=OK, simulations={"lookup": {}})
