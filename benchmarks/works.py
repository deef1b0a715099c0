"""The work that every contestant does: the same cases, calls and texts."""

import math
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["chat", "judge", "agent"]

CALLS: dict[Kind, int] = {"chat": 1, "judge": 2, "agent": 2}
ASKED: dict[Kind, str] = {"chat": "say yes", "judge": "say yes", "agent": "what is 17 times 23?"}
WANTED: dict[Kind, str] = {"chat": "yes", "judge": "yes", "agent": "391"}
MODELS: dict[Kind, str] = {
    "chat": "echo",
    "judge": "echo",
    "agent": 'tool-once:calculator:{"expression":"17*23"}',
}


class Work(NamedTuple):
    """So many cases of a kind, so many at once.

    `chat` asks a model once and looks for a text in the answer; `judge` asks a judge about the answer as well; `agent`
    lets a model call a calculator and answer with what it said.
    """

    kind: Kind
    cases: int
    concurrency: int

    def __str__(self) -> str:
        return f"{self.kind}, {self.cases:,} cases, {self.concurrency} at once"

    @property
    def calls(self) -> int:
        """Requests in all."""
        return CALLS[self.kind] * self.cases

    def ideal(self, latency: float) -> float:
        """The least seconds it can take when every call takes `latency` seconds."""
        return math.ceil(self.cases / self.concurrency) * CALLS[self.kind] * latency

    def prompts(self) -> Iterator[str]:
        """The text of each case."""
        return (f"case {position}: {ASKED[self.kind]}" for position in range(self.cases))

    def text_bytes(self) -> int:
        """Bytes of all prompts and answers."""
        answers = {"chat": self.prompts(), "judge": self.prompts(), "agent": ["The answer is 391."] * self.cases}
        return sum(map(len, self.prompts())) + sum(map(len, answers[self.kind]))
