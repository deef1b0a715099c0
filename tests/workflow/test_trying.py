"""One step: its span, retries, deadline, stand-in, and what becomes of an output that cannot be kept."""

import asyncio
from typing import Any

import pytest
from pydantic import JsonValue

from aloi.core.errors import InvalidInput, NotPermitted, StageFailure
from aloi.core.simulation import Simulated
from aloi.core.spec import JsonObject
from aloi.core.step import StepContext
from aloi.core.trace import (
    MISFIT,
    OPERATION,
    PROVENANCE,
    STEP_INPUT,
    STEP_KIND,
    STEP_NAME,
    STEP_OUTPUT,
    STEP_TRIES,
    STEP_WAITING,
    Provenance,
)
from aloi.core.trajectory import trajectory
from aloi.workflow import trying
from aloi.workflow.trying import StepFailure
from tests.workflow.probes import Probe, Ran, asks, fails, its_path, probe


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "FIRST_PAUSE", 0)


class TwoStandIns:
    """`calculator` and `approve` are simulated."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, JsonValue, JsonObject | None]] = []

    def covers(self, component: str) -> bool:
        return component in ("calculator", "approve")

    def provenance(self, component: str) -> Provenance:
        return "static"

    async def answer(self, component: str, arguments: JsonValue, output_schema: JsonObject | None) -> Simulated:
        self.asked.append((component, arguments, output_schema))
        return Simulated("made up", "static", "it is no verdict" if component == "approve" else None)


async def test_the_span_has_what_it_was_given_and_what_it_gave() -> None:
    ran = await Ran([probe("a"), probe("b", "a", description="for people")]).done()
    (_, span) = ran.recorder.spans()
    assert span.name == "step b"
    assert span.attributes == {
        OPERATION: "workflow_step",
        STEP_NAME: "b",
        STEP_KIND: "probe",
        STEP_INPUT: {"a": "a"},
        STEP_OUTPUT: "b",
    }


async def test_a_step_that_waits_for_people_says_so() -> None:
    ran = await Ran([probe("a", work=asks)]).done()
    (span,) = ran.recorder.spans()
    assert span.attributes[STEP_WAITING] is True
    assert STEP_OUTPUT not in span.attributes and span.error is None


class TestRetries:
    @pytest.mark.parametrize("error", [StageFailure("invoke", "connection", "no line"), ValueError("odd")])
    async def test_it_is_tried_again_so_often(self, error: Exception) -> None:
        ran = await Ran([probe("a", work=fails(error, 2), retries=2)]).done()
        assert ran.outputs == {"a": "a"}
        assert ran.recorder.spans()[0].attributes[STEP_TRIES] == 3
        with pytest.raises(StepFailure):
            await Ran([probe("a", work=fails(error, 3), retries=2)]).done()

    @pytest.mark.parametrize("error", [NotPermitted("not here"), InvalidInput("no")])
    async def test_what_nothing_mends_is_not_tried_again(self, error: Exception) -> None:
        with pytest.raises(StepFailure, match=f"step a: {error}"):
            await Ran([probe("a", work=fails(error, 1), retries=5)]).done()

    async def test_an_expression_is_not_rendered_again(self) -> None:
        times: list[int] = []

        class Undefined(Probe):
            def arguments(self, document: JsonObject) -> JsonValue:
                times.append(1)
                raise StageFailure("invoke", "template", "nothing there")

        with pytest.raises(StepFailure, match="step a: nothing there"):
            await Ran([Undefined(name="a", retries=3)]).done()
        assert times == [1]


class TestDeadline:
    async def test_a_step_that_takes_longer_fails(self) -> None:
        async def long(ctx: StepContext) -> JsonValue:
            await asyncio.sleep(60)
            return None

        with pytest.raises(StepFailure, match=r"step a: no answer within 0\.02 s; raise its seconds") as caught:
            await Ran([probe("a", work=long, seconds=0.02)]).done()
        assert caught.value.type == "timeout"

    async def test_also_one_that_goes_on_all_the_same(self) -> None:
        async def stubborn(ctx: StepContext) -> JsonValue:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                return "late"
            return None

        with pytest.raises(StepFailure, match="no answer within"):
            await Ran([probe("a", work=stubborn, seconds=0.02)]).done()

    async def test_a_time_out_of_its_own_is_no_deadline(self) -> None:
        with pytest.raises(StepFailure, match="step a raised TimeoutError") as caught:
            await Ran([probe("a", work=fails(TimeoutError("theirs")), seconds=60)]).done()
        assert caught.value.type == "exception"

    async def test_a_cancel_that_nobody_asked_for_is_a_failure(self) -> None:
        with pytest.raises(StepFailure, match="it raised CancelledError"):
            await Ran([probe("a", work=fails(asyncio.CancelledError()))]).done()

    async def test_a_group_of_the_steps_own_that_fails_is_no_cancel(self) -> None:
        """Up to Python 3.12 it leaves the task marked as one that was asked to end."""
        tries: list[int] = []

        async def grouped(ctx: StepContext) -> JsonValue:
            tries.append(1)
            if len(tries) > 1:
                return "done"
            async with asyncio.TaskGroup() as group:
                group.create_task(fails(ValueError("odd"))(ctx))
            return None

        ran = await Ran([probe("a", work=grouped, retries=1), probe("b", "a")]).done()
        assert ran.outputs == {"a": "done", "b": "b"}


class TestStandIns:
    async def test_a_simulated_step_does_not_run(self) -> None:
        stand_ins = TwoStandIns()
        steps = [probe("a"), probe("approve", "a", work=fails(AssertionError("it ran")))]
        ran = await Ran(steps, stand_ins=stand_ins).done()
        assert ran.outputs["approve"] == "made up"
        assert ran.recorder.spans()[-1].attributes[MISFIT] == "it is no verdict"
        assert stand_ins.asked == [("approve", {"a": "a"}, None)]
        assert ran.recorder.spans()[1].attributes[PROVENANCE] == "static"

    async def test_a_call_of_a_tool_reads_the_same_whoever_answers(self) -> None:
        steps = [probe("real", tool="clock"), probe("calculator", tool="calculator")]
        ran = await Ran(steps, stand_ins=TwoStandIns()).done()
        calls = [span for span in ran.recorder.spans() if span.operation == "execute_tool"]
        assert [(span.name, span.attributes[PROVENANCE]) for span in calls] == [
            ("execute_tool clock", "real"),
            ("execute_tool calculator", "static"),
        ]
        path = trajectory(ran.recorder.trace())
        assert [(call.tool, call.args, call.output, call.provenance) for call in path.tool_calls] == [
            ("real", {}, "real", "real"),
            ("calculator", {}, "made up", "static"),
        ]


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (float("nan"), "NaN"),
        ([[]] * 10, None),
        ("x" * 20_000_001, "20,000,000 characters"),
        ([["x" * 1_000_000] * 30] * 30, "20,000,000 characters"),
    ],
)
async def test_an_output_that_cannot_be_kept_is_a_failure(output: Any, said: str | None) -> None:
    async def give(ctx: StepContext) -> JsonValue:
        return output

    if said is None:
        assert (await Ran([probe("a", work=give)]).done()).outputs == {"a": output}
        return
    with pytest.raises(StepFailure, match=said):
        await Ran([probe("a", work=give)]).done()


async def test_half_a_character_is_mended() -> None:
    async def give(ctx: StepContext) -> JsonValue:
        return {"a": "\ud83d"}

    assert (await Ran([probe("a", work=give)]).done()).outputs == {"a": {"a": "\ufffd"}}


async def test_a_failure_says_whose_it_is() -> None:
    with pytest.raises(StepFailure, match="step a raised KeyError: 'x'") as caught:
        await Ran([probe("a", work=fails(KeyError("x")))]).done()
    assert (caught.value.stage, caught.value.type) == ("invoke", "exception")
    assert (await Ran([probe("a", work=its_path)]).done()).outputs == {"a": "a"}
