"""Workflows of every kind of step against the model server, end to end. Their faults: test_workflow_faults.py."""

import json

from aloi.core.simulation import Simulations, StaticAnswer, StaticSimulation
from aloi.core.target import Invocation, Parked, PinnedTarget, Reply, Target
from aloi.core.trace import OPERATION, STEP_NAME, STEP_SKIPPED, TOOL_NAME
from aloi.core.trajectory import trajectory, usage_of
from aloi.plugins import build
from aloi.tracing.recorder import Recording
from tests.model_server import ChatRequestBody, ModelServer
from tests.targets.flows import NO, TICKET, Flows, tool, trace_of


def replies(server: ModelServer) -> None:
    """A support desk: it classifies in the schema, calls the calculator once, and repeats anything else."""

    def reply(request: ChatRequestBody) -> str:
        if request.response_schema:
            amount = 40 if "40" in request.prompt else 7
            return json.dumps({"kind": "refund" if "back" in request.prompt else "other", "amount": amount})
        return f"<{request.prompt}>"

    server.reply = reply


def desk(flows: Flows) -> Target:
    """Every kind of step."""
    return flows.workflow(
        flows.prompt("classify", "desk", prompt="Classify: {{ input.question }}", output_schema=TICKET),
        {
            "name": "route",
            "kind": "branch",
            "ways": [{"name": "refund", "if": [{"path": "$.steps.classify.kind", "equals": "refund"}]}],
            "otherwise": "other",
        },
        {
            "name": "fee",
            "kind": "tool",
            "when": {"route": "refund"},
            "tool": "calculator",
            "arguments": {"expression": "{{ steps.classify.amount }} * 2"},
        },
        flows.http("fetch", "/echo?q={{ input.question }}", body={"items": ["a", "b"]}, output="$.echo.items"),
        {
            "name": "each",
            "kind": "map",
            "items": "{{ steps.fetch }}",
            "steps": [flows.prompt("inner", "desk", prompt="{{ index }}: {{ item }}")],
        },
        flows.agent("ask", "desk", {"amount": "{{ steps.classify.amount }}"}) | {"when": {"route": "other"}},
        {
            "name": "approve",
            "kind": "human",
            "question": "Pay {{ steps.fee }}?",
            "output_schema": NO,
            "when": {"route": "refund"},
        },
        {
            "name": "final",
            "kind": "transform",
            "value": {
                "kind": "{{ steps.classify.kind }}",
                "fee": "{{ steps.fee }}",
                "each": "{{ steps.each }}",
                "ask": "{{ steps.ask }}",
                "approved": "{{ steps.approve }}",
            },
        },
        input_schema={"type": "object", "properties": {"question": {"type": "string"}}, "required": ["question"]},
    )


def approved(ok: bool) -> Simulations:
    return {"approve": StaticSimulation(kind="static", answers=(StaticAnswer(output={"ok": ok}),))}


async def test_every_kind_of_step_end_to_end(flows: Flows) -> None:
    replies(flows.server)
    outcome = await flows.outcome(desk(flows), {"question": "Can I have 40 back?"}, approved(True))
    assert outcome.failure is None
    assert outcome.output == {
        "kind": "refund",
        "fee": 80,
        "each": ["<0: a>", "<1: b>"],
        "ask": None,
        "approved": {"ok": True},
    }
    assert outcome.usage.calls == 3
    assert usage_of(trace_of(outcome)) == outcome.usage
    calls = {call.tool: call for call in trajectory(trace_of(outcome)).tool_calls}
    assert (calls["fee"].args, calls["fee"].output) == ({"expression": "40 * 2"}, 80)
    assert (calls["approve"].provenance, calls["approve"].output) == ("static", {"ok": True})


async def test_the_other_way(flows: Flows) -> None:
    replies(flows.server)
    outcome = await flows.outcome(desk(flows), {"question": "Where is my parcel?"})
    assert outcome.output == {
        "kind": "other",
        "fee": None,
        "each": ["<0: a>", "<1: b>"],
        "ask": '<{"amount": 7}>',
        "approved": None,
    }
    skipped = [span.attributes[STEP_NAME] for span in trace_of(outcome).spans if span.attributes.get(STEP_SKIPPED)]
    assert sorted(map(str, skipped)) == ["approve", "fee"]


