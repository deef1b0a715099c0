"""Models by name, and what is asked of them."""

import pytest
from pydantic import ValidationError

from aloi.core.chat import ChatMessage, ChatReply, ChatRequest, ModelSpec
from aloi.core.usage import NO_USAGE


@pytest.mark.parametrize(
    ("model", "provider", "name"),
    [
        ("openai:gpt-4o-mini", "openai", "gpt-4o-mini"),
        ("ollama:qwen3:0.6b", "ollama", "qwen3:0.6b"),
        ("openrouter:a/b", "openrouter", "a/b"),
    ],
)
def test_a_model_is_named_provider_and_name(model: str, provider: str, name: str) -> None:
    spec = ModelSpec(model=model)
    assert (spec.provider, spec.name) == (provider, name)


@pytest.mark.parametrize("model", ["gpt-4o-mini", "openai:", ":gpt", ":", ""])
def test_a_name_without_both_parts_is_refused_with_the_mend(model: str) -> None:
    with pytest.raises(ValidationError, match=r"not of the form provider:model; write e\.g\. openai:"):
        ModelSpec(model=model)


def test_a_key_is_named_never_held() -> None:
    with pytest.raises(ValidationError, match="api_key"):
        ModelSpec.model_validate({"model": "openai:x", "api_key": "secret"})
    assert ModelSpec(model="openai:x", api_key_env="MY_KEY").api_key_env == "MY_KEY"


def test_a_request_asks_for_text_unless_it_has_a_schema() -> None:
    request = ChatRequest(messages=(ChatMessage(role="user", content="hi"),))
    assert (request.output_schema, request.output_name, request.settings) == (None, "reply", {})


def test_no_answer_is_null_and_an_empty_answer_is_an_answer() -> None:
    nothing = ChatReply(text=None)
    assert (nothing.text, nothing.refusal, nothing.usage) == (None, None, NO_USAGE)
    assert ChatReply(text="").text == ""
