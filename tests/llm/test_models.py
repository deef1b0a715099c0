"""The registry: one client for one spec, one limiter for one endpoint, checks before a run."""

import pytest

from aloi.core.chat import ModelSpec
from aloi.core.errors import InvalidInput, NotPermitted
from aloi.core.keys import KeyPolicy
from aloi.llm.models import Models

LOCAL = ModelSpec(model="openai:m", base_url="http://127.0.0.1:1/v1")


async def test_the_same_spec_has_the_same_client(models: Models) -> None:
    assert models.chat(LOCAL) is models.chat(LOCAL.model_copy())
    assert models.chat(LOCAL) is not models.chat(LOCAL.model_copy(update={"settings": {"seed": 1}}))
    assert models.chat(LOCAL).name == "openai:m"


async def test_one_limiter_for_one_endpoint(models: Models) -> None:
    assert models.limiter("http://a/v1") is models.limiter("http://a/v1")
    assert models.limiter("http://a/v1") is not models.limiter("http://a/v2")


async def test_check_passes_what_can_be_called(models: Models) -> None:
    models.check(LOCAL)
    models.check(LOCAL.model_copy(update={"api_key_env": "SOME_KEY"}))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"api_key_env": "NO_SUCH"}, "NO_SUCH"),
        ({"base_url": None}, "OPENAI_API_KEY"),
        ({"base_url": "nowhere"}, "base_url"),
        ({"settings": {"stream": True}}, "stream"),
    ],
)
async def test_check_names_what_is_missing(models: Models, change: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        models.check(LOCAL.model_copy(update=change))


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OTHER_KEY"])
@pytest.mark.parametrize("value", ["sk-one\nsk-two", "sk-ü", "sk-\x00"])
async def test_check_refuses_a_key_that_cannot_be_sent(name: str, value: str) -> None:
    provider, other = ("openai", name) if name == "OTHER_KEY" else (name.partition("_")[0].lower(), None)
    models = Models({name: value})
    with pytest.raises(InvalidInput, match=f"the key in {name} holds "):
        models.check(ModelSpec(model=f"{provider}:m", api_key_env=other))
    await models.close()


async def test_costs(models: Models) -> None:
    assert models.cost(ModelSpec(model="openai:gpt-4o-mini"), 1_000_000, 0) == pytest.approx(0.15)
    assert models.cost(LOCAL, 1_000_000, 0) is None


async def test_a_provider_that_does_not_exist(models: Models) -> None:
    with pytest.raises(InvalidInput, match="nosuch:model"):
        models.chat(ModelSpec(model="nosuch:model"))


async def test_a_key_that_may_not_be_used_reaches_no_client(models: Models) -> None:
    models.keys = KeyPolicy(frozenset({"SOME_KEY"}))
    elsewhere = {"api_key_env": "SOME_KEY", "base_url": "https://evil.test/v1"}
    for change in ({"api_key_env": "OTHER_KEY"}, elsewhere, {"base_url": None}, {"model": "groq:m", "base_url": None}):
        spec = LOCAL.model_copy(update=change)
        for use in (models.chat, models.agent_model, models.check, models.check_permitted):
            with pytest.raises(NotPermitted, match=r"ALOI_KEY_(NAMES|HOSTS)"):
                use(spec)
    models.check(LOCAL.model_copy(update={"api_key_env": "SOME_KEY"}))
    models.check_permitted(LOCAL.model_copy(update={"base_url": "https://anywhere.test/v1"}))
