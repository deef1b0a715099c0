import json
import os
import stat
from pathlib import Path

import pytest
from pydantic import SecretStr

from aloi.client.credentials import FILE, save_token, token_for, token_of
from aloi.core.errors import InvalidInput
from aloi.settings import Settings

ONE, TWO = "https://one.example", "http://two.example:8080/below"


def test_one_token_for_each_server(tmp_path: Path) -> None:
    assert token_for(tmp_path, ONE) is None
    save_token(tmp_path, ONE, "first")
    save_token(tmp_path, TWO, "second")
    save_token(tmp_path, "HTTPS://One.example/", "third")
    assert (token_for(tmp_path, ONE), token_for(tmp_path, f"{TWO}/")) == ("third", "second")
    save_token(tmp_path, ONE, None)
    save_token(tmp_path, ONE, None)
    assert (token_for(tmp_path, ONE), token_for(tmp_path, TWO)) == (None, "second")


def test_a_key_that_is_set_goes_first(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, server=ONE)
    assert token_of(settings) is None
    save_token(tmp_path, ONE, "saved")
    assert token_of(settings) == "saved"
    assert token_of(settings.model_copy(update={"api_key": SecretStr("set")})) == "set"
    assert token_of(Settings(home=tmp_path)) is None


def test_its_owner_alone_can_read_it(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    before = os.umask(0)
    try:
        save_token(home, ONE, "secret")
        (home / FILE).chmod(0o644)
        save_token(home, TWO, "secret")
    finally:
        os.umask(before)
    assert stat.S_IMODE((home / FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert [path.name for path in home.iterdir()] == [FILE]


def test_a_write_that_fails_leaves_what_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_token(tmp_path, ONE, "old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InvalidInput, match="cannot be written: No space left on device"):
        save_token(tmp_path, ONE, "new")
    assert token_for(tmp_path, ONE) == "old"
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"https://one.example": 1}', b"\xff", b'"secret"'])
def test_a_damaged_file_is_told_without_its_content(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content + b"")
    for call in (lambda: token_for(tmp_path, ONE), lambda: save_token(tmp_path, ONE, "x")):
        with pytest.raises(InvalidInput, match="is damaged; remove it, and sign in again") as caught:
            call()
        assert caught.value.__cause__ is None and caught.value.__suppress_context__
    assert (tmp_path / FILE).read_bytes() == content


def test_a_home_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text(json.dumps({}))
    with pytest.raises(InvalidInput, match="name another folder with --home"):
        token_for(tmp_path / "file", ONE)
    (tmp_path / "home" / FILE).mkdir(parents=True)
    with pytest.raises(InvalidInput, match="cannot be read"):
        save_token(tmp_path / "home", ONE, "x")
