"""Simulated tools served by MCP to an agent that runs elsewhere, through the whole path: run, server, agent, grades."""

import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.core.errors import InvalidInput
from aloi.core.run import JudgeSpec
from aloi.core.trajectory import trajectory
from aloi.service.context import Context
from tests.api.calls import RunningServer, running
from tests.api.served_lab import ASK, IN_TURN, PLACE, WEATHER, WRITE, WRITTEN, Lab, answers_of, asking, calls_of
from tests.mcp_agent import McpAgent
from tests.model_server import ModelServer
from tests.service.started_runs import results_of
from tests.store.backends import BACKENDS


@pytest.fixture
async def agent(tmp_path: Path) -> AsyncIterator[McpAgent]:
    folder = tmp_path / "real"
    folder.mkdir()
    async with McpAgent(folder) as agent:
        yield agent


@pytest.fixture
async def lab(server: RunningServer, agent: McpAgent) -> Lab:
    server.context.address = server.url
    return Lab(server.context, agent)


both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


@both
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_an_agent_elsewhere_runs_against_the_simulated_tools(lab: Lab, mode: str) -> None:
    lab.agent.mode = mode
    graded = (
        {"kind": "tool_call_order", "tools": ["weather", "write", "weather"], "mode": "exact"},
        {"kind": "tool_call_args", "calls": [{"tool": "weather", "args": {"city": "Paris"}}]},
        {"kind": "tool_call_output", "outputs": [{"tool": "weather", "output": {"degrees": 2}}]},
    )
    run = await lab.run([asking("a", ASK, WRITE, ASK)], {"weather": IN_TURN, "write": WRITTEN}, graded)
    result = (await results_of(lab.context, run))["a"]
    assert result.failure is None
    assert [score.verdict for score in result.scores] == ["pass"] * 3
    assert result.outcome.output == {
        "tools": ["weather", "write"],
        "answers": [{"degrees": 1}, "done", {"degrees": 2}],
    }
    assert calls_of(result) == [
        ("weather", "static", {"degrees": 1}),
        ("write", "static", "done"),
        ("weather", "static", {"degrees": 2}),
    ]
    assert list(lab.agent.folder.iterdir()) == []


async def test_what_is_not_simulated_is_not_served(lab: Lab) -> None:
    run = await lab.run([asking("a", ASK)], {"weather": IN_TURN}, allow_side_effects=True)
    assert (await results_of(lab.context, run))["a"].failure is None
    (tool,) = lab.agent.listed
    assert tool == {
        "name": "weather",
        "description": "The weather of a city.",
        "inputSchema": PLACE,
        "outputSchema": WEATHER,
    }


async def test_the_address_is_in_the_header_and_where_the_body_says(lab: Lab) -> None:
    body = {"calls": "{{input.calls}}", "mcp": "{{mcp_url}}", "note": "at {{mcp_url}}"}
    await lab.run([asking("a", ASK)], {"weather": IN_TURN}, body=body, allow_side_effects=True)
    ((header, in_body),) = lab.agent.urls
    assert header == in_body and header is not None
    address, _, token = header.rpartition("/")
    assert address == f"{lab.context.address}/mcp" and len(token) == 43


async def test_without_simulations_the_real_tools_run(lab: Lab) -> None:
    body = {"calls": "{{input.calls}}", "mcp": "{{mcp_url}}"}
    run = await lab.run([asking("a", WRITE)], {}, body=body, allow_side_effects=True)
    result = (await results_of(lab.context, run))["a"]
    assert lab.agent.urls == [(None, None)]
    assert (lab.agent.folder / "note.txt").read_text() == "real"
    assert result.outcome.trace is not None and not result.outcome.trace.shows_tools


async def test_each_trial_begins_with_the_first_answer(lab: Lab) -> None:
    run = await lab.run([asking("a", ASK, ASK, ASK)], {"weather": IN_TURN, "write": WRITTEN}, limits={"trials": 2})
    answers = [answers_of(result) for result in await lab.every(run)]
    assert answers == [[{"degrees": degrees} for degrees in (1, 2, 2)]] * 2


