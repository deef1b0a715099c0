"""Which database an address means."""

from typing import NamedTuple
from urllib.parse import parse_qsl

from aloi.core.errors import InvalidInput
from aloi.store.engines.postgres_address import SCHEMES, PostgresAddress, parse_postgres

FORMS = "write a path, sqlite+aiosqlite:///PATH, file:PATH?mode=ro, or postgresql://USER:PASSWORD@HOST:PORT/NAME"
SQLITE_SCHEMES = ("sqlite", "sqlite+aiosqlite")
MODES = {"ro": True, "rw": False, "rwc": False}


class SqliteAddress(NamedTuple):
    """A file, and whether it is only read."""

    path: str
    read_only: bool = False


def parse_address(address: str, read_only: bool = False) -> SqliteAddress | PostgresAddress:
    """The file or the server's database that an address names. `mode=ro` in a query is the same as `read_only`.

    Raises:
        InvalidInput: another kind of database, an unknown option, or a database in memory.
    """
    scheme, found, rest = address.partition("://")
    if found and scheme in SCHEMES:
        return parse_postgres(rest, read_only)
    if found:
        return _from_url(scheme, rest, read_only)
    if address.startswith("file:"):
        return _with_query(address.removeprefix("file:"), read_only)
    return _file(address, read_only)


def _from_url(scheme: str, rest: str, read_only: bool) -> SqliteAddress:
    if scheme not in SQLITE_SCHEMES:
        raise InvalidInput(f"databases of the kind {scheme!r} are not known here; {FORMS}")
    return _with_query(rest.removeprefix("/").removeprefix("file:"), read_only)


def _with_query(rest: str, read_only: bool) -> SqliteAddress:
    path, _, query = rest.partition("?")
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name == "mode" and value in MODES:
            read_only = read_only or MODES[value]
        elif (name, value) != ("uri", "true"):
            raise InvalidInput(f"the database's address has the unknown option {name}={value}; it may have mode=ro")
    return _file(path, read_only)


def _file(path: str, read_only: bool) -> SqliteAddress:
    if not path or path == ":memory:":
        raise InvalidInput(f"a database lives in a file, so that nothing is lost; {FORMS}")
    return SqliteAddress(path, read_only)
