"""A target with versions, and runs of them that end as a test says."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aloi.core.access import LOCAL, Role
from aloi.core.gate import DatasetGate, Gate, GateState, OverrideReason
from aloi.core.run import JudgeSpec, Run, RunLimits, RunRequest, TargetVersion
from aloi.core.target_record import TargetDetail
from aloi.service import gates, runs, targets, versions
from aloi.service.context import Context
from aloi.targets.python import Python
from tests.service.started_runs import finished, prompts, save

BOT = "bot"
URGENT = OverrideReason(reason="it is urgent")


@dataclass
class Answers:
    """What the versions answer by prompt: `ok` passes, `no` fails, `down` errors. While it is shut they wait."""

    by_prompt: Mapping[str, str] = field(default_factory=dict[str, str])
    open: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.open.set()

    def function(self) -> Any:
        """A new function that answers so; no two are the same version."""

        async def answer(given: Any) -> Any:
            await self.open.wait()
            said = self.by_prompt.get(given, "ok")
            if said == "down":
                raise ConnectionError("down")
            return said

        return answer


async def add_version(context: Context, answers: Answers) -> TargetVersion:
    """A new version of the target, or its first."""
    return await targets.save(context, BOT, Python.of(answers.function()))


async def start(context: Context, version: TargetVersion, dataset: str = "data", **fields: Any) -> Run:
    """Start a run of a version; `fields` are those of a `RunRequest`, or the number of trials."""
    limits = RunLimits(trials=fields.pop("trials", 1))
    request = RunRequest(target_version_id=version.id, dataset=dataset, limits=limits, **fields)
    return await runs.start(context, request)


async def run_of(context: Context, version: TargetVersion, dataset: str = "data", **fields: Any) -> Run:
    """As `start`, to the end of the run."""
    return await finished(context, await start(context, version, dataset, **fields))


async def set_gate(context: Context, enabled: bool = True, **thresholds: float) -> GateState:
    """Set the target's thresholds by the names of their datasets."""
    policies = [DatasetGate(dataset_id=name, threshold=t, enabled=enabled) for name, t in thresholds.items()]
    return await gates.replace(context, BOT, Gate(policies=tuple(policies)))


async def activate(context: Context, number: int, override: OverrideReason | None = None) -> TargetDetail:
    """Make a version of the target the active one."""
    return await versions.activate(context, BOT, number, override=override)


async def active(context: Context) -> int | None:
    """The number of the target's active version."""
    return (await targets.get(context, BOT)).active


def acting(context: Context, role: Role) -> Context:
    """The context, used by somebody of a role."""
    return context.acting_as(LOCAL.model_copy(update={"role": role, "name": f"{role}@example.org"}))


@dataclass
class Gated:
    """Two versions of a target, of which the first is active, and a dataset of ten cases."""

    context: Context
    answers: Answers
    first: TargetVersion
    second: TargetVersion
    dataset_id: str

    async def run(self, passed: int, errors: int = 0, **fields: Any) -> Run:
        """A run of version 2 in which so many of the ten cases pass, and so many are in error."""
        words = ["ok"] * passed + ["down"] * errors
        self.answers.by_prompt = {f"prompt {n}": words[n] if n < len(words) else "no" for n in range(10)}
        return await run_of(self.context, self.second, **fields)

    async def says(self, number: int = 2) -> GateState:
        """What the gate says of a version."""
        return await gates.get(self.context, BOT, number)

    async def words(self, number: int = 2) -> str:
        """The reason of its one policy."""
        [policy] = (await self.says(number)).policies
        return policy.reason


async def gated(context: Context) -> Gated:
    """Them, with a threshold of 0.8."""
    answers = Answers()
    dataset_id = await save(context, prompts(10))
    first, second = await add_version(context, answers), await add_version(context, answers)
    await set_gate(context, data=0.8)
    return Gated(context, answers, first, second, dataset_id)


def judge_of(base_url: str) -> JudgeSpec:
    """A judge that passes everything."""
    return JudgeSpec(model="openai:judge-pass", base_url=base_url)
