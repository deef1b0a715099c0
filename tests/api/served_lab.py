"""Runs of an agent elsewhere whose tools are simulated, for tests of the API."""

from typing import Any

from pydantic import JsonValue, TypeAdapter

from aloi.core.binding import Binding
from aloi.core.result import CaseResult
from aloi.core.run import JudgeSpec, Run, RunRequest
from aloi.core.simulation import Simulations
from aloi.core.spec import JsonObject
from aloi.core.target import Target
from aloi.core.trajectory import trajectory
from aloi.plugins import build
from aloi.service import runs, targets
from aloi.service.context import Context
from aloi.store import result_pages
from tests.mcp_agent import McpAgent
from tests.service.started_runs import each

READ = TypeAdapter[Simulations](Simulations)
PLACE: JsonObject = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
WEATHER: JsonObject = {"type": "object", "properties": {"degrees": {"type": "number"}}, "required": ["degrees"]}
TOOLS = [
    {"name": "weather", "description": "The weather of a city.", "input_schema": PLACE, "output_schema": WEATHER},
    {"name": "write", "description": "Writes a file.", "side_effect": True},
]
IN_TURN = {"kind": "static", "answers": [{"output": {"degrees": 1}}, {"output": {"degrees": 2}}]}
WRITTEN = {"kind": "static", "answers": [{"output": "done"}]}
ASK, WRITE = ["weather", {"city": "Paris"}], ["write", {"path": "note.txt"}]


class Lab:
    """Starts runs of a remote agent, in the process of a server."""

    def __init__(self, context: Context, agent: McpAgent) -> None:
        self.context = context
        self.agent = agent

    async def start(
        self,
        cases: list[dict[str, Any]],
        simulations: dict[str, Any],
        evaluators: tuple[dict[str, Any], ...] = ({"kind": "contains", "text": "answers"},),
        judge: JudgeSpec | None = None,
        **fields: Any,
    ) -> Run:
        request = {key: fields.pop(key) for key in ("limits", "allow_side_effects") if key in fields}
        target = {"kind": "http", "url": self.agent.url, "tools": TOOLS, "only_served_tools": True, **fields}
        version = await targets.save(self.context, "remote", build("targets", target, Target))
        wanted = RunRequest.model_validate(
            {"target_version_id": version.id, "dataset": "data", "judge": judge, **request}
        )
        bindings = [Binding.model_validate(evaluator) for evaluator in evaluators]
        given = READ.validate_python(simulations)
        return await runs.start_with(self.context, wanted, each(cases), bindings, simulations=given)

    async def run(self, *given: Any, **options: Any) -> Run:
        return await runs.wait(self.context, (await self.start(*given, **options)).id, 60)

    async def every(self, run: Run) -> list[CaseResult]:
        async with self.context.database.read() as rx:
            return [result async for result in result_pages.every(rx, run.id)]


def asking(key: str, *calls: Any, **more: Any) -> dict[str, Any]:
    return {"key": key, "input": {"calls": list(calls), **more}}


def calls_of(result: CaseResult) -> list[tuple[str, str, Any]]:
    assert result.outcome.trace is not None
    return [(call.tool, call.provenance, call.output) for call in trajectory(result.outcome.trace).tool_calls]


def answers_of(result: CaseResult) -> list[Any]:
    """What the agent was answered, as it tells it."""
    assert isinstance(result.outcome.output, dict)
    answers: JsonValue = result.outcome.output["answers"]
    assert isinstance(answers, list)
    return answers
