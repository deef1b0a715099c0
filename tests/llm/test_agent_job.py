"""What an agent is asked is checked where it is written."""

import pytest
from pydantic import ValidationError

from aloi.llm.agent_job import AgentLimits, McpServer


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": "shop"}, "needs either a url or a command"),
        ({"name": "shop", "url": "http://x", "command": "y"}, "needs either a url or a command"),
        ({"name": "two words", "url": "http://x"}, "name"),
    ],
)
def test_a_server_is_reached_in_one_way(fields: dict[str, str], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        McpServer.model_validate(fields)


@pytest.mark.parametrize("fields", [{"steps": 0}, {"tokens": 0}, {"seconds": 0}])
def test_a_limit_lets_something_happen(fields: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        AgentLimits.model_validate(fields)
