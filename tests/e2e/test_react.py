"""A ReAct agent with real tools, through the command: it calls them, its trace tells of it, evaluators grade it."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from tests.e2e.command import Command
from tests.e2e.suites import Json, write_suite
from tests.model_server import Answer, ChatRequestBody, ModelServer, Reply, ToolCall

SUM = {"expression": "17*23"}


async def evaluated(aloi: Command, suite: Path) -> tuple[subprocess.CompletedProcess[str], Json]:
    """Run a suite; how the command ended, and the run as JSON."""
    path = suite.with_name("run.json")
    run = await asyncio.to_thread(aloi.run, "run", str(suite), "--json", str(path))
    return run, json.loads(path.read_text(encoding="utf-8"))


def agent(server: ModelServer, model: str, *tools: str, **more: object) -> Json:
    return {"kind": "agent", "model": f"openai:{model}", "base_url": server.url, "tools": list(tools), **more}


async def test_tool_calls_are_made_graded_and_exported(
    aloi: Command, tmp_path: Path, model_server: ModelServer
) -> None:
    target = agent(
        model_server,
        f"tool-once:calculator:{json.dumps(SUM)}",
        "calculator",
        "datetime",
        instructions="Use the calculator.",
        mcp_servers=[{"name": "tickets", "command": sys.executable, "args": ["-c", "open('started', 'w')"]}],
    )
    evaluators: list[Json] = [
        {"kind": "contains", "text": "391"},
        {"kind": "tool_call_args", "calls": [{"tool": "calculator", "args": SUM}], "mode": "exact"},
        {"kind": "tool_call_order", "tools": ["calculator"], "mode": "exact"},
        {"kind": "tool_call_count", "counts": {"calculator": 1, "datetime": 0}, "unlisted": "forbid"},
        {"kind": "tool_call_output", "outputs": [{"tool": "calculator", "output": "391"}]},
    ]
    cases = [{"key": "sum", "prompt": "What is 17 times 23?"}]
    suite = write_suite(tmp_path, target, cases, evaluators=evaluators)

    run, exported = await evaluated(aloi, suite)

    assert run.returncode == 0, run.stdout + run.stderr
    assert "1/1 passed" in run.stdout
    assert "MCP servers tickets: they serve interactive use only" in run.stdout
    assert not list(tmp_path.rglob("started"))
    [result] = exported["results"]
    assert [(score["kind"], score["verdict"]) for score in result["scores"]] == [
        (evaluator["kind"], "pass") for evaluator in evaluators
    ]
    outcome = result["outcome"]
    assert outcome["output"] == "The answer is 391."
    assert outcome["usage"]["calls"] == model_server.stats.requests == 2
    assert exported["run"]["skipped"] == ["tickets"]
    operations = [span["attributes"].get("gen_ai.operation.name") for span in outcome["trace"]["spans"]]
    assert sorted(operations) == ["chat", "chat", "execute_tool", "invoke_agent"]
    offered = [tool["function"]["name"] for tool in model_server.requests[0].body["tools"]]
    assert sorted(offered) == ["calculator", "datetime"]


async def test_a_wrong_tool_call_fails_with_what_differs(
    aloi: Command, tmp_path: Path, model_server: ModelServer
) -> None:
    target = agent(model_server, f"tool-once:calculator:{json.dumps(SUM)}", "calculator")
    evaluators = [{"kind": "tool_call_args", "calls": [{"tool": "calculator", "args": {"expression": "17*24"}}]}]
    suite = write_suite(tmp_path, target, [{"key": "sum", "prompt": "What is 17 times 24?"}], evaluators=evaluators)
    run, exported = await evaluated(aloi, suite)
    assert run.returncode == 1
    assert "0/1 passed" in run.stdout
    explanation = exported["results"][0]["scores"][0]["explanation"]
    assert "17*24" in explanation
    assert "17*23" in explanation


async def test_a_tool_that_fails_tells_the_model_and_the_agent_goes_on(
    aloi: Command, tmp_path: Path, model_server: ModelServer
) -> None:
    target = agent(model_server, 'tool-once:calculator:{"expression": "1/0"}', "calculator")
    suite = write_suite(tmp_path, target, [{"prompt": "Divide."}], evaluators=[{"kind": "contains", "text": "zero"}])
    run, _ = await evaluated(aloi, suite)
    assert run.returncode == 0, run.stdout + run.stderr


async def test_a_model_that_calls_tools_for_ever_is_stopped(
    aloi: Command, tmp_path: Path, model_server: ModelServer
) -> None:
    target = agent(model_server, "tools:1000", "datetime", limits={"steps": 3})
    suite = write_suite(tmp_path, target, [{"key": "loop", "prompt": "case"}])
    run, exported = await evaluated(aloi, suite)
    assert run.returncode == 3, run.stdout
    assert "no decided case, 1 error" in run.stdout
    [result] = exported["results"]
    assert (result["failure"]["stage"], result["failure"]["type"]) == ("invoke", "step_limit")
    assert len([span for span in result["outcome"]["trace"]["spans"] if span["name"].startswith("execute_tool")]) == 3
    assert model_server.stats.requests == 3


READ = "from pathlib import Path\nPath('note.txt').write_text(Path('note.txt').read_text() + '!')"


def append_and_read(request: ChatRequestBody) -> Reply:
    """Append the prompt to a file by one tool and a sign by another, and answer with the file and the folder."""
    done = request.tool_results
    steps = [
        ToolCall("file_ops", json.dumps({"action": "append", "path": "note.txt", "content": request.prompt})),
        ToolCall("python_exec", json.dumps({"code": READ})),
        ToolCall("file_ops", json.dumps({"action": "read", "path": "note.txt"})),
        ToolCall("file_ops", json.dumps({"action": "list"})),
    ]
    return Answer(tool_calls=(steps[len(done)],)) if len(done) < len(steps) else "\n".join(done[2:])


async def test_every_case_has_a_workspace_of_its_own(aloi: Command, tmp_path: Path, model_server: ModelServer) -> None:
    model_server.reply = append_and_read
    names = ("red", "green", "blue")
    cases = [{"key": name, "prompt": name, "expected_output": f"{name}!"} for name in names]
    target = agent(model_server, "any", "file_ops", "python_exec")
    suite = write_suite(tmp_path, target, cases, evaluators=[{"kind": "contains"}], run={"trials": 2})
    run, exported = await evaluated(aloi, suite)
    assert run.returncode == 0, run.stdout + run.stderr
    answers = [(result["case_key"], result["outcome"]["output"]) for result in exported["results"]]
    assert len(answers) == 6
    for name, answer in answers:
        content, listing = map(json.loads, answer.split("\n"))
        assert content == {"content": f"{name}!"}
        assert [entry["name"] for entry in listing["entries"]] == ["note.txt"]
