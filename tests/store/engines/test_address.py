"""Which database an address means."""

import pytest

from aloi.core.errors import InvalidInput
from aloi.store.engines.address import SqliteAddress, parse_address
from aloi.store.engines.postgres_address import PostgresAddress


@pytest.mark.parametrize(
    ("address", "path", "read_only"),
    [
        ("aloi.db", "aloi.db", False),
        ("/data/a b?.db", "/data/a b?.db", False),
        ("sqlite+aiosqlite:////data/aloi.db", "/data/aloi.db", False),
        ("sqlite:///aloi.db", "aloi.db", False),
        ("sqlite:////data/aloi.db?mode=ro", "/data/aloi.db", True),
        ("sqlite+aiosqlite:///file:/data/aloi.db?mode=ro&uri=true", "/data/aloi.db", True),
        ("file:aloi.db?mode=rwc", "aloi.db", False),
        ("file:aloi.db", "aloi.db", False),
    ],
)
def test_the_forms_of_an_address(address: str, path: str, read_only: bool):
    assert parse_address(address) == SqliteAddress(path, read_only)
    assert parse_address(address, read_only=True) == SqliteAddress(path, True)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("mysql://localhost/x", "'mysql' are not known"),
        ("sqlite:///a.db?cache=shared", "unknown option cache=shared"),
        ("sqlite:///a.db?mode=memory", "unknown option mode=memory"),
        ("sqlite:///:memory:", "lives in a file"),
        ("sqlite://", "lives in a file"),
        (":memory:", "lives in a file"),
        ("", "lives in a file"),
    ],
)
def test_what_names_no_database_is_refused(address: str, said: str):
    with pytest.raises(InvalidInput, match=said):
        parse_address(address)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+asyncpg"])
def test_a_server_is_named_by_its_scheme(scheme: str):
    address = parse_address(f"{scheme}://localhost/x", read_only=True)
    assert isinstance(address, PostgresAddress) and (address.database, address.read_only) == ("x", True)
