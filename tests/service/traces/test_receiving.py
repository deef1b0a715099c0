"""What is received is stored, bounded, and counted."""

import gzip

import pytest

from aloi.core.errors import InvalidInput, TooLarge
from aloi.service import retaining
from aloi.service.context import Context
from aloi.service.traces import receiving
from aloi.service.traces.receiving import unzipped
from tests.otlp_requests import execution, new_trace, request, span
from tests.service.observed import send, waiting_rows


async def test_a_row_for_each_request_and_trace(context: Context):
    first, second = new_trace(), new_trace()
    await send(context, *execution(first), *execution(second))
    await send(context, span(first, 9))
    assert await waiting_rows(context) == 2 + 3
    assert (await retaining.counts(context)).waiting_spans == 5


async def test_nothing_is_stored_of_a_request_without_spans(context: Context):
    assert await send(context) == (0, "")
    assert await waiting_rows(context) == 0


async def test_spans_that_are_not_usable_are_counted(context: Context):
    receipt = await send(context, {**span(new_trace(), 1), "traceId": "short"})
    assert receipt.rejected == 1
    assert (await retaining.counts(context)).rejected_spans == 1


@pytest.mark.parametrize("body", [b"", b"x" * 50, b"\xff" * 50])
async def test_garbage_is_refused(context: Context, body: bytes):
    for is_json, is_gzip in ((True, False), (True, True)):
        if body or not is_gzip:
            with pytest.raises(InvalidInput):
                await receiving.receive(context, body, is_json=is_json, is_gzip=is_gzip)


async def test_what_is_plain_is_bounded_too(context: Context, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(receiving, "MOST_BYTES", 100)
    with pytest.raises(TooLarge):
        await receiving.receive(context, request(*execution(new_trace())), is_json=True, is_gzip=False)


def test_no_more_is_unpacked_than_the_limit(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(receiving, "MOST_BYTES", 1000)
    assert unzipped(gzip.compress(bytes(1000))) == bytes(1000)
    assert unzipped(gzip.compress(b"a") + gzip.compress(b"b")) == b"ab"
    for body in (gzip.compress(bytes(1001)), gzip.compress(bytes(600)) * 2):
        with pytest.raises(TooLarge):
            unzipped(body)
    for body in (gzip.compress(b"abc")[:-3], b"plain", gzip.compress(b"abc") + b"trailing"):
        with pytest.raises(InvalidInput):
            unzipped(body)