async def test_a_case_may_have_its_own(lab: Lab) -> None:
    own = {"weather": {"kind": "static", "answers": [{"output": {"degrees": 30}}]}}
    cases = [asking("a", ASK), {**asking("b", ASK), "simulations": own}]
    run = await lab.run(cases, {"weather": IN_TURN, "write": WRITTEN})
    results = await results_of(lab.context, run)
    assert [answers_of(results[key]) for key in "ab"] == [[{"degrees": 1}], [{"degrees": 30}]]


@both
async def test_many_trials_and_calls_at_once_each_get_their_turn(lab: Lab) -> None:
    answers = [{"output": {"degrees": degrees}} for degrees in range(4)]
    simulations = {"weather": {"kind": "static", "answers": answers}, "write": WRITTEN}
    cases = [asking(f"k{n}", ASK, ASK, ASK, ASK, at_once=True) for n in range(20)]
    run = await lab.run(cases, simulations, limits={"concurrency": 20})
    results = await results_of(lab.context, run)
    assert len(results) == 20
    for result in results.values():
        calls = calls_of(result)
        assert sorted(call[2]["degrees"] for call in calls) == [0, 1, 2, 3], result.failure


async def test_answers_by_condition_and_one_that_none_is_meant_for(lab: Lab) -> None:
    """The agent goes on after the error, but what it does then it does not do in the world of the case."""
    cold = {"output": {"degrees": -5}, "when": [{"path": "$.city", "equals": "Oslo"}]}
    simulations = {"weather": {"kind": "static", "answers": [cold]}, "write": WRITTEN}
    run = await lab.run([asking("a", ["weather", {"city": "Oslo"}]), asking("b", ASK, WRITE)], simulations)
    results = await results_of(lab.context, run)
    assert calls_of(results["a"]) == [("weather", "static", {"degrees": -5})]
    failure = results["b"].failure
    assert failure is not None and (failure.stage, failure.type) == ("invoke", "simulation")
    assert "no answer of the simulation of weather is meant for the arguments" in failure.message
    assert [tool for tool, *_ in calls_of(results["b"])] == ["weather", "write"]


async def test_arguments_that_do_not_fit_are_told_to_the_agent(lab: Lab) -> None:
    run = await lab.run(
        [asking("a", ["weather", {"city": 7}], ["nothing", {}], ASK)], {"weather": IN_TURN, "write": WRITTEN}
    )
    result = (await results_of(lab.context, run))["a"]
    wrong, unknown, right = answers_of(result)
    assert "the arguments do not fit: $.city: 7 is not of type 'string'" in wrong["error"]
    assert unknown == {"error": "there is no tool nothing; the tools are: weather, write"}
    assert right == {"degrees": 1}  # the wrong call took no turn
    assert result.outcome.trace is not None
    path = trajectory(result.outcome.trace)
    assert [(call.args, call.error is None) for call in path.tool_calls] == [
        ({"city": 7}, False),
        ({"city": "Paris"}, True),
    ]


GENERATED = {"kind": "generated", "description": "It is mild."}


def judge(models: ModelServer, name: str) -> JudgeSpec:
    return JudgeSpec(model=f"openai:{name}", base_url=models.url)


class TestGenerated:
    @both
    async def test_a_model_writes_each_different_call_once_for_the_run(
        self, lab: Lab, model_server: ModelServer
    ) -> None:
        cases = [asking("a", ASK, ASK), asking("b", ASK)]
        run = await lab.run(
            cases,
            {"weather": GENERATED, "write": WRITTEN},
            judge=judge(model_server, "judge-pass"),
            limits={"concurrency": 1, "trials": 2},
        )
        results = await lab.every(run)
        given = {str(output) for result in results for _, _, output in calls_of(result)}
        assert {how for result in results for _, how, _ in calls_of(result)} == {"generated"}
        assert len(given) == 1
        # The second call of a trial has another path, and so is another call.
        assert len(model_server.requests) == 2
        assert sum(result.outcome.simulation_usage.calls for result in results) == 2
        assert run.summary is not None and run.summary.judge_usage.calls == 2
        seen = [str(request.body["messages"][1]["content"]) for request in model_server.requests]
        assert "weather" in seen[0] and "It is mild." in seen[0]
        assert '"tool": "weather"' not in seen[0] and '"tool": "weather"' in seen[1]

    async def test_one_that_never_fits_is_an_error_of_the_case(self, lab: Lab, model_server: ModelServer) -> None:
        run = await lab.run(
            [asking("a", ASK)], {"weather": GENERATED, "write": WRITTEN}, judge=judge(model_server, "fixed:It is mild.")
        )
        result = (await results_of(lab.context, run))["a"]
        assert result.failure is not None and result.failure.type == "simulation"
        assert "does not fit in any of 3 replies" in result.failure.message
        assert result.outcome.simulation_usage.calls == 3


