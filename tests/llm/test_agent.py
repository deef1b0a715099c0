"""The agent engine, run for real against the model server."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aloi.core.spec import JsonObject
from aloi.core.target import Invocation
from aloi.core.trajectory import usage_of
from aloi.llm.models import Models
from aloi.tracing.recorder import Recording
from tests.llm.agent_runs import AgentRun, Agents
from tests.model_server import Answer, ChatRequestBody, ModelServer, Reply, ToolCall

SUM = 'tool-once:calculator:{"expression": "17 * 23"}'
SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"passed": {"type": "boolean"}, "score": {"type": "number", "minimum": 0, "maximum": 1}},
    "required": ["passed", "score"],
}


@pytest.fixture
def agents(model_server: ModelServer, models: Models) -> Agents:
    return Agents(model_server.url, models)


def script(*replies: Reply) -> Callable[[ChatRequestBody], Reply]:
    """Each request gets the next reply, the last one for ever."""
    left = list(replies)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


async def test_a_tool_is_used_and_its_result_is_in_the_answer(agents: Agents) -> None:
    run = await agents.run(agents.target(SUM, tools=["calculator"]))
    assert run.reply is not None
    assert run.reply.output == "The answer is 391."
    assert run.reply.shows_tools
    [call] = run.path.tool_calls
    assert (call.tool, call.args, call.output, call.error) == ("calculator", {"expression": "17 * 23"}, 391, None)
    assert call.provenance == "real"
    assert [step.type for step in run.path.steps] == ["model", "tool", "model"]
    assert run.path.steps[-1].text == "The answer is 391."


async def test_spans_nest_and_sum_up_to_the_usage(agents: Agents) -> None:
    run = await agents.run(agents.target(SUM, tools=["calculator"]))
    assert run.names == ["invoke_agent", "chat", "execute_tool", "chat"]
    root, *others = run.trace.spans
    assert root.parent_id is None
    assert {span.parent_id for span in others} == {root.span_id}
    assert run.reply is not None
    assert run.reply.usage == usage_of(run.trace)
    assert run.reply.usage.calls == 2
    assert (run.path.input_tokens, run.path.output_tokens) == (
        run.reply.usage.input_tokens,
        run.reply.usage.output_tokens,
    )


async def test_the_model_sees_instructions_tools_settings_and_what_came_before(
    agents: Agents, model_server: ModelServer
) -> None:
    target = agents.target(
        SUM, tools=["calculator", "datetime"], instructions="Be brief.", settings={"temperature": 0.5, "max_tokens": 99}
    )
    await agents.run(target)
    first, second = (request.body for request in model_server.requests)
    assert [message["content"] for message in first["messages"]] == ["Be brief.", "What is 17 * 23?"]
    assert [tool["function"]["name"] for tool in first["tools"]] == ["calculator", "datetime"]
    calculator = first["tools"][0]["function"]
    assert "arithmetic" in calculator["description"]
    assert calculator["parameters"]["required"] == ["expression"]
    assert first["temperature"] == 0.5
    assert [message["role"] for message in second["messages"]][-2:] == ["assistant", "tool"]
    assert second["messages"][-1]["content"] == "391"


async def test_an_object_is_put_as_json_with_non_ascii_kept(agents: Agents) -> None:
    run = await agents.run(agents.target("echo"), {"city": "Zürich"})
    assert run.reply is not None
    assert run.reply.output == '{"city": "Zürich"}'


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ('{"expr": "1 + 1"}', "expression: Field required"),
        ('{"expression": ', "must be one JSON object"),
        ("[1, 2]", "must be one JSON object"),
        ('{"expression": "1 / 0"}', "divides by zero"),
    ],
)
async def test_a_call_that_fails_tells_the_model_and_ends_nothing(agents: Agents, arguments: str, said: str) -> None:
    run = await agents.run(agents.target(f"tool-once:calculator:{arguments}", tools=["calculator"]))
    assert run.reply is not None
    assert said in str(run.reply.output)
    [call] = run.path.tool_calls
    assert call.output is None
    assert call.error is not None
    assert said in call.error


async def test_the_agent_recovers_from_bad_arguments(agents: Agents, model_server: ModelServer) -> None:
    wrong, right = ToolCall("calculator", '{"x": 1}'), ToolCall("calculator", '{"expression": "6 * 7"}')
    model_server.reply = script(*[Answer(tool_calls=(wrong,))] * 4, Answer(tool_calls=(right,)), Answer("It is 42."))
    run = await agents.run(agents.target("any", tools=["calculator"]))
    assert run.reply is not None
    assert run.reply.output == "It is 42."
    assert [call.output for call in run.path.tool_calls] == [None] * 4 + [42]


async def test_several_calls_of_one_turn_are_all_made(agents: Agents, model_server: ModelServer) -> None:
    calls = tuple(ToolCall("calculator", json.dumps({"expression": f"{n} + 1"})) for n in range(3))
    model_server.reply = script(Answer(tool_calls=calls), Answer("done"))
    run = await agents.run(agents.target("any", tools=["calculator"]))
    assert {call.output for call in run.path.tool_calls if isinstance(call.output, int)} == {1, 2, 3}
    root = run.trace.spans[0]
    assert all(span.parent_id == root.span_id for span in run.trace.spans[1:])


async def test_the_time_limit_stops_the_agent(agents: Agents) -> None:
    run = await agents.run(agents.target("hang", limits={"seconds": 0.05}))
    assert run.failure is not None
    assert run.failure.type == "timeout"
    assert "0.05 s" in run.failure.message


async def test_a_cancel_goes_through_and_the_spans_are_kept(agents: Agents, model_server: ModelServer) -> None:
    recorder = Recording()
    target = agents.target("hang")
    task = asyncio.create_task(target.invoke(Invocation(input="x"), agents.context(recorder)))
    await asyncio.wait_for(model_server.until(lambda stats: stats.in_flight == 1), 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [span.error for span in recorder.spans()] == ["it was cancelled"] * 2


@pytest.mark.parametrize(
    ("model", "kind", "said"),
    [
        ("null-content", "no_answer", "neither text nor a tool call"),
        ("empty-choices", "no_answer", "no choice"),
        ("refusal", "no_answer", "I cannot help with that."),
        ("malformed", "bad_reply", "JSON"),
        ("not-utf8", "bad_reply", "utf-8"),
        ("status:401", "http_status", "Scripted status 401."),
        ("status:500", "http_status", "status 500"),
        ("status:429", "rate_limited", "lower the concurrency"),
        ("close", "connection", "broke off"),
    ],
)
async def test_what_is_no_answer_is_a_failure_of_its_own_kind(agents: Agents, model: str, kind: str, said: str) -> None:
    run = await agents.run(agents.target(model))
    assert run.failure is not None
    assert (run.failure.stage, run.failure.type) == ("invoke", kind)
    assert said in run.failure.message
    assert f"openai:{model}" in run.failure.message
    assert run.names == ["invoke_agent", "chat"]


async def test_an_unreachable_endpoint_names_itself(agents: Agents) -> None:
    run = await agents.run(agents.target("echo", base_url="http://127.0.0.1:1/v1"))
    assert run.failure is not None
    assert run.failure.type == "connection"


@pytest.mark.parametrize(
    ("model", "output"),
    [("nul", "Before\0after."), ("surrogate", "Half a pair: \ufffd."), ("huge:200000", "x" * 200_000)],
)
async def test_odd_texts_are_answers(agents: Agents, model: str, output: str) -> None:
    run = await agents.run(agents.target(model))
    assert run.reply is not None
    assert run.reply.output == output
    run.trace.model_dump_json()  # what is stored must be UTF-8


async def test_a_schema_gives_an_object(agents: Agents) -> None:
    run = await agents.run(agents.target("judge-score:0.75", output_schema=SCHEMA))
    assert run.reply is not None
    assert run.reply.output == {"passed": True, "score": 0.75}
    assert run.path.tool_calls == ()


async def test_an_answer_that_breaks_its_schema_is_asked_for_again(agents: Agents, model_server: ModelServer) -> None:
    def reply(request: ChatRequestBody) -> Reply:
        tool = request.answer_tool or {"name": "?"}
        score = 7 if request.tool_rounds == 0 else 0.5
        return Answer(tool_calls=(ToolCall(tool["name"], json.dumps({"passed": True, "score": score})),))

    model_server.reply = reply
    run = await agents.run(agents.target("any", output_schema=SCHEMA))
    assert run.reply is not None
    assert run.reply.output == {"passed": True, "score": 0.5}
    assert "7 is greater than the maximum of 1" in json.dumps(model_server.requests[1].body)


async def test_an_answer_that_never_follows_its_schema_is_a_bad_reply(
    agents: Agents, model_server: ModelServer
) -> None:
    run = await agents.run(agents.target("fixed:no JSON", output_schema=SCHEMA))
    assert run.failure is not None
    assert run.failure.type == "bad_reply"
    assert len(model_server.requests) == 3


async def test_cases_at_once_have_files_of_their_own(agents: Agents, model_server: ModelServer, tmp_path: Path) -> None:
    """Each case writes its name to the same path and reads it back; none sees another's."""

    def reply(request: ChatRequestBody) -> Reply:
        def call(**arguments: Any) -> Answer:
            return Answer(tool_calls=(ToolCall("file_ops", json.dumps({"path": "note.txt", **arguments})),))

        if request.tool_rounds == 0:
            return call(action="write", content=request.prompt)
        return call(action="read") if request.tool_rounds == 1 else Answer(request.tool_results[-1])

    model_server.reply = reply
    target = agents.target("any", tools=["file_ops"])

    async def case(name: str) -> AgentRun:
        folder = tmp_path / name
        folder.mkdir()
        return await agents.run(target, name, workspace=str(folder))

    names = [f"case {n}" for n in range(8)]
    runs = await asyncio.gather(*map(case, names))
    answers = [json.loads(str(run.reply and run.reply.output)) for run in runs]
    assert answers == [{"content": name} for name in names]
    assert [(tmp_path / name / "note.txt").read_text() for name in names] == names


async def test_runs_at_once_record_apart(agents: Agents) -> None:
    target = agents.target(SUM, tools=["calculator"])
    runs = await asyncio.gather(*(agents.run(target) for _ in range(10)))
    assert all(run.names == ["invoke_agent", "chat", "execute_tool", "chat"] for run in runs)
    assert len({run.trace.trace_id for run in runs}) == 10
