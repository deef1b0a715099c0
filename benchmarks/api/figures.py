"""What is measured, and what it must not exceed."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from statistics import median, quantiles

from benchmarks.api.filling import Data
from benchmarks.api.serving import Owner
from benchmarks.bars import Check
from benchmarks.server import Server

FOLLOWERS = 200
FOLLOWERS_SCRIPT = Path(__file__).parent / "followers.py"
PAGE = 200


def reading(owner: Owner, data: Data, times: int) -> Iterator[Check]:
    """How long pages, lists and a comparison take. Each path is asked once before it counts."""
    run = f"/api/eval/runs/{data.first}"
    pages = [random.Random(2).randrange(1, data.cases // PAGE + 1) for _ in range(times)]
    results = [f"{run}/results?size={PAGE}&page={page}" for page in pages]
    of = f"of {data.cases:,} cases"
    yield _check(owner, f"a page of {PAGE} results {of}", results, 100)
    yield _check(owner, f"a page of {PAGE} that failed, {of}", [f"{run}/results?size={PAGE}&verdict=fail"] * times, 100)
    yield _check(owner, f"a page of {PAGE} with a text, {of}", [f"{run}/results?size={PAGE}&q=carat+ring"] * times, 500)
    yield _check(owner, f"a run {of} with its first {PAGE} results", [run] * times, 100)
    yield _check(owner, f"{data.runs:,} runs, a page of 20", ["/api/eval/runs"] * times, 100)
    yield _check(owner, f"{data.runs:,} runs, a page of {PAGE}", [f"/api/eval/runs?size={PAGE}"] * times, 100)
    yield _check(
        owner, f"{data.runs:,} runs, a page of {PAGE} by name", [f"/api/eval/runs?size={PAGE}&q=small"] * times, 100
    )
    compare = f"/api/eval/compare?a={data.first}&b={data.second}"
    yield _check(owner, f"the comparison of two runs {of}", [compare] * max(3, times // 10), 1500)


def _check(owner: Owner, what: str, paths: list[str], most: float) -> Check:
    """The 95th percentile of the milliseconds that some requests take, one after the other."""
    owner.get(paths[0])
    taken = [owner.ask("GET", path).seconds * 1000 for path in paths]
    p95 = quantiles(taken, n=20, method="inclusive")[-1]
    return Check(f"{what}: ms, p95", f"median {median(taken):,.0f}", p95, most)


def following(owner: Owner, models: Server, cases: int, rounds: int) -> Check:
    """How much longer a live run takes when many follow it, in percent of the time that it takes alone."""
    target = {"kind": "openai", "model": "echo", "base_url": models.url}
    made = owner.post("/api/targets", {"name": "live", "definition": target})["id"]
    given = [{"key": f"case-{number}", "input": f"Question {number}"} for number in range(cases)]
    body = {"name": "live", "cases": given, "bindings": [{"kind": "contains", "text": "Question"}]}
    dataset = owner.post("/api/eval/suites/dataset", body)["dataset_id"]
    wanted = {"target_id": made, "dataset_id": dataset, "concurrency": 50}
    _live(owner, wanted, 0, cases)
    alone, followed = list[float](), list[float]()
    for _ in range(rounds):
        alone.append(_live(owner, wanted, 0, cases))
        followed.append(_live(owner, wanted, FOLLOWERS, cases))
    more = median((long / short - 1) * 100 for short, long in zip(alone, followed, strict=True))
    shown = f"{median(alone):.1f} s alone, {median(followed):.1f} s followed"
    return Check(f"a live run of {cases:,} cases, {FOLLOWERS} followers: % longer", shown, more, 25)


def _live(owner: Owner, wanted: Mapping[str, object], followers: int, cases: int) -> float:
    """Seconds that a run takes while so many follow it.

    Raises:
        RuntimeError: a follower missed something.
    """
    run = owner.post("/api/eval/runs", wanted)["id"]
    if followers:
        command = [sys.executable, str(FOLLOWERS_SCRIPT), owner.url, str(owner.token), run, str(followers)]
        heard = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        if heard != {"whole": followers, "results": cases}:
            raise RuntimeError(f"of {followers} followers of {cases} results, this was heard: {heard}")
    ended = owner.finished(run, pause=1)
    begin, end = (datetime.fromisoformat(ended[name]) for name in ("started_at", "finished_at"))
    return (end - begin).total_seconds()
