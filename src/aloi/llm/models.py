"""The registry of one process: from the name of a model to its client, with one pace for each endpoint."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

from aloi.core.chat import ChatModel, ModelSpec
from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.keys import ANY_KEY, KeyPolicy
from aloi.core.target import HttpDoor
from aloi.llm.http import PooledHttp
from aloi.llm.limits import CEILING, Limiter
from aloi.llm.openai import OpenAIChat, endpoint_of, find_key, named_key
from aloi.llm.pool import Pool
from aloi.llm.prices import Prices
from aloi.llm.retry import POLICY, Retrier, RetryPolicy
from aloi.plugins import module

ENGINE = "aloi.llm.providers"


class Engine(Protocol):
    """What serves the models that do not speak Chat Completions (`aloi.llm.providers.Providers`)."""

    def chat(self, spec: ModelSpec) -> ChatModel:
        """The client of a model."""
        ...

    def agent(self, spec: ModelSpec) -> object:
        """A model as the agent engine wants it: a pydantic-ai `Model`."""
        ...

    async def close(self) -> None:
        """Close its connections."""
        ...


def speaks_openai(spec: ModelSpec) -> bool:
    """Whether a model is reached by Chat Completions: provider `openai`, or any name with a base URL."""
    return spec.provider == "openai" or spec.base_url is not None


class Models:
    """Clients of models and of plain HTTP, made once and shared by every run. Belongs to one event loop.

    Args:
        environ: environment variables, where the keys are.
        keys: which of them a model may name, and where their values may go.
        prices: what calls cost.
        policy: how often and how long to try again.
        ceiling: most requests at once to one endpoint.
        clock, sleep: the time that waiting goes by.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        *,
        keys: KeyPolicy = ANY_KEY,
        prices: Prices | None = None,
        policy: RetryPolicy = POLICY,
        ceiling: int = CEILING,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.environ = environ
        self.keys = keys
        self.prices = prices or Prices()
        self._policy = policy
        self._ceiling = ceiling
        self._clock = clock
        self._sleep = sleep
        self._pool = Pool()
        self._http = PooledHttp(self._pool, self.retrier)
        self._limiters: dict[str, Limiter] = {}
        self._retriers: dict[str, Retrier] = {}
        self._chats: dict[str, ChatModel] = {}
        self._last: tuple[ModelSpec, ChatModel] | None = None  # a run asks for the same one again and again
        self._no_format: set[tuple[str, str]] = set()
        self._engine: Engine | None = None

    @property
    def http(self) -> HttpDoor:
        """The door for plain HTTP."""
        return self._http

    @property
    def engine(self) -> Engine:
        """The engine of the other providers; heavy, and imported now."""
        if self._engine is None:
            engine: Engine = module(ENGINE).Providers(self)
            self._engine = engine
        return self._engine

    def chat(self, spec: ModelSpec) -> ChatModel:
        """The client of a model; the same for the same spec.

        Raises:
            InvalidInput: the base URL, the settings or the provider cannot be used.
            NotPermitted: its key may not be used so.
        """
        last = self._last
        if last is not None and last[0] is spec:
            return last[1]
        key = json.dumps([spec.model, spec.base_url, spec.api_key_env, spec.settings], sort_keys=True)
        found = self._chats.get(key)
        if found is None:
            found = self._chats[key] = self._make(spec)
        self._last = spec, found
        return found

    def agent_model(self, spec: ModelSpec) -> object:
        """A model as the agent engine wants it, a pydantic-ai `Model`, at the same pace as `chat`; imports that engine.

        Raises:
            InvalidInput: the base URL or the provider cannot be used.
            StageFailure: the variable that should hold its key is not set (type `no_key`).
            NotPermitted: its key may not be used so.
        """
        self.check_permitted(spec)
        return self.engine.agent(spec)

    def cost(self, spec: ModelSpec, input_tokens: int | None, output_tokens: int | None) -> float | None:
        """The price of a call in US dollars; null when it is not known."""
        return self.prices.cost(spec.provider, spec.name, input_tokens, output_tokens, spec.base_url)

    def check_permitted(self, spec: ModelSpec) -> None:
        """Look only whether the model's key may be used so; it need not be set.

        Raises:
            NotPermitted: naming it.
        """
        key = named_key(spec)
        self.keys.check(() if key is None else (key,))

    def check(self, spec: ModelSpec) -> None:
        """Look for what would make every call fail: an address that is none, a key that is not set or cannot be sent.

        Raises:
            InvalidInput: naming it.
            NotPermitted: the key may not be used so.
        """
        try:
            self.chat(spec)
            find_key(spec, self.environ)
        except StageFailure as failure:
            raise InvalidInput(failure.message) from failure

    def limiter(self, endpoint: str) -> Limiter:
        """The pace of an endpoint, named by its base address (or a provider's name)."""
        found = self._limiters.get(endpoint)
        if found is None:
            found = self._limiters[endpoint] = Limiter(self._ceiling, clock=self._clock, sleep=self._sleep)
        return found

    def retrier(self, endpoint: str) -> Retrier:
        """Attempts at that endpoint, at its pace."""
        found = self._retriers.get(endpoint)
        if found is None:
            limiter = self.limiter(endpoint)
            found = self._retriers[endpoint] = Retrier(limiter, self._policy, sleep=self._sleep)
        return found

    async def close(self) -> None:
        """Close all connections."""
        await self._pool.close()
        if self._engine is not None:
            await self._engine.close()

    def _make(self, spec: ModelSpec) -> ChatModel:
        self.check_permitted(spec)
        if not speaks_openai(spec):
            return self.engine.chat(spec)
        return OpenAIChat(
            spec,
            pool=self._pool,
            retrier=self.retrier(endpoint_of(spec)),
            prices=self.prices,
            environ=self.environ,
            no_format=self._no_format,
        )
