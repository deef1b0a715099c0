"""What PostgreSQL's errors become. Those that a real server gives are in `test_postgres`."""

import asyncpg
import pytest

from aloi.core.errors import AloiError, Conflict, InvalidInput, StoreUnavailable
from aloi.store.engines.postgres_errors import store_error


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (asyncpg.DiskFullError("no space"), StoreUnavailable, "db is full.*free some space"),
        (asyncpg.TooManyConnectionsError("too many"), StoreUnavailable, "raise max_connections"),
        (asyncpg.DeadlockDetectedError("deadlock"), StoreUnavailable, "another transaction.*try again"),
        (asyncpg.SerializationError("serialise"), StoreUnavailable, "another transaction.*try again"),
        (asyncpg.AdminShutdownError("stop"), StoreUnavailable, "lost the connection"),
        (asyncpg.CannotConnectNowError("starting"), StoreUnavailable, "lost the connection"),
        (asyncpg.QueryCanceledError("statement timeout"), StoreUnavailable, r"failed \(statement timeout\)"),
        (asyncpg.ReadOnlySQLTransactionError("ro"), StoreUnavailable, "name its primary"),
        (asyncpg.InvalidSchemaNameError("no schema"), StoreUnavailable, "grant it CREATE"),
        (asyncpg.DataCorruptedError("bad page"), StoreUnavailable, "is damaged"),
        (asyncpg.InterfaceError("connection is closed"), StoreUnavailable, "lost the connection"),
        (TimeoutError(), StoreUnavailable, "did not answer in time"),
        (ConnectionRefusedError(111, "refused"), StoreUnavailable, r"cannot be reached \(refused\)"),
        (asyncpg.UniqueViolationError("twice"), Conflict, "the database refuses this: twice"),
        (asyncpg.ProgramLimitExceededError("index row too large"), InvalidInput, "cannot store this"),
        (asyncpg.ClientConfigurationError("bad sslmode"), InvalidInput, "bad sslmode; mend its options"),
    ],
)
def test_every_error_is_told_with_its_mend(error: Exception, kind: type[AloiError], said: str):
    with pytest.raises(kind, match=said):
        raise store_error(error, "db")


def test_the_text_that_holds_nul_is_named():
    rows = [("fine", 1), ("b\x00d", None)]
    assert r"the text 'b\x00d' cannot" in str(store_error(asyncpg.CharacterNotInRepertoireError("0x00"), "db", rows))
