"""Signatures of what is sent: as the documentation says, and no other."""

import hashlib
import hmac
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.webhook import is_signed, signature

AT = datetime(2026, 3, 29, 1, 0, 0, 999999, tzinfo=UTC)
BODY = '{"text":"é"}'.encode()


def test_it_is_what_the_documentation_says() -> None:
    said = hmac.new(b"secret", b"1774746000." + BODY, hashlib.sha256).hexdigest()
    assert signature("secret", BODY, AT) == f"t=1774746000,v1={said}"


@given(st.text(min_size=1), st.binary(), st.integers(-299, 299))
def test_what_is_signed_is_known_again(secret: str, body: bytes, seconds: int) -> None:
    secret = secret.encode("utf-8", "replace").decode()
    header = signature(secret, body, AT)
    assert is_signed(secret, header, body, AT + timedelta(seconds=seconds))
    assert not is_signed(secret, header, body + b"x", AT)
    assert not is_signed(secret + "x", header, body, AT)


def test_an_old_one_is_none() -> None:
    header = signature("secret", BODY, AT)
    for minutes in (-6, 6):
        assert not is_signed("secret", header, BODY, AT + timedelta(minutes=minutes))


@pytest.mark.parametrize(
    "header",
    ["", "t=,v1=", "t=1774746000", "v1=00", "t=x,v1=00", "t=1774746000,v1=é", "t=" + "9" * 50 + ",v1=00", "é=,"],
)
def test_what_is_no_signature(header: str) -> None:
    assert not is_signed("secret", header, BODY, AT)
