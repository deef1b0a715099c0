"""Workflows under faults at every kind of step: the error of the case, with the step's name; and steps tried again."""

import asyncio
from typing import Any

import pytest

from aloi.core.errors import StageFailure
from aloi.core.target import Invocation
from aloi.core.trace import STEP_TRIES
from aloi.core.trajectory import usage_of
from aloi.llm.models import Models
from aloi.tracing.recorder import Recording
from tests.model_server import ChatRequestBody, ModelServer
from tests.targets.flows import NO, TICKET, Flows, tool, trace_of


def faults(flows: Flows) -> dict[str, tuple[dict[str, Any], str]]:
    """One step each that fails, and the type of its failure."""
    schema = {"output_schema": TICKET}
    return {
        "refusal": (flows.prompt("bad", "refusal"), "no_answer"),
        "empty": (flows.prompt("bad", "empty-choices"), "no_answer"),
        "malformed": (flows.prompt("bad", "malformed"), "bad_reply"),
        "misfit": (flows.prompt("bad", "fixed:{}", **schema), "bad_reply"),
        "no JSON": (flows.prompt("bad", "fixed:no", **schema), "bad_reply"),
        "late": (flows.prompt("bad", "hang", seconds=0.05), "timeout"),
        "keyless": (flows.prompt("bad", "echo", api_key_env="NO_SUCH"), "no_key"),
        "limited": (flows.prompt("bad", "status:429"), "rate_limited"),
        "agent": (flows.agent("bad", "null-content"), "no_answer"),
        "agent late": (flows.agent("bad", "hang") | {"seconds": 0.05}, "timeout"),
        "agent busy": (flows.agent("bad", "tools:9", tools=["calculator"], limits={"steps": 2}), "step_limit"),
        "tool": (tool({"expression": "1 / 0"}), "tool_failed"),
        "arguments": (tool("{{ input }}"), "bad_arguments"),
        "500": (flows.http("bad", "/status/500", method="GET"), "http_status"),
        "nothing there": (flows.http("bad", output="$.no"), "no_answer"),
        "too large": (flows.http("bad", max_bytes=10), "too_large"),
        "undefined": (flows.http("bad", "/echo?q={{ input.no }}"), "template"),
        "nobody": (flows.http("bad", headers={"X-Key": "${NO_SUCH}"}), "no_key"),
        "list": (
            {"name": "bad", "kind": "map", "items": "{{ input }}", "steps": [flows.prompt("inner", "echo")]},
            "bad_items",
        ),
        "path": ({"name": "bad", "kind": "transform", "path": "$.input.a[0]"}, "path"),
        "template": ({"name": "bad", "kind": "transform", "template": "{{ input.a.b }}!"}, "template"),
    }


FAULTS = (
    "refusal", "empty", "malformed", "misfit", "no JSON", "late", "keyless", "limited", "agent", "agent late",
    "agent busy", "tool", "arguments", "500", "nothing there", "too large", "undefined", "nobody", "list", "path",
    "template",
)  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
async def test_a_fault_is_the_error_of_the_case_and_names_the_step(flows: Flows, name: str) -> None:
    bad, kind = faults(flows)[name]
    last = {"name": "last", "kind": "transform", "template": "{{ steps.bad }}"}
    outcome = await flows.outcome(flows.workflow(bad, last))
    assert outcome.output is None
    assert outcome.failure is not None
    assert (outcome.failure.stage, outcome.failure.type) == ("invoke", kind)
    assert outcome.failure.message.startswith("step bad")
    spans = {span.name: span for span in trace_of(outcome).spans}
    assert spans["step bad"].error is not None
    assert "step last" not in spans
    assert "t0p-secret-token" not in outcome.model_dump_json()
    await asyncio.wait_for(flows.server.until(lambda stats: stats.in_flight == 0), 5)


def test_every_fault_is_tried() -> None:
    nowhere = Flows(ModelServer(), Models({}))
    assert set(FAULTS) == set(faults(nowhere))


async def test_a_human_step_that_is_not_simulated_is_an_error_of_a_run(flows: Flows) -> None:
    outcome = await flows.outcome(flows.workflow({"name": "approve", "kind": "human", "question": "Well?"}))
    assert outcome.failure is not None
    assert (outcome.failure.type, "approve" in outcome.failure.message) == ("parked", True)


async def test_an_answer_of_a_person_that_does_not_fit(flows: Flows) -> None:
    human = {"name": "approve", "kind": "human", "question": "Well?", "output_schema": NO}
    answered = Invocation(input="Hi", answers={"approve": "yes"})
    with pytest.raises(StageFailure, match=r"^step approve: what was answered does not fit"):
        await flows.workflow(human).invoke(answered, flows.context(Recording(), ""))


async def test_what_is_in_flight_is_cancelled_when_a_step_fails(flows: Flows) -> None:
    outcome = await flows.outcome(flows.workflow(flows.prompt("slow", "hang"), flows.prompt("bad", "refusal")))
    assert outcome.failure is not None
    assert outcome.failure.message.startswith("step bad")
    await asyncio.wait_for(flows.server.until(lambda stats: stats.in_flight == 0), 5)


@pytest.mark.parametrize(
    ("model", "fields", "requests"),
    [("refusal", {}, 3), ("fixed:no", {"output_schema": TICKET}, 9)],
)
async def test_a_step_is_tried_again(flows: Flows, model: str, fields: dict[str, Any], requests: int) -> None:
    outcome = await flows.outcome(flows.workflow(flows.prompt("bad", model, retries=2, **fields)))
    assert outcome.failure is not None
    assert (flows.server.stats.requests, outcome.usage.calls) == (requests, requests)
    (step,) = (span for span in trace_of(outcome).spans if span.name == "step bad")
    assert step.attributes[STEP_TRIES] == 3


async def test_a_step_that_comes_right_is_paid_for_every_try(flows: Flows) -> None:
    def second_time(_: ChatRequestBody) -> str:
        return "no" if flows.server.stats.requests < 4 else '{"kind": "other", "amount": 1}'

    flows.server.reply = second_time
    outcome = await flows.outcome(flows.workflow(flows.prompt("one", "m", retries=1, output_schema=TICKET)))
    assert outcome.output == {"kind": "other", "amount": 1}
    assert (flows.server.stats.requests, outcome.usage.calls) == (4, 4)
    assert usage_of(trace_of(outcome)) == outcome.usage
