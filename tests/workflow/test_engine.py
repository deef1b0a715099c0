"""The order in which steps run: by what they refer to and nothing else. Retries, deadlines, stand-ins: test_trying."""

import asyncio
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from aloi.core.errors import StageFailure
from aloi.core.step import StepContext
from aloi.core.trace import STEP_NAME, STEP_SKIPPED
from aloi.workflow.trying import StepFailure
from tests.workflow.probes import Probe, Ran, asks, fails, probe

Edges = list[set[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Edges:
    """For each of some steps the earlier ones that it refers to."""
    number = draw(st.integers(1, 12))
    return [draw(st.sets(st.integers(0, index - 1), max_size=4)) if index else set() for index in range(number)]


async def settled() -> None:
    """Let everything happen that can."""
    for _ in range(40):
        await asyncio.sleep(0)


class Held:
    """Steps that end when they are told to."""

    def __init__(self, edges: Edges, order: list[int]) -> None:
        self.started: Counter[str] = Counter()
        self.futures: dict[str, asyncio.Future[None]] = {}
        steps = [self._step(index, edges[index]) for index in range(len(edges))]
        self.ran = Ran([steps[index] for index in order])

    def _step(self, index: int, before: set[int]) -> Probe:
        async def work(ctx: StepContext) -> JsonValue:
            self.started[ctx.path] += 1
            self.futures[ctx.path] = asyncio.get_running_loop().create_future()
            await self.futures[ctx.path]
            return index

        return probe(f"s{index}", *(f"s{other}" for other in sorted(before)), work=work)

    def in_flight(self) -> set[str]:
        return {name for name, future in self.futures.items() if not future.done()}


@given(graphs(), st.data())
@settings(max_examples=60, deadline=None)
def test_at_every_moment_exactly_those_run_whose_inputs_are_there(edges: Edges, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(edges))))

    async def main() -> None:
        held = Held(edges, [*order])
        running = asyncio.create_task(held.ran.done())
        over: set[int] = set()
        while len(over) < len(edges):
            await settled()
            ready = {i for i, before in enumerate(edges) if i not in over and before <= over}
            assert held.in_flight() == {f"s{index}" for index in ready}
            ending = data.draw(st.sampled_from(sorted(ready)))
            held.futures[f"s{ending}"].set_result(None)
            over.add(ending)
        await running
        assert set(held.started.values()) == {1}
        assert held.ran.outputs == {f"s{index}": index for index in range(len(edges))}

    asyncio.run(main())


async def test_a_step_that_fails_ends_all_and_cancels_those_in_flight() -> None:
    cancelled: list[str] = []

    async def long(ctx: StepContext) -> JsonValue:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(ctx.path)
            raise
        return None

    async def soon(ctx: StepContext) -> JsonValue:
        await settled()
        raise StageFailure("invoke", "broken", "it is broken")

    ran = Ran([probe("long", work=long), probe("soon", work=soon), probe("never", "soon")])
    with pytest.raises(StepFailure, match="step soon: it is broken") as caught:
        await ran.done()
    assert caught.value.type == "broken"
    assert cancelled == ["long"]
    assert {span.name: span.error for span in ran.recorder.spans()} == {
        "step long": "it was cancelled",
        "step soon": "step soon: it is broken",
    }


async def test_a_cancel_from_outside_reaches_the_steps() -> None:
    reached = asyncio.Event()

    async def long(ctx: StepContext) -> JsonValue:
        try:
            await asyncio.sleep(60)
        finally:
            reached.set()
        return None

    task = asyncio.create_task(Ran([probe("long", work=long, retries=3)]).done())
    await settled()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert reached.is_set()


async def test_two_that_fail_at_once_are_one_failure() -> None:
    steps = [probe(name, work=fails(ValueError(name))) for name in ("a", "b")]
    with pytest.raises(StepFailure, match=r"step [ab] raised ValueError: [ab]"):
        await Ran(steps).done()


