"""Which variables a definition may name on a server, and where their values may go."""

import pytest

from aloi.core.errors import NotPermitted
from aloi.core.keys import ANY_KEY, KeyPolicy, NamedKey, host_of, is_loopback

POLICY = KeyPolicy(frozenset({"*_API_KEY", "TEAM_TOKEN"}), frozenset({"*.example.org", "models.internal"}))


def permitted(variable: str, address: str | None = None, policy: KeyPolicy = POLICY) -> bool:
    try:
        policy.check([NamedKey(variable=variable, address=address)])
    except NotPermitted as error:
        assert variable in str(error)
        return False
    return True


@pytest.mark.parametrize("variable", ["OPENAI_API_KEY", "TEAM_TOKEN", "_API_KEY"])
def test_a_listed_name_may_be_named(variable: str) -> None:
    assert permitted(variable)


@pytest.mark.parametrize(
    "variable", ["DATABASE_URL", "PATH", "TEAM_TOKEN_2", "openai_api_key", "ALOI_API_KEY", "aloi_API_KEY", ""]
)
def test_any_other_may_not(variable: str) -> None:
    assert not permitted(variable)


def test_our_own_are_never_named() -> None:
    assert not permitted("ALOI_DATABASE_URL", policy=KeyPolicy(frozenset({"*"})))


@pytest.mark.parametrize(
    "address",
    [
        "https://api.example.org/v1",
        "https://API.Example.ORG:8443",
        "http://models.internal/v1?x=1",
        "http://localhost:11434/v1",
        "http://127.0.0.1:1/v1",
        "http://[::1]:1/v1",
    ],
)
def test_a_value_goes_to_a_listed_host_or_stays_on_this_machine(address: str) -> None:
    assert permitted("OPENAI_API_KEY", address)


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.test/v1",
        "https://example.org/v1",  # the pattern wants a part before it
        "https://api.example.org.evil.test/v1",
        "https://evil.test/api.example.org",
        "https://evil.test#api.example.org",
        "https://evil.test?.example.org",
        "https://api.example.org@evil.test/v1",
        "https://evil.test@api.example.org/v1",
        "https://evil.test\\@api.example.org/v1",
        "https://api.example.org\\.evil.test/v1",
        "https://evil.test .example.org",
        "https://evil。api.example.org/v1",
        "http://127.0.0.1.evil.test/v1",
        "http://localhost.evil.test/v1",
        "http://2130706433/v1",
        "http://[::ffff:10.0.0.1]/v1",
        "http://[api.example.org/v1",
        "api.example.org/v1",
        "",
    ],
)
def test_it_goes_nowhere_else(address: str) -> None:
    assert not permitted("OPENAI_API_KEY", address)


def test_without_hosts_there_is_only_this_machine_and_the_providers_own() -> None:
    strict = KeyPolicy(POLICY.names)
    assert permitted("OPENAI_API_KEY", None, strict)
    assert permitted("OPENAI_API_KEY", "http://localhost/v1", strict)
    assert not permitted("OPENAI_API_KEY", "https://api.example.org/v1", strict)


def test_in_process_everything_may_be_named() -> None:
    assert permitted("ALOI_SECRET", "https://evil.test", ANY_KEY)


def test_every_key_is_looked_at() -> None:
    with pytest.raises(NotPermitted, match=r"DATABASE_URL may not be named here.*ALOI_KEY_NAMES"):
        POLICY.check([NamedKey(variable="OPENAI_API_KEY"), NamedKey(variable="DATABASE_URL")])
    with pytest.raises(NotPermitted, match=r"sent to evil\.test; .*ALOI_KEY_HOSTS"):
        POLICY.check([NamedKey(variable="OPENAI_API_KEY", address="https://evil.test/v1")])


def test_a_host_is_told_in_lower_case_or_not_at_all() -> None:
    assert host_of("https://A.Example:1/x") == "a.example"
    assert host_of("https:///x") is None
    assert (is_loopback("127.8.8.8"), is_loopback("::1"), is_loopback("10.0.0.1")) == (True, True, False)
