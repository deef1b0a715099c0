"""What a call costs by the provider's list prices. What is not known is null, never 0."""

import json
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from importlib.resources import files
from typing import Any, NamedTuple

# A date that is written without its hyphens: gpt-5.2-20251211.
COMPACT_DATE = re.compile(r"-(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=-|:|$)")
MILLION = 1e6
THOUSAND = 1e3

Entry = dict[str, Any]


class Rates(NamedTuple):
    """Dollars for a million tokens of each sort, and for a thousand requests. A list is steps by input tokens."""

    input: float | list[list[float]]
    output: float | list[list[float]]
    requests: float


class Prices:
    """Looks prices up in the table that comes with Aloi; nothing is fetched.

    Args:
        now: the present time, for prices that changed on a day or go by the hour.
        table: reads the prices of all providers (see `price_table.py`).
    """

    def __init__(
        self,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        table: Callable[[], dict[str, Entry]] | None = None,
    ) -> None:
        self._now = now
        self._table = table or _bundled
        self._found: dict[tuple[str, str, str | None], list[Entry]] = {}

    def cost(
        self,
        provider: str,
        model: str,
        input_tokens: int | None,
        output_tokens: int | None,
        base_url: str | None = None,
    ) -> float | None:
        """The price of one call in US dollars; null when the model or a count of tokens is not known.

        An address that belongs to a known provider decides whose price it is; any other address is taken for a way
        to the named provider. Discounts (cached input, batches) are not known here, so this is the most it costs.
        """
        if input_tokens is None or output_tokens is None:
            return None
        rates = self._rates(provider, model, base_url)
        if rates is None:
            return None
        tokens = input_tokens * _step(rates.input, input_tokens) + output_tokens * _step(rates.output, input_tokens)
        return tokens / MILLION + rates.requests / THOUSAND

    def _rates(self, provider: str, model: str, base_url: str | None) -> Rates | None:
        key = (provider, model, base_url)
        if key not in self._found:
            # The table is read anew for a new model and let go of: it is seldom wanted twice.
            self._found[key] = _lookup(self._table(), provider.lower(), model.lower(), base_url)
        prices = self._found[key]
        current = _current(prices, self._now()) if len(prices) > 1 else (prices[0] if prices else None)
        if current is None or not ("input" in current or "output" in current):
            return None
        return Rates(current.get("input", 0.0), current.get("output", 0.0), current.get("requests", 0.0))


def _bundled() -> dict[str, Entry]:
    return json.loads(files("aloi.llm").joinpath("prices.json").read_bytes())["providers"]


def _lookup(table: dict[str, Entry], provider: str, model: str, base_url: str | None) -> list[Entry]:
    """The prices of a model, the later one in force where several are; empty when there is none."""
    entry = _by_url(table, base_url) or table.get(provider) or _by_name(table, provider)
    if entry is None:
        return []
    dashed = COMPACT_DATE.sub(r"-\1-\2-\3", model)
    for name in dict.fromkeys((model, dashed)):
        for candidate in (entry, *(table[other] for other in entry.get("fallback", ()) if other in table)):
            for listed in candidate["models"]:
                if _matches(listed["match"], name):
                    return listed["prices"]
    return []


def _by_url(table: dict[str, Entry], base_url: str | None) -> Entry | None:
    if base_url is None:
        return None
    return next((entry for entry in table.values() if re.match(entry["url"], base_url)), None)


def _by_name(table: dict[str, Entry], provider: str) -> Entry | None:
    return next((e for e in table.values() if "named" in e and _matches(e["named"], provider)), None)


def _matches(clause: Entry, name: str) -> bool:
    """Whether a name (lower case) fits a clause: one key says how, its value with what."""
    ((how, what),) = clause.items()
    match how:
        case "starts_with":
            return name.startswith(what)
        case "ends_with":
            return name.endswith(what)
        case "contains":
            return what in name
        case "equals":
            return name == what
        case "regex":
            return re.search(what, name) is not None
        case "any":
            return any(_matches(inner, name) for inner in what)
        case _:
            return all(_matches(inner, name) for inner in what)


def _current(prices: list[Entry], now: datetime) -> Entry:
    """The last price that is in force; the first one when none is."""
    return next((price for price in reversed(prices) if _in_force(price, now)), prices[0])


def _in_force(price: Entry, now: datetime) -> bool:
    if "from" in price:
        return now.astimezone(UTC).date() >= date.fromisoformat(price["from"])
    if "between" in price:
        moment = now.astimezone(UTC).time()
        start, end = (time.fromisoformat(text).replace(tzinfo=None) for text in price["between"])
        return start <= moment < end if start <= end else moment >= start or moment < end
    return True


def _step(rate: float | list[list[float]], input_tokens: int) -> float:
    """The rate for a call with so many input tokens: the last step that they exceed."""
    if not isinstance(rate, list):
        return rate
    return next(price for more_than, price in reversed(rate) if input_tokens > more_than)
