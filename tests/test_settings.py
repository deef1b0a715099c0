"""What an operator sets by environment variables."""

from pathlib import Path

import pytest
from platformdirs import user_data_path

from aloi.core.errors import InvalidInput
from aloi.settings import Settings, read_settings


def test_without_variables_there_are_defaults() -> None:
    settings = read_settings({})
    assert settings == Settings()
    assert settings.home == user_data_path("aloi")
    assert (settings.model, settings.judge_model, settings.base_url) == (None,) * 3
    assert (settings.allow_code, settings.allow_hosts) == (True, frozenset())


@pytest.mark.parametrize("name", ["database_url", "model", "judge_model", "base_url", "api_key_env"])
def test_a_text_is_its_variable(name: str) -> None:
    assert getattr(read_settings({f"ALOI_{name.upper()}": "some text"}), name) == "some text"
    assert getattr(read_settings({name.upper(): "some text"}), name) is None


@pytest.mark.parametrize(
    ("text", "allowed"),
    [("1", True), ("true", True), ("YES", True), ("0", False), ("False", False), ("no", False), ("off", False)],
)
def test_a_switch_is_read_from_words(text: str, allowed: bool) -> None:
    assert read_settings({"ALOI_ALLOW_CODE": text}).allow_code is allowed


@pytest.mark.parametrize("text", ["maybe", "2"])
def test_a_word_that_says_neither_is_refused_by_name(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"ALOI_\.\.\..* allow_code: "):
        read_settings({"ALOI_ALLOW_CODE": text})


def test_an_empty_variable_is_not_set() -> None:
    assert read_settings({"ALOI_MODEL": "", "ALOI_HOME": "", "ALOI_ALLOW_CODE": ""}) == Settings()


def test_hosts_are_separated_by_commas() -> None:
    assert read_settings({"ALOI_ALLOW_HOSTS": " one, two.example,,"}).allow_hosts == {"one", "two.example"}


def test_keys_are_let_go_by_name_and_to_the_operators_own_address() -> None:
    default = read_settings({}).key_policy
    assert (default.names, default.hosts) == ({"*_API_KEY", "*_TOKEN"}, frozenset())
    own = {"ALOI_API_KEY_ENV": "OWN", "ALOI_BASE_URL": "https://M.example:1/v1"}
    policy = read_settings({"ALOI_KEY_NAMES": "A_*, B", "ALOI_KEY_HOSTS": "*.example.org", **own}).key_policy
    assert (policy.names, policy.hosts) == ({"A_*", "B", "OWN"}, {"*.example.org", "m.example"})


def test_the_database_is_in_the_home_unless_named(tmp_path: Path) -> None:
    at_home = read_settings({"ALOI_HOME": str(tmp_path)})
    assert at_home.home == tmp_path
    assert at_home.database == f"sqlite+aiosqlite:///{tmp_path / 'aloi.db'}"
    named = read_settings({"ALOI_HOME": str(tmp_path), "ALOI_DATABASE_URL": "sqlite+aiosqlite:///x.db"})
    assert named.database == "sqlite+aiosqlite:///x.db"


def test_variables_of_others_do_not_count() -> None:
    assert read_settings({"ALOI_NOTHING": "x", "MODEL": "y", "aloi_model": "z"}) == Settings()


def test_every_setting_says_what_it_is() -> None:
    assert all(field.description for field in Settings.model_fields.values())


def test_a_default_judge_that_is_no_model_is_told_by_its_variable() -> None:
    with pytest.raises(InvalidInput, match=r"ALOI_JUDGE_MODEL.*'gpt' is not of the form provider:model"):
        _ = Settings(judge_model="gpt").default_judge


def test_proxies_are_networks() -> None:
    assert read_settings({}).proxies == {"127.0.0.1/32", "::1/128"}
    named = read_settings({"ALOI_PROXIES": "10.1.2.3, 172.16.5.1/12"})
    assert named.proxies == {"10.1.2.3/32", "172.16.0.0/12"}
    with pytest.raises(InvalidInput, match=r"proxies: .*nginx"):
        read_settings({"ALOI_PROXIES": "nginx"})


@pytest.mark.parametrize(
    "text", ["aloi.example.org", "ftp://a", "https://a?b", "https://a/b", "https:// a", "https://"]
)
def test_the_public_address_is_one(text: str) -> None:
    assert read_settings({"ALOI_PUBLIC_URL": "https://a.example:8443/"}).public_url == "https://a.example:8443/"
    with pytest.raises(InvalidInput, match="public_url"):
        read_settings({"ALOI_PUBLIC_URL": text})
