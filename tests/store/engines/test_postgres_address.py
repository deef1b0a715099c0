"""Which database of a PostgreSQL server an address means, and that its password is never shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput
from aloi.store.engines.postgres_address import PostgresAddress, parse_postgres


@pytest.mark.parametrize(
    ("rest", "address", "name"),
    [
        (
            "me:secret@db.example:5433/aloi",
            PostgresAddress("aloi", "db.example", 5433, "me", "secret"),
            "postgresql://me@db.example:5433/aloi",
        ),
        (
            "m%40e:p%2F%3F%23%40%3A%25@[::1]/a%20b?mode=rw",
            PostgresAddress("a b", "::1", None, "m@e", "p/?#@:%"),
            "postgresql://m@e@::1/a b",
        ),
        (
            "/aloi?host=/run/postgresql&mode=ro",
            PostgresAddress("aloi", options={"host": "/run/postgresql"}, read_only=True),
            "postgresql:///run/postgresql/aloi",
        ),
        (
            "db/aloi?sslmode=verify-full&sslrootcert=/ca.pem",
            PostgresAddress("aloi", "db", options={"sslmode": "verify-full", "sslrootcert": "/ca.pem"}),
            "postgresql://db/aloi",
        ),
    ],
)
def test_the_parts_of_an_address(rest: str, address: PostgresAddress, name: str):
    found = parse_postgres(rest, read_only=False)
    assert (found, found.name) == (address, name)
    assert "secret" not in f"{found!r} {found.dsn}"
    assert parse_postgres(rest, read_only=True).read_only


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ("host", "names no database"),
        ("host/", "names no database"),
        ("host/a/b", "names no database"),
        ("host:port/a", "cannot be read"),
        ("host:99999/a", "cannot be read"),
        ("[::1/a", "cannot be read"),
        ("host/a?mode=rwc", "option that is not known here"),
        ("host/a?pool=3", "it may have mode=ro, host, sslmode"),
    ],
)
def test_what_names_no_database_is_refused(rest: str, said: str):
    with pytest.raises(InvalidInput, match=said):
        parse_postgres(rest, read_only=False)


@given(password=st.text(st.sampled_from("se/?#@:%[]& 12"), max_size=12))
def test_nothing_of_a_password_that_is_not_encoded_is_shown(password: str):
    secret = f"Begin{password}End"
    try:
        shown = parse_postgres(f"me:{secret}@host/aloi", read_only=False).name
    except InvalidInput as error:
        shown = f"{error!r} {error.__cause__!r}"
    assert "Begin" not in shown and "End" not in shown