class TestSkipping:
    async def ways(self, taken: str, *steps: Probe) -> Any:
        async def choose(ctx: StepContext) -> JsonValue:
            return taken

        ran = await Ran([probe("route", work=choose), *steps]).done()
        spans = ran.recorder.spans()
        skipped = {str(span.attributes[STEP_NAME]) for span in spans if span.attributes.get(STEP_SKIPPED)}
        assert skipped == ran.progress.skipped
        return ran, skipped

    async def test_a_step_runs_on_its_way_alone(self) -> None:
        steps = [probe("a", when={"route": "left"}), probe("b", when={"route": ["right", "left"]}), probe("c")]
        ran, skipped = await self.ways("right", *steps)
        assert skipped == {"a"}
        assert ran.outputs == {"route": "right", "a": None, "b": "b", "c": "c"}

    async def test_what_depends_on_skipped_steps_alone_is_skipped(self) -> None:
        steps = [
            probe("a", when={"route": "left"}),
            probe("b", "a"),
            probe("c", "b", needs=["a"]),
            probe("d", "b", "route"),
        ]
        ran, skipped = await self.ways("right", *steps)
        assert skipped == {"a", "b", "c"}
        assert ran.outputs["d"] == "d"

    async def test_a_skipped_branch_takes_no_way(self) -> None:
        steps = [probe("inner", when={"route": "left"}), probe("a", when={"inner": "x"})]
        assert (await self.ways("right", *steps))[1] == {"inner", "a"}


class TestParking:
    """Somebody must answer: all that can runs, and what is over does not run again."""

    def steps(self, count: Counter[str]) -> list[Probe]:
        async def counted(ctx: StepContext) -> JsonValue:
            count[ctx.path] += 1
            return ctx.path.upper()

        async def ask(ctx: StepContext) -> Any:
            count[ctx.path] += ctx.path in ctx.answers
            return await asks(ctx)

        return [
            probe("a", work=counted),
            probe("ask1", "a", work=ask),
            probe("ask2", work=ask),
            probe("b", "a", work=counted),
            probe("c", "ask1", "b", work=counted),
            probe("d", "ask2", "c", work=counted),
        ]

    async def test_the_rest_runs_before_it_parks(self) -> None:
        ran = await Ran(self.steps(Counter())).done()
        assert {question.step for question in ran.questions} == {"ask1", "ask2"}
        assert ran.progress.state()["steps"] == {"a": "A", "b": "B"}

    @pytest.mark.parametrize("first", ["ask1", "ask2"])
    async def test_it_goes_on_from_every_state_and_runs_each_step_once(self, first: str) -> None:
        count: Counter[str] = Counter()
        steps = self.steps(count)
        parked = await Ran(steps).done()
        second = await Ran(steps, {first: 1}, parked.progress.state()).done()
        (question,) = second.questions
        assert question.step != first
        last = await Ran(steps, {question.step: 1}, second.progress.state()).done()
        assert last.questions == ()
        assert last.outputs == {"a": "A", "ask1": 1, "ask2": 1, "b": "B", "c": "C", "d": "D"}
        assert set(count.values()) == {1} and set(count) == set(last.outputs)

    async def test_it_goes_on_from_whatever_was_kept(self) -> None:
        """As after a crash: every state that was kept leads to the same end, and nothing in it runs again."""
        states: list[Any] = []

        async def keep(state: Any) -> None:
            states.append(state)

        answers: dict[str, JsonValue] = {"ask1": 1, "ask2": 1}
        whole = await Ran(self.steps(Counter()), answers, keep=keep).done()
        assert len(states) == 6
        for state in states:
            count: Counter[str] = Counter()
            again = await Ran(self.steps(count), answers, state).done()
            assert again.outputs == whole.outputs
            assert set(count) == set(whole.outputs) - set(state["steps"])


async def test_a_failure_leaves_no_cancel_behind() -> None:
    """Whoever invoked it tells a cancel from a failure by whether its own task was asked to end."""
    with pytest.raises(StepFailure):
        await Ran([probe("a", work=fails(ValueError("a"))), probe("b")]).done()
    current = asyncio.current_task()
    assert current is not None and current.cancelling() == 0
