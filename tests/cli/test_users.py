import re

import pytest

from tests.cli.conftest import HERE_AND_THERE, Aloi

pytestmark = HERE_AND_THERE
PASSWORD = "four words that differ"


def test_add_list_change_and_remove(aloi: Aloi, where: str) -> None:
    assert "There is no member yet" in aloi("users", "list").out
    added = aloi("users", "add", "Ada@example.org", "--role", "owner")
    assert added.code == 0, added.err
    assert added.out.startswith("ada@example.org is a member, with the role owner.\n")
    assert re.search(r"Sign in, once, within 30 minutes: http://127.0.0.1:\d+/sign-in\?token=\S{20,}\n", added.out)
    assert aloi("users", "add", "bob@example.org").code == 0
    assert re.search(r"^bob@example.org +editor +all +no +never", aloi("users", "list").out, re.M)
    changed = aloi("users", "role", "BOB@example.org", "viewer")
    assert (changed.code, changed.out) == (0, "bob@example.org has the role viewer now.\n")
    removed = aloi("users", "remove", "bob@example.org")
    assert (removed.code, removed.out) == (0, "bob@example.org is no member any more.\n")
    assert "bob" not in aloi("users", "list").out


def test_a_link_is_of_the_server_that_is_named(aloi: Aloi, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    aloi("users", "add", "ada@example.org")
    first, second = aloi("users", "link", "ada@example.org").out, aloi("users", "link", "ada@example.org").out
    assert first != second
    if where == "here":
        assert "http://127.0.0.1:8080/sign-in" in first
        monkeypatch.setenv("ALOI_PUBLIC_URL", "https://aloi.example.org/")
        assert "https://aloi.example.org/sign-in" in aloi("users", "link", "ada@example.org").out


def test_a_password_from_a_pipe(aloi: Aloi) -> None:
    ended = aloi("users", "add", "ada@example.org", "--password", stdin=f"{PASSWORD} é\r\nmore\n".encode())
    assert (ended.code, ended.out) == (0, "ada@example.org is a member, with the role editor.\n")
    assert re.search(r"^ada@example.org +editor +all +yes", aloi("users", "list").out, re.M)


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        (("add", "nobody"), b"", "'nobody' is not an email"),
        (("add", "a@example.org", "--password"), b"short\n", "10 "),
        (("add", "a@example.org", "--password"), b"", "no password was given"),
        (("add", "a@example.org", "--password"), b"\xff\xfe\n", "is not UTF-8"),
        (("add", "a@example.org", "--role", "king"), b"", "king"),
        (("add", "owner@example.org"), b"", "owner@example.org"),
        (("role", "nobody@example.org", "viewer"), b"", "there is no member 'nobody@example.org'"),
        (("role", "owner@example.org", "viewer"), b"", "only owner"),
        (("link", "nobody@example.org"), b"", "see `aloi users list`"),
        (("remove", "owner@example.org"), b"", "only owner"),
    ],
)
def test_what_cannot_be_done(aloi: Aloi, words: tuple[str, ...], stdin: bytes, said: str) -> None:
    aloi("users", "add", "owner@example.org", "--role", "owner")
    ended = aloi("users", *words, stdin=stdin)
    assert (ended.code, ended.out) == (2, ""), ended.err
    assert said in ended.err


def test_a_member_is_narrowed_as_they_are_added(aloi: Aloi) -> None:
    aloi("users", "add", "owner@example.org", "--role", "owner")
    added = aloi("users", "add", "bob@example.org", "--none")
    assert (added.code, added.out.splitlines()[0]) == (
        0,
        "bob@example.org is a member, with the role editor, and sees no target.",
    )
    assert re.search(r"^bob@example.org +editor +0 +no", aloi("users", "list").out, re.M)
    absent = aloi("users", "add", "eve@example.org", "--target", "nobody")
    assert (absent.code, absent.out, "there is no target 'nobody'" in absent.err) == (2, "", True)
    assert aloi("users", "add", "eve@example.org", "--target", "bot", "--none").code == 2
    assert "eve@" not in aloi("users", "list").out


def test_the_targets_that_a_member_sees(aloi: Aloi, where: str) -> None:
    aloi("users", "add", "owner@example.org", "--role", "owner")
    aloi("users", "add", "bob@example.org")
    assert aloi("users", "grants", "bob@example.org").out == "bob@example.org sees all targets.\n"
    none = aloi("users", "grants", "bob@example.org", "--none")
    assert (none.code, none.out) == (0, "bob@example.org sees no target.\n")
    assert re.search(r"^bob@example.org +editor +0 +no", aloi("users", "list").out, re.M)
    assert aloi("users", "grants", "bob@example.org").out == none.out
    absent = aloi("users", "grants", "bob@example.org", "--target", "nobody")
    assert (absent.code, absent.out, "there is no target 'nobody'" in absent.err) == (2, "", True)
    assert aloi("users", "grants", "bob@example.org", "--all").out == "bob@example.org sees all targets.\n"
    assert aloi("users", "grants", "bob@example.org", "--all", "--none").code == 2
    refused = aloi("users", "grants", "owner@example.org", "--none")
    assert (refused.code, "is an owner" in refused.err) == (2, True)
