"""What the server counts."""

import time
from collections import Counter
from dataclasses import dataclass, field

from tests.model_server.chat import Json


@dataclass(frozen=True, slots=True)
class Arrival:
    """The place of one request among the others; the first is number 1.

    `number` counts all requests, `of_model` those of this model, `of_prompt` those of this model with this prompt.
    `in_flight` is how many requests of this model are being answered, this one included.
    """

    number: int
    of_model: int
    of_prompt: int
    in_flight: int


@dataclass(slots=True)
class Stats:
    """Counts since the start or the last reset.

    A request counts when it arrives, whatever becomes of it. `prompts` is keyed by the text of the last user message,
    so it shows how often a case was really invoked. The requests of `/echo` count as the model "/echo", their body as
    the prompt. `first_at` is when the first request came, in seconds of the epoch; null before it.
    """

    requests: int = 0
    max_in_flight: int = 0
    models: Counter[str] = field(default_factory=Counter[str])
    prompts: Counter[str] = field(default_factory=Counter[str])
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    busy: Counter[str] = field(default_factory=Counter[str])
    in_flight: int = 0
    first_at: float | None = None

    def arrive(self, model: str, prompt: str) -> Arrival:
        """Count a request that has come in."""
        if self.first_at is None:
            self.first_at = time.time()
        self.requests += 1
        self.models[model] += 1
        self.prompts[prompt] += 1
        self.pairs[model, prompt] += 1
        self.busy[model] += 1
        self.in_flight += 1
        self.max_in_flight = max(self.max_in_flight, self.in_flight)
        return Arrival(self.requests, self.models[model], self.pairs[model, prompt], self.busy[model])

    def leave(self, model: str) -> None:
        """Count a request that is over."""
        self.busy[model] -= 1
        self.in_flight -= 1

    def reset(self) -> None:
        """Forget all but the requests in flight, which are still to leave."""
        self.requests = 0
        self.first_at = None
        self.max_in_flight = self.in_flight
        for counter in (self.models, self.prompts, self.pairs):
            counter.clear()

    def as_json(self) -> Json:
        """Return the body of `GET /stats`."""
        return {
            "requests": self.requests,
            "in_flight": self.in_flight,
            "max_in_flight": self.max_in_flight,
            "first_at": self.first_at,
            "models": dict(self.models),
            "prompts": dict(self.prompts),
        }
