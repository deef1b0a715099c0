import re

import pytest

from tests.cli.conftest import HERE_AND_THERE, Aloi

pytestmark = HERE_AND_THERE


def test_the_key_alone_is_on_the_standard_output(aloi: Aloi) -> None:
    """Also on an empty home: scripts need no browser."""
    ended = aloi("api-keys", "create", "ci")
    assert ended.code == 0, ended.err
    assert re.fullmatch(r"aloi_[\w-]{20,}\n", ended.out)
    assert "'ci', with the role editor; it is not shown again" in ended.err
    assert ended.out.strip() not in ended.err


def test_list_and_revoke(aloi: Aloi) -> None:
    secret = aloi("api-keys", "create", "ci", "--role", "viewer", "--days", "30").out.strip()
    listed = aloi("api-keys", "list").out
    assert re.search(rf"^ci +{re.escape(secret[:8])}\S*… +viewer +", listed, re.M)
    assert secret not in listed
    assert aloi("api-keys", "revoke", "ci").out == "The key 'ci' is revoked.\n"
    assert not re.search("^ci ", aloi("api-keys", "list").out, re.M)


def test_names_that_several_keys_have(aloi: Aloi) -> None:
    aloi("api-keys", "create", "twice")
    aloi("api-keys", "create", "twice")
    ended = aloi("api-keys", "revoke", "twice")
    assert ended.code == 2
    one = ended.err.rpartition("instead: ")[2].split(",")[0]
    assert aloi("api-keys", "revoke", one).code == 0
    assert aloi("api-keys", "revoke", "twice").code == 0
    gone = aloi("api-keys", "revoke", "twice")
    assert gone.code == 2
    assert "there is no key 'twice'; see `aloi api-keys list`" in gone.err


def test_pages(aloi: Aloi) -> None:
    for number in range(3):
        aloi("api-keys", "create", f"key {number}")
    first = aloi("api-keys", "list", "--size", "2").out
    assert "key 2" in first and "key 0" not in first
    assert "Page 1 of 2" in first
    assert "key 0" in aloi("api-keys", "list", "--size", "2", "--page", "2").out


@pytest.mark.parametrize("options", [("",), ("x" * 300,), ("x", "--days", "0"), ("x", "--role", "king")])
def test_wrong_input(aloi: Aloi, options: tuple[str, ...]) -> None:
    ended = aloi("api-keys", "create", *options)
    assert (ended.code, ended.out) == (2, "")
