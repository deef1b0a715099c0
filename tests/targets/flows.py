"""Workflows whose models and services are one server, run as the cases of a run."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic import JsonValue

from aloi.core.case import Case
from aloi.core.outcome import Outcome
from aloi.core.simulation import Simulations
from aloi.core.target import Target, TargetContext
from aloi.core.tool import ToolContext
from aloi.core.trace import Trace
from aloi.llm.models import Models
from aloi.plugins import build
from aloi.runner.invoke import Invoker
from aloi.runner.task import CaseTask, Place
from aloi.tracing.recorder import Recording
from tests.model_server import ModelServer

ENVIRON = {"TOKEN": "t0p-secret-token"}
TICKET: dict[str, Any] = {
    "type": "object",
    "properties": {"kind": {"enum": ["refund", "other"]}, "amount": {"type": "number"}},
    "required": ["kind", "amount"],
}
NO: dict[str, Any] = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}


def trace_of(outcome: Outcome) -> Trace:
    """The trace of an outcome that has one."""
    assert outcome.trace is not None
    return outcome.trace


async def at_once(seconds: float) -> None:
    """Waiting takes no time, since nothing here is about waiting."""


@dataclass(frozen=True)
class Flows:
    """Runs workflows whose models and services are one server."""

    server: ModelServer
    models: Models

    def workflow(self, *steps: dict[str, Any], **fields: Any) -> Target:
        return build("targets", {"kind": "workflow", "steps": [*steps], **fields}, Target)

    def prompt(self, name: str, model: str, **fields: Any) -> dict[str, Any]:
        where = {"model": f"openai:{model}", "base_url": self.server.url}
        return {"name": name, "kind": "prompt", "prompt": "{{ input }}", **where, **fields}

    def agent(self, name: str, model: str, given: JsonValue = "{{ input }}", **fields: Any) -> dict[str, Any]:
        agent = {"model": f"openai:{model}", "base_url": self.server.url, **fields}
        return {"name": name, "kind": "agent", "agent": agent, "input": given}

    def http(self, name: str, path: str = "/echo", **fields: Any) -> dict[str, Any]:
        headers = {"X-Key": "${TOKEN}"}
        return {"name": name, "kind": "http", "url": self.server.root + path, "headers": headers, **fields}

    def context(self, recorder: Recording, workspace: str) -> TargetContext:
        return TargetContext(
            chat=self.models.chat,
            http=self.models.http,
            recorder=recorder,
            tools=ToolContext(workspace=workspace, now=lambda: datetime.now(UTC)),
            agent_model=self.models.agent_model,
            cost=self.models.cost,
            environ=ENVIRON,
        )

    async def outcome(self, target: Target, given: Any = "Hi there", simulations: Simulations | None = None) -> Outcome:
        """What comes of one case of a run."""
        case = Case(key="one", input=given, simulations=simulations or {})
        return await Invoker(target, self.context, seconds=10).invoke(CaseTask(Place(0, 0), case))


def tool(arguments: JsonValue, name: str = "bad") -> dict[str, Any]:
    """A step that calls the calculator."""
    return {"name": name, "kind": "tool", "tool": "calculator", "arguments": arguments}
