"""How values stand in the tables."""

import uuid
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput
from aloi.core.usage import Usage
from aloi.store import codec


@given(st.uuids())
def test_ids_round_trip(value: uuid.UUID):
    assert codec.pack_id(str(value)) == value.bytes
    assert codec.unpack_id(value.bytes) == str(value)


@pytest.mark.parametrize(
    "text", ["", "latest", "z" * 32, "0" * 31, "case-1", "00 " * 10 + "00", "0" * 30 + "\t\n", "١" * 32]
)
def test_what_is_no_id(text: str):
    assert codec.id_or_none(text) is None
    with pytest.raises(InvalidInput, match="is not an id"):
        codec.pack_id(text)


@given(st.uuids(), st.integers(1, 36))
def test_a_prefix_spans_the_ids_that_begin_so(value: uuid.UUID, length: int):
    span = codec.id_range(str(value)[:length])
    assert span is not None and span[0] <= value.bytes <= span[1]
    other = uuid.UUID(int=value.int ^ (1 << 127))
    assert not span[0] <= other.bytes <= span[1]


@given(st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30))])))
def test_times_round_trip_to_the_microsecond(time: datetime):
    assert codec.unpack_time(codec.pack_time(time)) == time
    assert codec.unpack_time(codec.pack_time(time)).tzinfo is UTC


def test_null_times_stay_null():
    assert codec.pack_time_or_none(None) is None and codec.unpack_time_or_none(None) is None


def test_short_json_leaves_out_defaults_and_full_json_does_not():
    assert codec.short_json(Usage(calls=1), "usage") == '{"calls":1}'
    assert codec.json_of(Usage(calls=1), "usage").startswith('{"calls":1,"input_tokens":null')


def test_lone_surrogates_are_refused_by_both():
    with pytest.raises(InvalidInput, match=r"tags cannot be stored.*lone surrogates"):
        codec.json_of(("\ud800",), "tags")
