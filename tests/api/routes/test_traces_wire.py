"""What exporters may write in another way is read as the protocol says, or passed over; nothing else is lost."""

import gzip
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from aloi.core.execution import Execution
from tests.api.calls import Caller, RunningServer
from tests.otlp_requests import Json, agent, document, execution, new_trace, request, span, tool
from tests.service.observed import all_of, finish, only, waiting_rows
from tests.store.backends import BACKENDS

JSON = {"Content-Type": "application/json"}
both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


async def taken(server: RunningServer, editor: Caller, body: Any, **headers: str) -> Execution:
    """Send what must be taken as it is; the one execution that comes of it."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = await editor.call("POST", "/v1/traces", data=body, headers={**JSON, **named})
    assert (answer.status, answer.body) == (200, {})
    await finish(server.context)
    return await only(server.context)


def spans_of(found: Execution) -> dict[str, Any]:
    """The spans of an execution by their names."""
    assert found.outcome.trace is not None
    return {one.name: one for one in found.outcome.trace.spans}


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "Application/JSON ;Charset=UTF-8"])
async def test_a_content_type_may_say_more(server: RunningServer, editor: Caller, content_type: str) -> None:
    found = await taken(server, editor, request(*execution(new_trace())), Content_Type=content_type)
    assert found.output == "Noon."


@pytest.mark.parametrize("packed", [False, True])
async def test_a_body_may_come_in_chunks(server: RunningServer, editor: Caller, packed: bool) -> None:
    body = request(*execution(new_trace(), "search"))
    body = gzip.compress(body) if packed else body

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 100):
            yield body[start : start + 100]

    found = await taken(server, editor, chunks(), Content_Encoding="gzip" if packed else "identity")
    assert len(spans_of(found)) == 3


async def test_of_a_key_that_stands_twice_the_last_counts(server: RunningServer, editor: Caller) -> None:
    whole = json.dumps(document(*execution(new_trace())))
    twice = '{"resourceSpans": "not this one", ' + whole[1:].replace('"name": "chat"', '"name": "no", "name": "chat"')
    found = await taken(server, editor, twice.encode())
    assert set(spans_of(found)) == {"invoke_agent bot", "chat"}


async def test_what_later_versions_add_is_passed_over(server: RunningServer, editor: Caller) -> None:
    trace_id = new_trace()
    odd: Json = {
        **tool(trace_id, 1, "search"),
        "kind": 99,
        "flags": 769,
        "traceState": "a=b",
        "links": [{"traceId": trace_id, "spanId": "ff" * 8, "unheardOf": 1}],
        "unheardOf": {"deep": [1]},
        "status": {"code": "STATUS_CODE_UNHEARD_OF", "unheardOf": 1},
    }
    odd["attributes"] = [*odd["attributes"], {"key": "new", "value": {"unheardOfValue": 1}}, {"key": "bare"}]
    sent = document(agent(trace_id, status={"code": 77}), odd)
    sent["unheardOf"] = 1
    sent["resourceSpans"][0]["schemaUrl"] = "https://opentelemetry.io/schemas/9.99.0"
    found = await taken(server, editor, json.dumps(sent).encode())
    assert (found.output, found.outcome.failure) == ("Noon.", None)
    assert spans_of(found)["execute_tool search"].error is None


async def test_numbers_and_ids_may_be_written_in_each_way(server: RunningServer, editor: Caller) -> None:
    trace_id = new_trace()
    root = agent(trace_id)
    root["startTimeUnixNano"], root["endTimeUnixNano"] = (
        int(root[k]) for k in ("startTimeUnixNano", "endTimeUnixNano")
    )
    child = span(trace_id.upper(), 1, 0, name="chat", gen_ai__operation__name="chat")
    child["attributes"] += [
        {"key": "gen_ai.usage.input_tokens", "value": {"intValue": 7}},
        {"key": "gen_ai.usage.output_tokens", "value": {"doubleValue": 3}},
        {"key": "list", "value": {"arrayValue": {"values": [{"stringValue": "a"}, {"boolValue": True}]}}},
        {"key": "map", "value": {"kvlistValue": {"values": [{"key": "k", "value": {"intValue": "1"}}]}}},
        {"key": "bytes", "value": {"bytesValue": "AAEC"}},
    ]
    found = await taken(server, editor, json.dumps(document(root, child)).encode())
    told = spans_of(found)["chat"].attributes
    assert (told["list"], told["map"]) == (["a", True], {"k": 1})
    assert (found.outcome.usage.input_tokens, found.outcome.usage.output_tokens) == (7, 3)


@pytest.mark.parametrize("times", [{"endTimeUnixNano": "1"}, {"startTimeUnixNano": "0", "endTimeUnixNano": "0"}])
async def test_a_span_that_ends_before_it_begins_is_kept(server: RunningServer, editor: Caller, times: Json) -> None:
    found = await taken(server, editor, request({**agent(new_trace()), **times}))
    assert (found.output, found.outcome.latency) == ("Noon.", 0)


async def test_one_unusable_span_costs_no_other(server: RunningServer, editor: Caller) -> None:
    good = execution(new_trace(), "search")
    bad: list[Any] = [
        {**good[0], "startTimeUnixNano": "-1"},
        {**good[0], "spanId": ""},
        {**good[0], "traceId": "0" * 32},
        None,
        7,
    ]
    answer = await editor.call("POST", "/v1/traces", data=json.dumps(document(*good, *bad)), headers=JSON)
    told = answer.body["partialSuccess"]
    assert (answer.status, told["rejectedSpans"], bool(told["errorMessage"])) == (200, "5", True)
    await finish(server.context)
    assert len(spans_of(await only(server.context))) == 3


async def test_protobuf_tells_of_what_it_did_not_take(server: RunningServer, editor: Caller) -> None:
    sent = ExportTraceServiceRequest()
    scoped = sent.resource_spans.add().scope_spans.add()
    scoped.spans.add(trace_id=b"\1" * 16, span_id=b"\2" * 8, name="good")
    scoped.spans.add(trace_id=b"\1" * 3, span_id=b"\2" * 8, name="bad")
    headers = {"Authorization": f"Bearer {editor.token}", "Content-Type": "application/x-protobuf; v=1"}
    for body, rejected in ((sent.SerializeToString(), 1), (b"", 0)):
        async with editor.session.post(f"{editor.url}/v1/traces", data=body, headers=headers) as response:
            assert response.status == 200
            told = ExportTraceServiceResponse.FromString(await response.read()).partial_success
        assert (told.rejected_spans, bool(told.error_message)) == (rejected, bool(rejected))
    assert await waiting_rows(server.context) == 2


@both
async def test_two_workspaces_may_send_the_same_trace(server: RunningServer, editor: Caller, stranger: Caller) -> None:
    trace_id = new_trace()
    for caller, answer in ((editor, "ours"), (stranger, "theirs")):
        body = request(agent(trace_id, answer=answer))
        assert (await caller.call("POST", "/v1/traces", data=body, headers=JSON)).status == 200
    await finish(server.context)
    for caller, answer in ((editor, "ours"), (stranger, "theirs")):
        [entry] = (await caller.get("/api/executions")).body["items"]
        assert entry["output"] == answer
    assert len(await all_of(server.context)) == 1