async def test_the_spans_stand_in_their_steps(flows: Flows) -> None:
    replies(flows.server)
    trace = trace_of(await flows.outcome(desk(flows), {"question": "Where is my parcel?"}))
    by_id = {span.span_id: span for span in trace.spans}
    above = {
        span.name: by_id[span.parent_id].name
        for span in trace.spans
        if span.parent_id is not None and span.attributes.get(OPERATION) != "chat"
    }
    assert above["step ask"] == "invoke_workflow"
    assert above["invoke_agent"] == "step ask"
    assert above["POST 127.0.0.1"] == "step fetch"
    assert above["step each[1].inner"] == "step each"
    chats = [by_id[span.parent_id or ""].name for span in trace.spans if span.attributes.get(OPERATION) == "chat"]
    assert sorted(chats) == ["invoke_agent", "step classify", "step each[0].inner", "step each[1].inner"]


async def test_a_person_is_asked_and_nothing_that_is_over_runs_again(flows: Flows) -> None:
    replies(flows.server)
    target = desk(flows)
    asked = Invocation(input={"question": "Can I have 40 back?"})
    parked = await target.invoke(asked, flows.context(Recording(), ""))
    assert isinstance(parked, Parked)
    assert [(question.step, question.text) for question in parked.questions] == [("approve", "Pay 80?")]
    requests = flows.server.stats.requests
    state = json.loads(json.dumps(parked.state))
    answered = asked.model_copy(update={"state": state, "answers": {"approve": {"ok": False}}})
    reply = await target.invoke(answered, flows.context(Recording(), ""))
    assert isinstance(reply, Reply)
    assert isinstance(reply.output, dict)
    assert (reply.output["fee"], reply.output["approved"]) == (80, {"ok": False})
    assert flows.server.stats.requests == requests
    assert reply.usage.calls == 3


async def test_a_pinned_agent_is_part_of_the_definition(flows: Flows) -> None:
    target = flows.workflow({"name": "ask", "kind": "agent", "agent": "support@2"})
    assert target.references() == ("support@2",)
    definition = flows.agent("x", "echo", tools=["calculator"])["agent"] | {"kind": "agent"}
    pinned = target.pinned({"support@2": PinnedTarget(name="support", number=2, definition=definition)})
    assert (await flows.outcome(build("targets", pinned.to_spec(), Target))).output == "Hi there"
    assert pinned.references() == ()
    assert [part.name for part in pinned.components()] == ["ask", "calculator"]
    failure = (await flows.outcome(target)).failure
    assert failure is not None
    assert (failure.type, failure.message[:8]) == ("not_pinned", "step ask")


async def test_a_tool_of_an_agent_can_be_simulated(flows: Flows) -> None:
    target = flows.workflow(flows.agent("ask", 'tool-once:calculator:{"expression": "2"}', tools=["calculator"]))
    simulated: Simulations = {"calculator": StaticSimulation(kind="static", answers=(StaticAnswer(output=99),))}
    outcome = await flows.outcome(target, simulations=simulated)
    assert outcome.output == "The answer is 99."
    (call,) = trajectory(trace_of(outcome)).tool_calls
    assert (call.provenance, call.output) == ("static", 99)


async def test_a_simulated_step_asks_nobody(flows: Flows) -> None:
    steps = (flows.prompt("one", "echo"), tool({"expression": "1"}, "two"), flows.http("three"))
    target = flows.workflow(*steps, output=["{{ steps.one }}", "{{ steps.two }}", "{{ steps.three }}"])
    answer = StaticSimulation(kind="static", answers=(StaticAnswer(output="made up"),))
    outcome = await flows.outcome(target, simulations=dict.fromkeys(("one", "two", "three"), answer))
    assert outcome.output == ["made up"] * 3
    assert flows.server.stats.requests == 0
    tools = [span.attributes[TOOL_NAME] for span in trace_of(outcome).spans if TOOL_NAME in span.attributes]
    assert tools == ["calculator"]
