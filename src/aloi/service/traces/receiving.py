"""Taking in the traces that exporters send: read, checked, written down, and then answered.

Executions are made of them later, see `observing`.
"""

import asyncio
import zlib
from datetime import timedelta
from typing import NamedTuple

from pydantic_core import PydanticSerializationError, to_json

from aloi.core.errors import InvalidInput, TooLarge
from aloi.core.trace import OPERATION
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import ingestion, traces
from aloi.store.traces import Batch, Times
from aloi.tracing.otlp import json_wire, protobuf_wire
from aloi.tracing.otlp.raw import BadPayload, Read
from aloi.tracing.otlp.spans import span_fields

MOST_BYTES = 32 * 1024 * 1024  # of a request, decompressed
GZIP = 16 + zlib.MAX_WBITS
# A trace without any work of an agent waits so long for it: the spans around it may end long before it does.
WAIT_FOR_WORK = timedelta(seconds=60)
# A trace that never comes to rest becomes an execution all the same, and is added to.
LONGEST_WAIT = timedelta(seconds=60)
TOO_MANY = "too many spans of one trace; at most {most:,} of a trace may wait"


class Receipt(NamedTuple):
    """What was not taken of a request: how many spans, and why."""

    rejected: int
    reason: str


class Parsed(NamedTuple):
    """What a request brought: a batch for each trace, and the spans in it that are not usable."""

    batches: list[Batch]
    rejected: int
    reason: str

    @property
    def spans(self) -> int:
        """How many spans came, usable or not."""
        return self.rejected + sum(batch.spans for batch in self.batches)


async def receive(context: Context, body: bytes, *, is_json: bool, is_gzip: bool) -> Receipt:
    """Take in an `ExportTraceServiceRequest`. When this returns, its spans are stored.

    Args:
        is_json: whether it is OTLP/JSON, else protobuf.
        is_gzip: whether it is compressed.

    Raises:
        InvalidInput: it is not such a request; sending it again is of no use.
        TooLarge: it is too long when it is decompressed.
        TooMany: this server has its hands full.
        StoreUnavailable: the spans cannot be stored.
    """
    with context.intake.holding(len(body)):
        plain = await asyncio.to_thread(unzipped, body) if is_gzip else body
        with context.intake.holding(len(plain) if is_gzip else 0):
            parsed = await asyncio.to_thread(_parsed, plain, is_json)
            return await _store(context, parsed)


async def _store(context: Context, parsed: Parsed) -> Receipt:
    at = now()
    idle = timedelta(seconds=context.settings.trace_idle_seconds)
    times = Times(at, at + idle, at + max(idle, WAIT_FOR_WORK), at - LONGEST_WAIT)
    row_ids = [new_id() for _ in parsed.batches]
    if not parsed.spans:
        return Receipt(0, "")
    async with context.database.transaction() as tx:
        left_out = await traces.receive(tx, parsed.batches, row_ids, times)
        await ingestion.add(tx, at.date(), spans=parsed.spans, rejected=parsed.rejected, left_out=left_out)
    reason = parsed.reason or (TOO_MANY.format(most=traces.MOST_SPANS) if left_out else "")
    return Receipt(parsed.rejected + left_out, reason)


def unzipped(body: bytes) -> bytes:
    """What was compressed; never more than `MOST_BYTES` of it are in memory.

    Raises:
        InvalidInput: it is not gzip, or it is cut off.
        TooLarge: it is longer.
    """
    parts, length, rest = list[bytes](), 0, body
    try:
        while rest:
            reader = zlib.decompressobj(GZIP)
            part = reader.decompress(rest, MOST_BYTES + 1 - length)
            length += len(part)
            if length > MOST_BYTES:
                raise TooLarge(f"the request is larger than {MOST_BYTES // 1024 // 1024} MB; send fewer spans at once")
            if not reader.eof:
                raise InvalidInput("the body ends in the middle of its gzip data; send it whole")
            parts.append(part)
            rest = reader.unused_data
    except zlib.error as error:
        raise InvalidInput(f"the body is not gzip, as its Content-Encoding says: {error}") from error
    return b"".join(parts)


def _parsed(body: bytes, is_json: bool) -> Parsed:
    if len(body) > MOST_BYTES:
        raise TooLarge(f"the request is larger than {MOST_BYTES // 1024 // 1024} MB; send fewer spans at once")
    try:
        read = (json_wire if is_json else protobuf_wire).read(body)
    except BadPayload as error:
        raise InvalidInput(str(error)) from error
    return _in_batches(read)


def _in_batches(read: Read) -> Parsed:
    """The spans by their traces, as they are stored; what has no JSON form is not usable."""
    texts: dict[str, list[bytes]] = {}
    works: set[str] = set()
    rejected, reason = read.rejected, read.reason
    for span in read.spans:
        fields = span_fields(span)
        try:
            text = to_json(fields, inf_nan_mode="strings")
        except (PydanticSerializationError, ValueError, RecursionError) as error:
            rejected, reason = rejected + 1, reason or f"span {span.span_id} cannot be stored: {error!s:.200}"
            continue
        texts.setdefault(span.trace_id, []).append(text)
        if isinstance(given := fields["attributes"], dict) and given.get(OPERATION):
            works.add(span.trace_id)
    batches = [
        Batch(trace_id, f"[{b','.join(some).decode()}]", len(some), trace_id in works)
        for trace_id, some in texts.items()
    ]
    return Parsed(batches, rejected, reason)
