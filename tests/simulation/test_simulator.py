"""The stand-ins of a trial: whose simulations they are, what they see of the path, what they used."""

import json
from typing import Any

import pytest

from aloi.core.case import Case
from aloi.core.errors import StageFailure
from aloi.core.spec import JsonObject
from aloi.core.trace import OPERATION, TOOL_ARGUMENTS, TOOL_NAME, TOOL_RESULT
from aloi.core.usage import NO_USAGE
from aloi.simulation.generated import AnswerWriter
from aloi.simulation.simulator import Simulator, TrialStandIns
from aloi.tracing.recorder import Recording
from tests.scripted_model import USAGE, ScriptedModel

FIXED = {"kind": "static", "answers": [{"output": "first"}, {"output": "then"}]}
WRITTEN = {"kind": "generated", "description": "A mild day."}


def case(**simulations: Any) -> Case:
    return Case.model_validate({"prompt": "x", "simulations": simulations})


def simulator(model: ScriptedModel | None = None, **simulations: Any) -> Simulator:
    return Simulator(case(**simulations).simulations, AnswerWriter(model) if model else None)


def trial(made: Simulator, given: Case | None = None, recording: Recording | None = None) -> TrialStandIns:
    return made.stand_ins(given or case(), (recording or Recording()).spans)


async def output(stand_ins: TrialStandIns, component: str) -> Any:
    return (await stand_ins.answer(component, {}, None)).output


async def test_a_case_may_have_its_own_in_place_of_the_datasets() -> None:
    own = {"kind": "static", "answers": [{"output": "own"}]}
    stand_ins = trial(simulator(lookup=FIXED, mail=FIXED), case(mail=own, extra=own))
    assert [stand_ins.covers(name) for name in ("lookup", "mail", "extra", "other")] == [True, True, True, False]
    assert [await output(stand_ins, name) for name in ("lookup", "mail", "extra")] == ["first", "own", "own"]


async def test_each_trial_begins_with_the_first_answer() -> None:
    made = simulator(lookup=FIXED)
    first, second = trial(made), trial(made)
    assert [await output(first, "lookup"), await output(first, "lookup")] == ["first", "then"]
    assert await output(second, "lookup") == "first"


async def test_how_an_answer_came_about_is_told() -> None:
    stand_ins = trial(simulator(ScriptedModel(["Mild."]), lookup=FIXED, weather=WRITTEN))
    assert [stand_ins.provenance(name) for name in ("lookup", "weather")] == ["static", "generated"]
    assert await stand_ins.answer("lookup", {}, None) == ("first", "static", None)
    assert stand_ins.usage == NO_USAGE
    assert await stand_ins.answer("weather", {}, None) == ("Mild.", "generated", None)
    assert stand_ins.usage == USAGE


async def test_a_fixed_answer_that_the_component_would_never_give_is_told_and_given() -> None:
    stand_ins = trial(simulator(lookup={"kind": "static", "answers": [{"output": "first"}, {"output": {"n": 1}}]}))
    wanted: JsonObject = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}
    first = await stand_ins.answer("lookup", {}, wanted)
    assert (first.output, first.misfit) == ("first", "$: 'first' is not of type 'object'")
    assert await stand_ins.answer("lookup", {}, wanted) == ({"n": 1}, "static", None)


async def test_trials_share_what_was_written_and_who_asked_first_pays() -> None:
    made = simulator(ScriptedModel(["Mild.", "Wild."]), weather=WRITTEN)
    first, second = trial(made), trial(made)
    assert [await output(first, "weather"), await output(second, "weather")] == ["Mild.", "Mild."]
    assert (first.usage, second.usage) == (USAGE, NO_USAGE)


async def test_the_model_sees_the_path_until_now_and_not_the_call_that_it_answers() -> None:
    model, recording = ScriptedModel(["Mild."]), Recording()
    call: JsonObject = {OPERATION: "execute_tool", TOOL_NAME: "lookup", TOOL_ARGUMENTS: {"q": "Paris"}}
    with recording.span("execute_tool lookup", {**call, TOOL_RESULT: "capital"}):
        pass
    with recording.span("execute_tool weather", {**call, TOOL_NAME: "weather"}):
        await trial(simulator(model, weather=WRITTEN), recording=recording).answer("weather", {"city": "Paris"}, None)
    [line] = [line for line in model.seen.splitlines() if line.startswith('{"step"')]
    assert json.loads(line) == {
        "step": 1,
        "type": "tool",
        "tool": "lookup",
        "args": {"q": "Paris"},
        "result": "capital",
        "provenance": "real",
    }


async def test_without_a_model_nothing_is_generated() -> None:
    with pytest.raises(StageFailure, match="no model is set; set ALOI_JUDGE_MODEL") as caught:
        await output(trial(simulator(weather=WRITTEN)), "weather")
    assert (caught.value.stage, caught.value.type) == ("invoke", "simulation")


async def test_what_is_not_simulated_is_not_answered() -> None:
    with pytest.raises(LookupError):
        await output(trial(Simulator()), "lookup")
