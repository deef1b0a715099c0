"""Ids in the order of time, and hashes of content."""

import random
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput
from aloi.core.identity import as_written, canonical_json, content_hash, uuid7

TIMES = st.integers(0, 2**48 - 1)
ENTROPY = st.binary(min_size=10, max_size=16)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.uuids())
def test_an_id_is_written_in_one_way(value: uuid.UUID) -> None:
    assert {as_written(form) for form in (str(value), value.hex, value.hex.upper(), str(value).upper())} == {str(value)}


@pytest.mark.parametrize("text", ["", "No id", "z" * 32, "0" * 31, "0" * 33, "١" * 32, "\ud800" * 32])
def test_what_is_no_id_stays(text: str) -> None:
    assert as_written(text) == text.lower()


class TestUuid7:
    def test_the_example_of_the_rfc(self) -> None:
        """RFC 9562, appendix A.6: 2022-02-22T19:22:22Z, rand_a CC3, rand_b 18C4DC0C0C07398F."""
        entropy = bytes.fromhex("0CC3 18C4DC0C0C07398F")
        assert uuid7(0x017F22E279B0, entropy) == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"

    @given(TIMES, ENTROPY)
    def test_version_variant_and_time(self, unix_ms: int, entropy: bytes) -> None:
        made = uuid.UUID(uuid7(unix_ms, entropy))
        assert (made.version, made.variant) == (7, uuid.RFC_4122)
        assert made.int >> 80 == unix_ms

    @given(TIMES, ENTROPY)
    def test_all_74_random_bits_are_kept(self, unix_ms: int, entropy: bytes) -> None:
        made = uuid.UUID(uuid7(unix_ms, entropy)).int
        given_bits = int.from_bytes(entropy[:10], "big")
        assert made >> 64 & 0xFFF == given_bits >> 64 & 0xFFF
        assert made & 2**62 - 1 == given_bits & 2**62 - 1

    @given(TIMES, TIMES, ENTROPY, ENTROPY)
    def test_later_ids_sort_behind_earlier_ones(self, one: int, other: int, a: bytes, b: bytes) -> None:
        if one != other:
            assert (uuid7(one, a) < uuid7(other, b)) is (one < other)

    @pytest.mark.parametrize("unix_ms", [-1, 2**48])
    def test_a_time_that_does_not_fit_is_refused(self, unix_ms: int) -> None:
        with pytest.raises(InvalidInput, match="unix_ms is"):
            uuid7(unix_ms, bytes(10))

    def test_too_little_entropy_is_refused(self) -> None:
        with pytest.raises(InvalidInput, match="entropy has 9 bytes"):
            uuid7(0, bytes(9))


class TestCanonicalJson:
    def test_its_form(self) -> None:
        assert canonical_json({"b": [1, "é", None], "a": {"d": True, "c": 0.5}}) == (
            '{"a":{"c":0.5,"d":true},"b":[1,"é",null]}'
        )

    @given(st.dictionaries(st.text(max_size=3), JSON), st.randoms(use_true_random=False))
    def test_the_order_of_keys_does_not_count(self, value: dict[str, object], random: random.Random) -> None:
        keys = random.sample(list(value), len(value))
        assert canonical_json({key: value[key] for key in keys}) == canonical_json(value)

    @pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
    def test_what_json_has_not_is_refused(self, number: float) -> None:
        with pytest.raises(ValueError, match="JSON"):
            canonical_json([number])


class TestContentHash:
    def test_it_is_sha_256_of_utf_8(self) -> None:
        # printf '"é"' | sha256sum
        assert content_hash("é") == "f2886017e9c7abacf804b54d64787dce2b611c9544ba21f3affdd126a6e50086"

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (1, 1.0),
            (1, True),
            (1, "1"),
            (None, "null"),
            ([1, 2], [2, 1]),
            ([], {}),
            ({"a": None}, {}),
            ("é", "e\u0301"),
            (["a", "b"], ["a,b"]),
        ],
    )
    def test_what_is_written_differently_is_kept_apart(self, one: object, other: object) -> None:
        assert content_hash(one) != content_hash(other)

    def test_lone_surrogates_are_hashed(self) -> None:
        assert content_hash("\ud800") != content_hash("\ud801")
        assert content_hash("\ud83d\ude00") != content_hash("😀")
