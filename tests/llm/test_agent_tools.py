"""Whatever a tool does, the run goes on and the call is evidence."""

import asyncio
from typing import ClassVar, cast

import pytest
from pydantic import BaseModel, JsonValue

from aloi.core.chat import ModelSpec
from aloi.core.errors import StageFailure, ToolFailure
from aloi.core.simulation import Simulated
from aloi.core.spec import JsonObject
from aloi.core.tool import Tool, ToolContext
from aloi.core.trace import MISFIT, Provenance
from aloi.core.trajectory import trajectory
from aloi.llm.agent import run
from aloi.llm.agent_job import AgentJob
from aloi.llm.models import Models
from aloi.tracing.recorder import Recording
from tests.llm.agent_runs import Agents
from tests.model_server import ModelServer


class OddInput(BaseModel):
    """What to do."""

    do: str


class Odd(Tool):
    """Do something odd."""

    kind: ClassVar[str] = "odd"
    Input = OddInput

    async def call(self, arguments: OddInput, ctx: ToolContext) -> JsonValue:
        odd: dict[str, object] = {
            "surrogate": "half \ud800",
            "nan": [float("nan")],
            "object": object(),
            "tuple": (1, 2),
        }
        match arguments.do:
            case "fail":
                raise ToolFailure("there is nothing to do")
            case "break":
                raise ZeroDivisionError("oops")
            case "stage":
                raise StageFailure("invoke", "x", "not mine to raise")
            case "time":
                raise TimeoutError
            case "wait":
                await asyncio.Event().wait()
            case _:
                pass
        return cast(JsonValue, odd[arguments.do])


@pytest.mark.parametrize(
    ("do", "output", "error"),
    [
        ("fail", None, "there is nothing to do"),
        ("break", None, "the tool broke: ZeroDivisionError: oops"),
        ("stage", None, "the tool broke: StageFailure: not mine to raise"),
        ("time", None, "the tool broke: TimeoutError: "),
        ("object", None, "the tool broke: "),
        ("surrogate", "half \ufffd", None),
        ("nan", [None], None),
        ("tuple", [1, 2], None),
    ],
)
async def test_the_run_goes_on(
    model_server: ModelServer, models: Models, do: str, output: JsonValue, error: str | None
) -> None:
    recorder = Recording()
    name = f'openai:tool-once:odd:{{"do": "{do}"}}'
    job = AgentJob(model=ModelSpec(model=name, base_url=model_server.url), prompt="Go.", tools=(Odd(),))
    reply = await run(job, Agents(model_server.url, models).context(recorder))
    assert str(reply.output).startswith("The answer is ")
    trace = recorder.trace()
    [call] = trajectory(trace).tool_calls
    assert call.output == output
    assert (call.error or "").startswith(error or "")
    assert (call.error is None) == (error is None)
    trace.model_dump_json()


async def test_a_cancel_reaches_a_tool_and_is_no_result(model_server: ModelServer, models: Models) -> None:
    recorder = Recording()
    name = 'openai:tool-once:odd:{"do": "wait"}'
    job = AgentJob(model=ModelSpec(model=name, base_url=model_server.url), prompt="Go.", tools=(Odd(),))
    task = asyncio.create_task(run(job, Agents(model_server.url, models).context(recorder)))
    async with asyncio.timeout(10):
        while not any(span.operation == "execute_tool" for span in recorder.spans()):
            await asyncio.sleep(0.005)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert model_server.stats.requests == 1
    assert recorder.spans()[-1].error == "it was cancelled"


class Fixed:
    """Stands in for `odd`: answers `stood in`, or fails."""

    def __init__(self, failure: StageFailure | None = None) -> None:
        self.failure = failure
        self.asked: list[JsonValue] = []

    def covers(self, component: str) -> bool:
        return component == "odd"

    def provenance(self, component: str) -> Provenance:
        return "static"

    async def answer(self, component: str, arguments: JsonValue, output_schema: JsonObject | None) -> Simulated:
        self.asked.append(arguments)
        if self.failure is not None:
            raise self.failure
        return Simulated("stood in", "static", "it is no object")


class TestSimulated:
    """A tool that is simulated is not called."""

    async def run(self, server: ModelServer, models: Models, stand_ins: Fixed, arguments: str) -> Recording:
        recorder = Recording()
        job = AgentJob(
            model=ModelSpec(model=f"openai:tool-once:odd:{arguments}", base_url=server.url),
            prompt="Go.",
            tools=(Odd(),),
        )
        self.reply = await run(job, Agents(server.url, models).context(recorder, stand_ins=stand_ins))
        return recorder

    async def test_its_stand_in_answers(self, model_server: ModelServer, models: Models) -> None:
        stand_ins = Fixed()
        recorder = await self.run(model_server, models, stand_ins, '{"do": "break"}')
        assert self.reply.output == "The answer is stood in."
        [call] = trajectory(recorder.trace()).tool_calls
        assert (call.tool, call.args, call.output, call.error) == ("odd", {"do": "break"}, "stood in", None)
        assert call.provenance == "static"
        [span] = [span for span in recorder.spans() if span.operation == "execute_tool"]
        assert span.attributes[MISFIT] == "it is no object"
        assert stand_ins.asked == [{"do": "break"}]

    @pytest.mark.parametrize("arguments", ['{"undo": 1}', "[1]", '{"do": '])
    async def test_arguments_that_the_tool_would_refuse_are_refused(
        self, model_server: ModelServer, models: Models, arguments: str
    ) -> None:
        stand_ins = Fixed()
        recorder = await self.run(model_server, models, stand_ins, arguments)
        assert stand_ins.asked == []
        [call] = trajectory(recorder.trace()).tool_calls
        assert call.error is not None and "arguments" in call.error
        assert call.provenance == "static"

    async def test_one_without_an_answer_ends_the_run(self, model_server: ModelServer, models: Models) -> None:
        failure = StageFailure("invoke", "simulation", "no answer is meant for these arguments")
        with pytest.raises(StageFailure) as caught:
            await self.run(model_server, models, Fixed(failure), '{"do": "break"}')
        assert caught.value is failure
        assert model_server.stats.requests == 1
