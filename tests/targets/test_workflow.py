"""The target kind `workflow` as a whole: its input and output, parking, and what it says of its steps.

Its steps of every kind against servers: test_workflow_steps.py, test_workflow_faults.py. Its checks: core/flow.
"""

import json
import pickle
from typing import Any

import pytest
from pydantic import JsonValue

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.spec import JsonObject
from aloi.core.target import Invocation, Parked, PinnedTarget, Reply, Target
from aloi.core.trajectory import trajectory
from aloi.plugins import build
from aloi.targets.workflow import Workflow
from aloi.tracing.recorder import Recording
from tests.workflow.probes import target_context

AGENT: dict[str, Any] = {"model": "openai:m", "api_key_env": "MY_KEY", "tools": ["calculator"]}
STEPS: list[Any] = [
    {"name": "a", "kind": "transform", "template": "<{{ input.q }}>"},
    {"name": "ask", "kind": "human", "question": "Well, {{ steps.a }}?"},
    {"name": "b", "kind": "transform", "value": ["{{ steps.a }}", "{{ steps.ask }}"]},
]


def workflow(*steps: Any, **fields: Any) -> Workflow:
    built = build("targets", {"kind": "workflow", "steps": [*steps], **fields}, Target)
    assert isinstance(built, Workflow)
    return built


async def invoked(one: Target, given: Any, state: JsonObject | None = None, **answers: JsonValue) -> Reply | Parked:
    return await one.invoke(Invocation(input=given, state=state, answers=answers), target_context(Recording()))


class TestInAndOut:
    ONE = {"name": "a", "kind": "transform", "value": "{{ input }}"}

    async def test_the_default_output_is_that_of_the_last_step(self) -> None:
        assert await invoked(workflow(self.ONE), "x") == Reply(output="x")
        assert await invoked(workflow(self.ONE, output={"all": ["{{ steps.a }}"]}), "x") == Reply(output={"all": ["x"]})

    async def test_every_violation_of_the_input_is_told_and_nothing_runs(self) -> None:
        schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["q"]}
        recorder = Recording()
        with pytest.raises(StageFailure) as caught:
            given = Invocation(input={"n": "x"})
            await workflow(self.ONE, input_schema=schema).invoke(given, target_context(recorder))
        assert caught.value.type == "bad_input"
        assert "$.n: 'x' is not of type 'integer'" in caught.value.message
        assert "'q' is a required property" in caught.value.message
        assert [span.name for span in recorder.spans()] == ["invoke_workflow"]

    async def test_an_output_that_does_not_fit(self) -> None:
        with pytest.raises(StageFailure, match="the workflow's output does not fit its output_schema") as caught:
            await invoked(workflow(self.ONE, output_schema={"type": "number"}), "x")
        assert caught.value.type == "bad_output"

    async def test_an_output_that_cannot_be_made(self) -> None:
        with pytest.raises(StageFailure, match=r"the output: \{\{ input\.gone \}\} is undefined") as caught:
            await invoked(workflow(self.ONE, output="{{ input.gone }}"), {"q": 1})
        assert caught.value.type == "template"


class TestParking:
    async def test_it_parks_and_goes_on_after_its_state_was_stored(self) -> None:
        one = workflow(*STEPS)
        parked = await invoked(one, {"q": "x"})
        assert isinstance(parked, Parked)
        (question,) = parked.questions
        assert (question.step, question.text) == ("ask", "Well, <x>?")
        stored = json.loads(json.dumps(parked.state))
        assert await invoked(one, {"q": "x"}, stored, ask="yes") == Reply(output=["<x>", "yes"])

    async def test_the_path_shows_the_steps_that_are_over(self) -> None:
        recorder = Recording()
        await workflow(*STEPS).invoke(Invocation(input={"q": "x"}), target_context(recorder))
        assert [step.call.tool for step in trajectory(recorder.trace()).steps if step.call] == ["a"]
        recorder = Recording()
        await workflow(*STEPS).invoke(Invocation(input={"q": "x"}, answers={"ask": "no"}), target_context(recorder))
        calls = trajectory(recorder.trace()).tool_calls
        assert [(call.tool, call.output) for call in calls] == [("a", "<x>"), ("ask", "no"), ("b", ["<x>", "no"])]


class TestAnswersForItsSteps:
    def whole(self) -> Workflow:
        agent = {"name": "ask", "kind": "agent", "agent": AGENT}
        inner = {"name": "in", "kind": "agent", "agent": "helper"}
        return workflow(
            *STEPS[:1], agent | {"name": "helped"}, {"name": "m", "kind": "map", "items": [1], "steps": [inner]}
        )

    def test_models_components_and_references(self) -> None:
        one = self.whole()
        assert [model.model for model in one.models()] == ["openai:m"]
        assert {component.name for component in one.components()} == {"helped", "calculator", "in"}
        assert one.references() == ("helper",)
        assert one.uses_workspace and not one.runs_code and one.files() == () and one.skipped() == ()

    def test_a_plain_one_needs_nothing(self) -> None:
        one = workflow(*STEPS[:1])
        assert not one.uses_workspace and one.models() == () and one.references() == ()
        assert not Workflow.runs_code and not Workflow.uses_workspace

    def test_what_it_names_is_written_into_it(self) -> None:
        one = self.whole()
        server: JsonObject = {"name": "s", "url": "http://127.0.0.1:1/mcp"}
        definition: JsonObject = {"kind": "agent", **AGENT, "model": "openai:other", "mcp_servers": [server]}
        pinned = one.pinned({"helper": PinnedTarget(name="helper", number=3, definition=definition)})
        assert pinned.references() == ()
        assert {model.model for model in pinned.models()} == {"openai:m", "openai:other"}
        assert pinned.skipped() == ("s",)
        assert json.dumps(definition)[1:-1] in json.dumps(pinned.to_spec())
        assert build("targets", pinned.to_spec(), Target) == pinned

    def test_no_target_of_another_kind_can_be_written_into_it(self) -> None:
        definition: JsonObject = {"kind": "workflow", "steps": [*STEPS]}
        with pytest.raises(InvalidInput, match="only a target of kind agent"):
            self.whole().pinned({"helper": PinnedTarget(name="helper", number=3, definition=definition)})


def test_a_definition_survives_its_stored_form_and_another_process() -> None:
    one = workflow(*STEPS, input_schema={"type": "object"}, output={"x": "{{ steps.b }}"})
    assert build("targets", one.to_spec(), Target) == one
    assert pickle.loads(pickle.dumps(one)) == one


async def test_it_works_the_same_after_it_was_sent_to_another_process() -> None:
    one = pickle.loads(pickle.dumps(workflow(*STEPS[:1])))
    assert await invoked(one, {"q": 1}) == Reply(output="<1>")
