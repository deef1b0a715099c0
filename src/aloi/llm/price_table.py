"""Makes `prices.json` from the genai-prices package: `python -m aloi.llm.price_table > src/aloi/llm/prices.json`.

The package's own data takes 70 MB and 0.2 s to load; what a price of text tokens needs of it is a small file. Run this
again after an update of genai-prices: a test compares the two.
"""

import json
import sys
from collections.abc import Iterable
from decimal import Decimal
from importlib.metadata import version

from genai_prices.data import providers
from genai_prices.types import (
    ClauseAnd,
    ClauseContains,
    ClauseEndsWith,
    ClauseEquals,
    ClauseOr,
    ClauseRegex,
    ClauseStartsWith,
    ConditionalPrice,
    ModelInfo,
    ModelPrice,
    Provider,
    StartDateConstraint,
    TieredPrices,
    TimeOfDateConstraint,
)
from pydantic import JsonValue

from aloi.core.spec import JsonObject

Clause = ClauseStartsWith | ClauseEndsWith | ClauseContains | ClauseRegex | ClauseEquals | ClauseOr | ClauseAnd
Rate = Decimal | TieredPrices | None
# Our names of the prices that matter here, with the package's: dollars per million tokens, per thousand requests.
RATES = {"input": "input_mtok", "output": "output_mtok", "cached": "cache_read_mtok", "requests": "requests_kcount"}


def table() -> JsonObject:
    """`{"source", "providers": {id: {"url", "named", "fallback", "models": [{"match", "prices"}]}}}`.

    Models without a price of text tokens stay in it: the first match counts, and none may take their place.
    """
    source = f"genai-prices {version('genai-prices')}, MIT licence, Pydantic Services Inc. 2025 to present"
    return {"source": source, "providers": {provider.id: _provider(provider) for provider in providers}}


def _provider(provider: Provider) -> JsonObject:
    entry: JsonObject = {"url": provider.api_pattern, "models": list(_models(provider.models))}
    if provider.provider_match is not None:
        entry["named"] = _clause(provider.provider_match)
    if provider.fallback_model_providers:
        entry["fallback"] = list(provider.fallback_model_providers)
    return entry


def _models(models: Iterable[ModelInfo]) -> Iterable[JsonObject]:
    for model in models:
        listed = model.prices if isinstance(model.prices, list) else [ConditionalPrice(prices=model.prices)]
        yield {"match": _clause(model.match), "prices": [_conditional(price) for price in listed]}


def _conditional(price: ConditionalPrice) -> JsonObject:
    match price.constraint:
        case StartDateConstraint(start_date=start):
            return {"from": start.isoformat(), **_rates(price.prices)}
        case TimeOfDateConstraint(start_time=start, end_time=end):
            return {"between": [start.isoformat(), end.isoformat()], **_rates(price.prices)}
        case None:
            return _rates(price.prices)


def _rates(price: ModelPrice) -> JsonObject:
    found: dict[str, Rate] = {ours: getattr(price, theirs, None) for ours, theirs in RATES.items()}
    return {name: _rate(rate) for name, rate in found.items() if rate is not None}


def _rate(rate: Decimal | TieredPrices) -> JsonValue:
    """A number, or steps `[[more than this many input tokens, rate], ...]` that begin with `[-1, base]`."""
    if isinstance(rate, Decimal):
        return float(rate)
    return [[-1, float(rate.base)], *([tier.start, float(tier.price)] for tier in rate.tiers)]


def _clause(clause: Clause) -> JsonObject:
    match clause:
        case ClauseStartsWith(starts_with=text):
            return {"starts_with": text.lower()}
        case ClauseEndsWith(ends_with=text):
            return {"ends_with": text.lower()}
        case ClauseContains(contains=text):
            return {"contains": text.lower()}
        case ClauseEquals(equals=text):
            return {"equals": text.lower()}
        case ClauseRegex(regex=pattern):
            return {"regex": pattern}
        case ClauseOr(or_=clauses):
            return {"any": [_clause(inner) for inner in clauses]}
        case ClauseAnd(and_=clauses):
            return {"all": [_clause(inner) for inner in clauses]}


if __name__ == "__main__":
    json.dump(table(), sys.stdout, separators=(",", ":"), sort_keys=True)
    sys.stdout.write("\n")
