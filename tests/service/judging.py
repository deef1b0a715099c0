"""Runs whose judge votes as the answers say, and labels of their results."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from aloi.core.label import LabelGiven, LabelVerdict
from aloi.core.run import JudgeSpec, Run, RunLimits, RunRequest
from aloi.service import labels, runs, targets
from aloi.service.context import Context
from aloi.targets.replay import Replay
from tests.model_server import ChatRequestBody, ModelServer, Reply
from tests.model_server.behaviours import judge
from tests.service.started_runs import finished, save

ANSWER = re.compile(r"answer (\S+) votes ([01]+)")
JUDGE: Mapping[str, Any] = {"kind": "llm_judge", "name": "polite", "rubric": "Be polite."}


class Voting:
    """A judge's model: to `answer KEY votes 110` it says pass, pass, fail, one vote a call, and then again."""

    def __init__(self) -> None:
        self.asked = Counter[str]()

    def __call__(self, request: ChatRequestBody) -> Reply:
        found = ANSWER.search(request.prompt)
        assert found is not None, request.prompt
        key, votes = found.groups()
        vote = votes[self.asked[key] % len(votes)] == "1"
        self.asked[key] += 1
        return judge(request, vote, float(vote))


async def judged(
    context: Context,
    models: ModelServer,
    votes: Sequence[str],
    *,
    evaluators: Sequence[Mapping[str, Any]] = (JUDGE,),
    cases: Sequence[Mapping[str, Any]] = (),
    name: str = "data",
    trials: int = 1,
    model: str = "openai:judge",
) -> Run:
    """A finished run of a case k0, k1, ... for each of these votes, such as `110`; all with as many samples.

    Args:
        cases: more fields of the cases, in order.
    """
    models.reply = models.reply if isinstance(models.reply, Voting) else Voting()
    more = [*cases, *({} for _ in votes)]
    given = [{"key": f"k{n}", "prompt": f"question {n}", **more[n]} for n in range(len(votes))]
    dataset = await save(context, given, [dict(spec) for spec in evaluators], name, judge_samples=len(votes[0]))
    outputs = {f"k{n}": f"answer {name}-{n} votes {vote}" for n, vote in enumerate(votes)}
    version = await targets.save(context, f"bot of {name}", Replay(outputs=dict(outputs)))
    request = RunRequest(
        target_version_id=version.id,
        dataset=dataset,
        judge=JudgeSpec(model=model, base_url=models.url),
        limits=RunLimits(concurrency=50, trials=trials),
    )
    run = await finished(context, await runs.start(context, request))
    assert run.summary is not None and run.summary.errors == 0, run
    return run


async def label(context: Context, run: Run, said: Sequence[LabelVerdict | None]) -> None:
    """Label the cases k0, k1, ... of a run; null leaves one out."""
    for number, verdict in enumerate(said):
        if verdict is not None:
            await labels.give(context, run.id, f"k{number}", LabelGiven(verdict=verdict))
