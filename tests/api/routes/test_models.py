"""Which models can be used here, over HTTP."""

from pathlib import Path

import pytest

from aloi.settings import Settings
from tests.api.calls import Caller, RunningServer


@pytest.fixture
def server_settings(tmp_path: Path) -> Settings:
    """A default model at an address that holds a password."""
    return Settings(
        home=tmp_path / "home",
        model="openai:big",
        judge_model="openai:small",
        base_url="https://user:pl4nted-secret@models.example.org:8443/v1?key=pl4nted-secret",
        api_key_env="TEST_KEY",
    )


async def test_defaults_and_providers_without_any_secret(viewer: Caller, server: RunningServer) -> None:
    server.context.environ = {"OPENAI_API_KEY": "pl4nted-secret", "GROQ_API_KEY": " "}
    found = (await viewer.get("/api/models")).body
    address = "https://models.example.org:8443/v1"
    assert found["model"] == {"model": "openai:big", "base_url": address}
    assert found["judge"] == {"model": "openai:small", "base_url": address}
    assert [item["provider"] for item in found["providers"] if item["is_set"]] == ["openai"]
    assert "pl4nted" not in str(found)