class TestRefusedAtTheStart:
    async def test_without_an_address(self, lab: Lab) -> None:
        lab.context.address = None
        with pytest.raises(
            InvalidInput, match=r"no server that serves them is known here; .*aloi serve.*ALOI_PUBLIC_URL"
        ):
            await lab.start([asking("a")], {"weather": IN_TURN, "write": WRITTEN})

    async def test_an_agent_that_cannot_reach_the_loopback(self, lab: Lab) -> None:
        with pytest.raises(InvalidInput, match=r"agent\.example\.org cannot reach .*set ALOI_PUBLIC_URL"):
            await lab.start([asking("a")], {"weather": IN_TURN, "write": WRITTEN}, url="https://agent.example.org/x")

    async def test_nothing_is_served_so_no_address_is_needed(self, lab: Lab) -> None:
        lab.context.address = None
        assert (await lab.run([asking("a")], {}, allow_side_effects=True)).summary is not None

    async def test_a_side_effect_that_is_not_simulated(self, lab: Lab) -> None:
        with pytest.raises(InvalidInput, match=r"not simulated: write \(case a\)"):
            await lab.start([asking("a")], {"weather": IN_TURN})

    async def test_what_the_agent_is_not_said_to_have(self, lab: Lab) -> None:
        with pytest.raises(InvalidInput, match="its tools and steps are: weather, write"):
            await lab.start([asking("a")], {"wether": IN_TURN}, allow_side_effects=True)
        with pytest.raises(InvalidInput, match="its tools and steps are: none"):
            await lab.start([asking("a")], {"weather": IN_TURN}, tools=[])


@both
async def test_a_run_of_another_process_is_served_by_a_server_over_the_same_database(
    lab: Lab, server: RunningServer
) -> None:
    """As `aloi run` does it with ALOI_PUBLIC_URL."""
    settings = server.context.settings.model_copy(update={"public_url": server.url})
    other = await Context.open(settings, {})
    try:
        run = await Lab(other, lab.agent).run([asking("a", ASK)], {"weather": IN_TURN, "write": WRITTEN})
        assert calls_of((await results_of(other, run))["a"]) == [("weather", "static", {"degrees": 1})]
    finally:
        await other.close()


@both
async def test_two_servers_over_one_database_answer_one_trial(lab: Lab, server: RunningServer) -> None:
    answers = [{"output": {"degrees": degrees}} for degrees in range(6)]
    simulations = {"weather": {"kind": "static", "answers": answers}, "write": WRITTEN}
    other = await Context.open(server.context.settings, {})
    try:
        async with running(other) as second:
            lab.agent.servers = [server.url, second.url]
            run = await lab.run([asking("a", *[ASK] * 6), asking("b", *[ASK] * 6, at_once=True)], simulations)
    finally:
        await other.close()
    results = await results_of(lab.context, run)
    given = {key: [output["degrees"] for _, _, output in calls_of(result)] for key, result in results.items()}
    assert given == {"a": [0, 1, 2, 3, 4, 5], "b": [0, 1, 2, 3, 4, 5]}
    assert sorted(answer["degrees"] for answer in answers_of(results["b"])) == [0, 1, 2, 3, 4, 5]


def test_the_mcp_libraries_are_imported_when_something_is_served() -> None:
    program = "import sys; from aloi.api.app import create_app; create_app(None); print('mcp' in sys.modules)"
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
