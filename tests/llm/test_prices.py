"""Prices: known ones, unknown ones, and that the table still says what genai-prices says."""

from datetime import UTC, datetime

import pytest
from genai_prices import Usage, calc_price
from genai_prices.data import providers
from genai_prices.types import Provider

from aloi.llm.prices import Prices

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def prices() -> Prices:
    return Prices(now=lambda: NOW)


def test_a_known_model_costs_what_its_provider_lists(prices: Prices) -> None:
    # $0.15 per million input tokens, $0.60 per million output tokens
    assert prices.cost("openai", "gpt-4o-mini", 1_000_000, 500_000) == pytest.approx(0.15 + 0.30)


def test_a_dated_name_is_the_same_model(prices: Prices) -> None:
    assert prices.cost("openai", "gpt-4o-mini-2024-07-18", 1000, 0) == prices.cost("openai", "gpt-4o-mini", 1000, 0)


@pytest.mark.parametrize(
    ("provider", "model"),
    [("openai", "no-such-model"), ("no-such-provider", "gpt-4o-mini"), ("openai", "whisper-1"), ("ollama", "llama3")],
)
def test_an_unknown_price_is_null(prices: Prices, provider: str, model: str) -> None:
    assert prices.cost(provider, model, 1000, 100) is None


@pytest.mark.parametrize("tokens", [(None, 10), (10, None), (None, None)])
def test_unknown_tokens_have_no_price(prices: Prices, tokens: tuple[int | None, int | None]) -> None:
    assert prices.cost("openai", "gpt-4o-mini", *tokens) is None


def test_no_tokens_of_a_known_model_cost_nothing(prices: Prices) -> None:
    assert prices.cost("openai", "gpt-4o-mini", 0, 0) == 0.0


def test_a_known_address_decides_whose_price_it_is(prices: Prices) -> None:
    at_groq = prices.cost("openai", "llama-3.3-70b-versatile", 1000, 1000, "https://api.groq.com/openai/v1")
    assert at_groq == prices.cost("groq", "llama-3.3-70b-versatile", 1000, 1000)
    assert at_groq is not None


def test_an_unknown_address_is_a_way_to_the_named_provider(prices: Prices) -> None:
    through_gateway = prices.cost("openai", "gpt-4o-mini", 1000, 1000, "http://127.0.0.1:4000/v1")
    assert through_gateway == prices.cost("openai", "gpt-4o-mini", 1000, 1000)


def test_the_time_decides_between_prices_that_changed() -> None:
    entries = {
        "models": [
            {"match": {"equals": "m"}, "prices": [{"input": 1.0}, {"from": "2026-06-01", "input": 2.0}]},
            {
                "match": {"equals": "n"},
                "prices": [{"input": 4.0}, {"between": ["22:00:00Z", "06:00:00Z"], "input": 1.0}],
            },
        ]
    }
    for moment, model, expected in [
        (datetime(2026, 5, 31, tzinfo=UTC), "m", 1.0),
        (datetime(2026, 6, 1, tzinfo=UTC), "m", 2.0),
        (datetime(2026, 6, 1, 12, tzinfo=UTC), "n", 4.0),
        (datetime(2026, 6, 1, 23, tzinfo=UTC), "n", 1.0),
        (datetime(2026, 6, 1, 5, 59, tzinfo=UTC), "n", 1.0),
    ]:
        prices = Prices(now=lambda moment=moment: moment, table=lambda: {"p": {"url": "https://p/", **entries}})
        assert prices.cost("p", model, 1_000_000, 0) == expected


def test_a_long_prompt_has_its_own_rate() -> None:
    model = {
        "match": {"equals": "m"},
        "prices": [{"input": [[-1, 1.0], [200, 2.0]], "output": [[-1, 10.0], [200, 20.0]]}],
    }
    prices = Prices(table=lambda: {"p": {"url": "https://p/", "models": [model]}})
    assert prices.cost("p", "m", 200, 0) == pytest.approx(200e-6)
    assert prices.cost("p", "m", 201, 1) == pytest.approx(402e-6 + 20e-6)


@pytest.mark.parametrize("provider", providers, ids=lambda provider: provider.id)
def test_the_table_says_what_the_package_says(prices: Prices, provider: Provider) -> None:
    """If this fails after an update of genai-prices, make the table anew (see `aloi.llm.price_table`)."""
    for model in provider.models:
        for input_tokens, output_tokens in ((1000, 200), (300_000, 1000)):
            ours = prices.cost(provider.id, model.id, input_tokens, output_tokens)
            assert ours == _theirs(provider, model.id, input_tokens, output_tokens), model.id


def _theirs(provider: Provider, model: str, input_tokens: int, output_tokens: int) -> object:
    usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
    try:
        found = calc_price(usage, model, provider_id=provider.id, genai_request_timestamp=NOW)
    except LookupError:
        return None
    priced = vars(found.model_price)
    if priced.get("input_mtok") is None and priced.get("output_mtok") is None:
        return None
    return pytest.approx(float(found.total_price), rel=1e-9, abs=1e-12)
