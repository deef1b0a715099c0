"""Runs the `agent` target against the model server, for the tests of the engine."""

import dataclasses
from datetime import UTC, datetime
from typing import Any

from aloi.core.errors import StageFailure
from aloi.core.target import Invocation, Reply, Target, TargetContext
from aloi.core.tool import ToolContext
from aloi.core.trace import Trace
from aloi.core.trajectory import Trajectory, trajectory
from aloi.llm.models import Models
from aloi.plugins import build
from aloi.tracing.recorder import Recording


@dataclasses.dataclass(frozen=True)
class AgentRun:
    """What one run gave: the reply or the failure, and the trace."""

    reply: Reply | None
    failure: StageFailure | None
    trace: Trace

    @property
    def path(self) -> Trajectory:
        return trajectory(self.trace)

    @property
    def names(self) -> list[str]:
        """The first word of each span's name."""
        return [span.name.partition(" ")[0] for span in self.trace.spans]


@dataclasses.dataclass(frozen=True)
class Agents:
    """Runs agents on one model server."""

    url: str
    models: Models

    def target(self, model: str, **fields: Any) -> Target:
        return build("targets", {"kind": "agent", "model": f"openai:{model}", "base_url": self.url, **fields}, Target)

    def context(self, recorder: Recording, workspace: str = "", **fields: Any) -> TargetContext:
        return TargetContext(
            chat=self.models.chat,
            http=self.models.http,
            recorder=recorder,
            agent_model=self.models.agent_model,
            cost=fields.pop("cost", self.models.cost),
            tools=ToolContext(workspace=workspace, now=lambda: datetime.now(UTC)),
            **fields,
        )

    async def run(self, target: Target, prompt: Any = "What is 17 * 23?", **fields: Any) -> AgentRun:
        """Invoke once; fields are the context's."""
        recorder = Recording()
        try:
            reply = await target.invoke(Invocation(input=prompt), self.context(recorder, **fields))
        except StageFailure as failure:
            return AgentRun(None, failure, recorder.trace())
        assert isinstance(reply, Reply)
        return AgentRun(reply, None, recorder.trace(reply.shows_tools))
