"""JSON and protobuf are read alike, and garbage is refused in words."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue, KeyValueList
from opentelemetry.proto.trace.v1.trace_pb2 import Status

from aloi.tracing.otlp import json_wire, protobuf_wire
from aloi.tracing.otlp.raw import MOST_CHARACTERS, BadPayload, RawSpan

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def in_json(value: Any) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
        case list():
            return {"arrayValue": {"values": [in_json(item) for item in value]}}
        case _:
            return {"kvlistValue": {"values": [{"key": k, "value": in_json(v)} for k, v in value.items()]}}


def in_protobuf(value: Any) -> AnyValue:
    match value:
        case bool():
            return AnyValue(bool_value=value)
        case int():
            return AnyValue(int_value=value)
        case float():
            return AnyValue(double_value=value)
        case str():
            return AnyValue(string_value=value)
        case list():
            return AnyValue(array_value=ArrayValue(values=[in_protobuf(item) for item in value]))
        case _:
            pairs = [KeyValue(key=k, value=in_protobuf(v)) for k, v in value.items()]
            return AnyValue(kvlist_value=KeyValueList(values=pairs))


def json_request(*spans: Any, service: str = "shop") -> bytes:
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": service}}]}
    scoped = [{"scope": {"name": "lib"}, "spans": list(spans)}]
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": scoped}]}).encode()


def a_span(**changes: Any) -> dict[str, Any]:
    plain = {"traceId": TRACE, "spanId": SPAN, "name": "chat", "startTimeUnixNano": "5", "endTimeUnixNano": "9"}
    return {**plain, **changes}


@given(attributes=st.dictionaries(TEXTS, VALUES, max_size=4), failed=st.booleans(), message=TEXTS)
def test_both_encodings_give_the_same_spans(attributes: dict[str, Any], failed: bool, message: str):
    status = {"code": 2, "message": message} if failed else {}
    pairs = [{"key": key, "value": in_json(value)} for key, value in attributes.items()]
    from_json = json_wire.read(json_request(a_span(attributes=pairs, status=status, parentSpanId="00" * 8)))

    request = ExportTraceServiceRequest()
    group = request.resource_spans.add()
    group.resource.attributes.append(KeyValue(key="service.name", value=AnyValue(string_value="shop")))
    scoped = group.scope_spans.add()
    scoped.scope.name = "lib"
    span = scoped.spans.add(
        trace_id=bytes.fromhex(TRACE), span_id=bytes.fromhex(SPAN), parent_span_id=bytes(8), name="chat"
    )
    span.start_time_unix_nano, span.end_time_unix_nano = 5, 9
    span.attributes.extend(KeyValue(key=key, value=in_protobuf(value)) for key, value in attributes.items())
    if failed:
        span.status.code, span.status.message = Status.STATUS_CODE_ERROR, message
    from_protobuf = protobuf_wire.read(request.SerializeToString())

    assert from_json == from_protobuf
    assert from_json.spans == [
        RawSpan(TRACE, SPAN, None, "chat", 5, 9, attributes, (message or "error") if failed else None,
                {"service.name": "shop"}, "lib")
    ]  # fmt: skip


@given(body=st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(body: bytes):
    for read in (json_wire.read, protobuf_wire.read):
        try:
            read(body)
        except BadPayload as refused:
            assert str(refused)


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"null", b'"x"', b'{"resourceSpans": 3}', b"{", b"\xff\xfe", b'{"a": NaN}']
)
def test_json_that_is_no_request_is_refused(body: bytes):
    with pytest.raises(BadPayload, match="body is not"):
        json_wire.read(body)


@pytest.mark.parametrize(
    "junk",
    [
        None, 7, "x", [], {}, a_span(traceId=""), a_span(traceId="0" * 32), a_span(traceId="z" * 32), a_span(spanId=12),
        a_span(spanId="0" * 16), a_span(parentSpanId="12"), a_span(startTimeUnixNano="now"), a_span(endTimeUnixNano=-1),
        a_span(startTimeUnixNano=2**70), a_span(startTimeUnixNano=True), a_span(startTimeUnixNano={}),
    ],
)  # fmt: skip
def test_a_span_that_cannot_be_used_is_counted_and_the_others_are_kept(junk: Any):
    found = json_wire.read(json_request(junk, a_span()))
    assert ([span.span_id for span in found.spans], found.rejected) == ([SPAN], 1)
    assert found.reason


@pytest.mark.parametrize(
    "odd",
    [
        {"resourceSpans": [None, 3, {"scopeSpans": None}, {"scopeSpans": [None, {"spans": None}]}]},
        {"resourceSpans": [{"resource": 3, "scopeSpans": [{"scope": 3, "spans": []}]}]},
        {},
    ],
)
def test_groups_of_any_shape_are_passed_over(odd: Any):
    assert json_wire.read(json.dumps(odd).encode()) == ([], 0, "")


@pytest.mark.parametrize(
    "value", [None, {}, 3, {"intValue": "x"}, {"doubleValue": "NaN"}, {"arrayValue": 3}, {"unheard": 1}]
)
def test_odd_values_become_something_that_json_has(value: Any):
    found = json_wire.read(json_request(a_span(attributes=[{"key": "a", "value": value}, {"value": {}}, 3])))
    assert json.dumps(found.spans[0].attributes, allow_nan=False)


def test_numbers_that_json_has_not_are_told_as_texts():
    request = ExportTraceServiceRequest()
    span = (
        request.resource_spans.add()
        .scope_spans.add()
        .spans.add(trace_id=bytes.fromhex(TRACE), span_id=bytes.fromhex(SPAN))
    )
    for number in (math.nan, math.inf, -math.inf):
        span.attributes.append(KeyValue(key=str(number), value=AnyValue(double_value=number)))
    assert protobuf_wire.read(request.SerializeToString()).spans[0].attributes == {
        "nan": "nan", "inf": "inf", "-inf": "-inf"
    }  # fmt: skip


def test_a_nesting_without_end_is_cut_and_a_long_text_too():
    deep: dict[str, Any] = {"stringValue": "core"}
    for _ in range(60):
        deep = {"arrayValue": {"values": [deep]}}
    long = {"stringValue": "x" * (MOST_CHARACTERS + 10)}
    pairs = [{"key": "deep", "value": deep}, {"key": "long", "value": long}]
    attributes = json_wire.read(json_request(a_span(attributes=pairs))).spans[0].attributes
    assert "core" not in json.dumps(attributes["deep"])
    assert str(attributes["long"]).endswith("10 characters more]")


def test_an_error_without_words_takes_those_of_its_exception():
    event = {
        "name": "exception",
        "attributes": [{"key": "exception.message", "value": {"stringValue": "no such city"}}],
    }
    found = json_wire.read(json_request(a_span(status={"code": "STATUS_CODE_ERROR"}, events=[event])))
    assert found.spans[0].error == "no such city"


def test_lone_surrogates_become_something_that_can_be_stored():
    pairs = [{"key": "a\ud800", "value": {"stringValue": "b\udfff"}}]
    body = json_request(a_span(name="n\ud800", attributes=pairs, status={"code": 2, "message": "\ud800"}))
    span = json_wire.read(body).spans[0]
    assert json.dumps([span.name, span.attributes, span.error], ensure_ascii=False).encode()


def test_the_answer_tells_what_was_not_taken():
    whole, part = ExportTraceServiceResponse(), ExportTraceServiceResponse()
    whole.ParseFromString(protobuf_wire.answer(0, ""))
    part.ParseFromString(protobuf_wire.answer(3, "why"))
    assert not whole.HasField("partial_success")
    assert (part.partial_success.rejected_spans, part.partial_success.error_message) == (3, "why")
