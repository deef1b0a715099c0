"""What the errors of SQLite mean to a user, and how to mend them."""

import sqlite3

from aloi.core.errors import AloiError, Conflict, InvalidInput, StoreUnavailable
from aloi.store.codec import unstorable

# By primary result code: the reason and the mend. https://www.sqlite.org/rescode.html
REASONS = {
    sqlite3.SQLITE_FULL: "is full: the disk or the allowed size is used up; free some space, then go on",
    sqlite3.SQLITE_IOERR: "could not be read or written: look for a full disk, a file-size limit or a failing disk",
    sqlite3.SQLITE_READONLY: "can only be read; open it without mode=ro, and let this user write it and its folder",
    sqlite3.SQLITE_BUSY: "was locked too long by another process; let that one end, then try again",
    sqlite3.SQLITE_LOCKED: "was locked too long by another process; let that one end, then try again",
    sqlite3.SQLITE_CORRUPT: "is damaged; restore it from a backup, or save what is left with sqlite3's .recover",
    sqlite3.SQLITE_NOTADB: "is not a SQLite database; name another file",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; see that the file or its folder is there and that this user may use it",
    sqlite3.SQLITE_PERM: "may not be used by this user; change the rights of the file and its folder",
}
OTHER = "failed"


def store_error(error: sqlite3.Error, name: str) -> AloiError:
    """Our error for one of SQLite's.

    Args:
        name: which database it is.
    """
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_CONSTRAINT:
        return Conflict(f"the database refuses this: {error}; something it needs is gone, or it is there already")
    return StoreUnavailable(f"the database {name} {REASONS.get(code, OTHER)} ({error})")


def input_error(error: UnicodeEncodeError | OverflowError) -> InvalidInput:
    """Our error for a parameter that SQLite does not take. Callers see it, and need not know where the database is."""
    if isinstance(error, UnicodeEncodeError):
        return unstorable("a text for the database", error)
    return InvalidInput(f"a number for the database is too large: {error}; it takes 64 bits")
