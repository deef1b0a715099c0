"""What SQLite's errors become."""

import sqlite3

import pytest

from aloi.core.errors import AloiError, Conflict, InvalidInput, StoreUnavailable
from aloi.store.engines.sqlite_errors import input_error, store_error


@pytest.mark.parametrize(
    ("code", "kind", "said"),
    [
        (sqlite3.SQLITE_FULL, StoreUnavailable, "is full"),
        (sqlite3.SQLITE_IOERR_WRITE, StoreUnavailable, "file-size limit"),
        (sqlite3.SQLITE_READONLY_DIRECTORY, StoreUnavailable, "only be read"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, StoreUnavailable, "another process"),
        (sqlite3.SQLITE_CORRUPT_INDEX, StoreUnavailable, "damaged"),
        (sqlite3.SQLITE_ERROR, StoreUnavailable, "failed"),
        (sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY, Conflict, "refuses"),
    ],
)
def test_each_code_is_told_with_the_database_and_the_mend(code: int, kind: type[AloiError], said: str):
    error = sqlite3.OperationalError("the driver's words")
    error.sqlite_errorcode = code
    ours = store_error(error, "a.db")
    # A conflict is told to a caller, who need not know where the database is.
    assert (
        type(ours) is kind
        and ("a.db" in str(ours)) is (kind is StoreUnavailable)
        and said in str(ours)
        and "the driver's words" in str(ours)
    )


def test_parameters_that_it_does_not_take_are_bad_input():
    assert isinstance(input_error(OverflowError("too big")), InvalidInput)
