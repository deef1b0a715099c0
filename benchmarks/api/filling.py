"""The runs that are read: made by the server itself, of recorded answers."""

import random
from typing import Any, NamedTuple

from benchmarks.api.serving import Owner

WORDS = ("gold", "silver", "copper", "weight", "ounce", "carat", "price", "market", "buyer", "seller", "ring", "coin")
WORDS_AN_ANSWER = 60  # some 360 characters
RULES: list[dict[str, Any]] = [{"kind": "contains", "text": "gold"}, {"kind": "token_limit", "max": 400}]
AT_ONCE = 20


class Data(NamedTuple):
    """Two runs over the same large dataset, and how many runs there are in all."""

    first: str
    second: str
    cases: int
    runs: int


def fill(owner: Owner, cases: int, runs: int) -> Data:
    """Make two runs of so many cases, which differ in a tenth of their answers, and small ones up to `runs` in all."""
    chance = random.Random(1)
    large = _dataset(owner, "large", cases)
    answers = {f"case-{number}": _recorded(chance) for number in range(cases)}
    first = _run(owner, _target(owner, "first", answers), large)
    changed = {key: _recorded(chance) if chance.random() < 0.1 else value for key, value in answers.items()}
    second = _run(owner, _target(owner, "second", changed), large)
    small, target = _dataset(owner, "small", 1), _target(owner, "small", {"case-0": "gold"})
    for begin in range(2, runs, AT_ONCE):
        started = [_start(owner, target, small) for _ in range(begin, min(begin + AT_ONCE, runs))]
        for run in started:
            owner.finished(run, pause=0.01)
    return Data(owner.finished(first)["id"], owner.finished(second)["id"], cases, runs)


def _dataset(owner: Owner, name: str, cases: int) -> str:
    given = [
        {"key": f"case-{number}", "name": f"Case {number}", "input": f"Question {number}"} for number in range(cases)
    ]
    return owner.post("/api/eval/suites/dataset", {"name": name, "cases": given, "bindings": RULES})["dataset_id"]


def _target(owner: Owner, name: str, answers: dict[str, Any]) -> str:
    definition = {"kind": "replay", "outputs": answers}
    return owner.post("/api/targets", {"name": name, "definition": definition})["id"]


def _recorded(chance: random.Random) -> dict[str, Any]:
    """An answer with a tool call; two in three hold the word that is looked for."""
    words = chance.choices(WORDS[chance.randrange(3) == 0 :], k=WORDS_AN_ANSWER)
    call = {"tool": "look_up", "args": {"metal": words[0], "day": chance.randrange(365)}, "output": {"price": words[1]}}
    return {
        "output": " ".join(words),
        "tool_calls": [call],
        "latency": chance.uniform(0.5, 4),
        "input_tokens": chance.randrange(50, 300),
        "output_tokens": chance.randrange(50, 200),
        "cost": 0.001,
    }


def _run(owner: Owner, target: str, dataset: str) -> str:
    run = _start(owner, target, dataset, concurrency=50)
    owner.finished(run)
    return run


def _start(owner: Owner, target: str, dataset: str, **limits: int) -> str:
    return owner.post("/api/eval/runs", {"target_id": target, "dataset_id": dataset, **limits})["id"]
