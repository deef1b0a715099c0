"""Executions that wait for people on real servers: through `kill -9`, and with two servers at work."""

from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import Command, stats, until
from tests.e2e.serving import Served
from tests.model_server import ModelServerProcess, serve
from tests.store.backends import BACKENDS, fresh

# What the model is asked by each step, in order: the first before a person is asked, the others afterwards.
PROMPTS = ("one Hi", "two yes", "three two yes", "four three two yes", "five four three two yes")


@pytest.fixture
def models() -> Iterator[ModelServerProcess]:
    """It counts what it is asked."""
    with serve("--latency", "0.3") as server:
        yield server


@pytest.fixture(params=BACKENDS)
async def host(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Command]:
    """The command where the servers are, over a fresh database of each kind."""
    async with fresh(request, tmp_path) as address:
        command = Command(tmp_path / "home")
        command.environ["ALOI_DATABASE_URL"] = address
        yield command


def workflow(models: ModelServerProcess) -> dict[str, Any]:
    """Five questions to a model, each about the answer before; a person is asked behind the first."""

    def step(name: str, prompt: str) -> dict[str, Any]:
        body = {"model": "echo", "messages": [{"role": "user", "content": prompt}]}
        return {
            "name": name,
            "kind": "http",
            "method": "POST",
            "url": f"{models.url}/chat/completions",
            "body": body,
            "output": "$.choices[0].message.content",
        }

    return {
        "kind": "workflow",
        "steps": [
            step("one", "one {{ input }}"),
            {"name": "approve", "kind": "human", "question": "Go on with {{ steps.one }}?"},
            step("two", "two {{ steps.approve }}"),
            step("three", "three {{ steps.two }}"),
            step("four", "four {{ steps.three }}"),
            step("five", "five {{ steps.four }}"),
        ],
    }


def asked(server: Served, models: ModelServerProcess) -> dict[str, Any]:
    """An execution that waits for a person."""
    target = server.post("/api/targets", {"name": "flow", "definition": workflow(models)})
    execution = server.post(f"/api/targets/{target['id']}/invoke", {"input": "Hi"})
    assert [step["question"] for step in execution["human_steps"]] == ["Go on with one Hi?"]
    assert execution["status"] == "waiting"
    return execution


def found(server: Served, execution: dict[str, Any]) -> dict[str, Any]:
    return server.get(f"/api/executions/{execution['id']}")


def settled(server: Served, execution: dict[str, Any]) -> dict[str, Any]:
    until(lambda: found(server, execution)["status"] != "running")
    return found(server, execution)


def answer(server: Served, execution: dict[str, Any]) -> str:
    """`answered`, or why not."""
    try:
        server.post(f"/api/executions/{execution['id']}/steps/approve/answer", {"answer": "yes"})
    except AssertionError as refused:
        return str(refused)
    return "answered"


def test_a_kill_in_the_middle_runs_no_finished_step_again(
    host: Command, servers: list[Served], models: ModelServerProcess
) -> None:
    servers.append(first := Served(host))
    execution = asked(first, models)
    assert answer(first, execution) == "answered"
    until(lambda: stats(models.root)["prompts"].get(PROMPTS[2], 0) == 1)
    first.kill()
    servers.append(second := Served(host))
    done = settled(second, execution)
    assert (done["status"], done["outcome"]["output"]) == ("ok", PROMPTS[4])
    prompts = stats(models.root)["prompts"]
    again = [text for text in PROMPTS if prompts[text] != 1]
    # On a slow machine the kill comes a step later.
    assert again in ([PROMPTS[2]], [PROMPTS[3]]) and prompts[again[0]] == 2
    trace = done["outcome"]["trace"]
    assert trace["trace_id"] == execution["outcome"]["trace"]["trace_id"]
    steps = [span for span in trace["spans"] if span["name"].startswith("step ") and not span["error"]]
    names = [span["name"] for span in steps if "aloi.step.output" in span["attributes"]]
    assert names == [f"step {name}" for name in ("one", "approve", "two", "three", "four", "five")]


def test_one_that_waits_outlives_its_server(host: Command, servers: list[Served], models: ModelServerProcess) -> None:
    servers.append(first := Served(host))
    execution = asked(first, models)
    first.end()
    servers.append(second := Served(host))
    [waiting] = second.get("/api/executions/waiting")["items"]
    assert (waiting["execution_id"], waiting["step"]) == (execution["id"], "approve")
    assert answer(second, execution) == "answered"
    assert settled(second, execution)["outcome"]["output"] == PROMPTS[4]
    assert stats(models.root)["prompts"] == dict.fromkeys(PROMPTS, 1)


def test_two_servers_and_one_answer(host: Command, servers: list[Served], models: ModelServerProcess) -> None:
    servers.append(one := Served(host))
    servers.append(two := Served(host))
    execution = asked(one, models)
    with ThreadPoolExecutor() as pool:
        ended = list(pool.map(answer, (one, two), (execution, execution)))
    assert sorted(said[:8] for said in ended) == ['409 {"ty', "answered"]
    # Both look for what nobody works on every two seconds; this takes no less.
    assert settled(two, execution)["outcome"]["output"] == PROMPTS[4]
    assert stats(models.root)["prompts"] == dict.fromkeys(PROMPTS, 1)
