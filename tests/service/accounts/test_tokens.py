"""Secrets of our own making."""

import re

from aloi.service.accounts.tokens import digest, is_key, new_key, new_token


def test_tokens_and_keys_are_told_apart() -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", new_token())
    assert re.fullmatch(r"aloi_[A-Za-z0-9_-]{43}", new_key())
    assert is_key(new_key()) and not is_key(new_token())
    assert not is_key("aloi_" + "x" * 38)  # a session's token that happens to begin so


def test_no_two_are_equal() -> None:
    assert len({new_token() for _ in range(1000)}) == 1000


def test_the_digest_is_sha_256() -> None:
    assert digest("abc").hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert len(digest("\ud800 é")) == 32
