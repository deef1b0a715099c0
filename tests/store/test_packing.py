"""Texts come back as they were packed, and what is damaged is told."""

import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.store.packing import DICTIONARY, pack_text, unpack_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
# What DICTIONARY was when the first trace was packed with it.
FROZEN = 2244904121
# `{"trace_id":"0a","spans":[]}`, as the first version packed it.
FIRST = "01ed16a45943097f8344a41888ad0500"


@given(TEXTS, st.sampled_from([1, 500, 3000]))
def test_a_text_comes_back(text: str, times: int):
    assert unpack_text(pack_text(text * times)).decode() == text * times


@pytest.mark.parametrize("text", ["", "{}", "x" * 6_000, "é🙂" * 3_000, "\x00\x01", json.dumps(list(range(150_000)))])
def test_so_do_the_shortest_and_long_ones(text: str):
    assert unpack_text(pack_text(text)).decode() == text


def test_what_was_stored_before_is_read():
    assert unpack_text('{"trace_id":"é"}') == '{"trace_id":"é"}'.encode()
    assert unpack_text('{"trace_id":"é"}'.encode()) == '{"trace_id":"é"}'.encode()


def test_what_is_stored_stays_readable():
    assert zlib.crc32(DICTIONARY) == FROZEN, "what is stored cannot be read without it; make another format instead"
    assert unpack_text(bytes.fromhex(FIRST)) == b'{"trace_id":"0a","spans":[]}'


def test_a_trace_of_one_call_takes_a_quarter():
    message = [{"role": "user", "parts": [{"type": "text", "content": "what is the capital of France?"}]}]
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "gpt",
        "gen_ai.input.messages": message,
        "gen_ai.usage.input_tokens": 4,
        "gen_ai.usage.output_tokens": 4,
        "gen_ai.output.messages": [{"role": "assistant", "parts": [{"type": "text", "content": "Paris"}]}],
    }
    times = {"start_ns": 1796081545044479792, "end_ns": 1796081545068698642}
    span = {"span_id": "b0a5d1726c6bcff4", "name": "chat gpt", **times, "attributes": attributes}
    trace = {"trace_id": "f98edfa2c2b477e697a69b7d02436bed", "spans": [span]}
    text = json.dumps(trace, separators=(",", ":"))
    assert len(pack_text(text)) < len(text) / 3.5


@pytest.mark.parametrize(
    "stored",
    [
        b"",
        b"\x02" + pack_text("some text")[1:],
        pack_text("some text")[:-1],
        pack_text("some text")[:3],
        pack_text("some text") + b"\x00",
        pack_text("some text")[:5] + pack_text("another text")[5:],
        b"\x01\x00\x00\x00\x00\xff\xff\xff",
    ],
)
def test_what_is_damaged_is_told(stored: bytes):
    with pytest.raises(ValueError, match=r"its format|its checksum|Error"):
        unpack_text(stored)


@given(st.integers(0, 8 * len(pack_text("The quick brown fox. " * 5)) - 1))
def test_every_bit_counts(bit: int):
    stored = bytearray(pack_text("The quick brown fox. " * 5))
    stored[bit // 8] ^= 1 << bit % 8
    try:
        text = unpack_text(bytes(stored))
    except ValueError:
        return
    assert text == b"The quick brown fox. " * 5, "only padding behind the end may differ"
