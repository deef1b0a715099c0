"""What the errors of PostgreSQL and its driver mean to a user, and how to mend them."""

from collections.abc import Iterable

import asyncpg

from aloi.core.errors import AloiError, Conflict, InvalidInput, StoreUnavailable
from aloi.store.codec import unstorable
from aloi.store.connection import Params

# What the driver raises. An OSError is a network's or a time limit's.
FAULTS = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
# By SQLSTATE, or by its class of two digits. https://www.postgresql.org/docs/current/errcodes-appendix.html
LOST = "lost the connection; what was under way was undone. See that the server runs, then try again"
RIGHTS = "may not be used so by this user; make it the owner of the database, or grant it CREATE on its schema"
BUSY = "met another transaction that was in its way; try again"
REASONS = {
    "08": LOST,
    "57P": LOST,
    "28": "refused the user or the password; see that both are right, and that pg_hba.conf lets them in",
    "3D000": "is not there; create it with createdb, or name another",
    "42501": RIGHTS,
    "3F000": RIGHTS,
    "25006": "can only be read: it is a standby, or set so; name its primary, or open it with mode=ro",
    "53100": "is full: the server's disk is used up; free some space, then go on",
    "53300": "has no connection left; end some clients, or raise max_connections",
    "55P03": "was locked too long by another process; let that one end, then try again",
    "40": BUSY,
    "0A000": "changed its schema meanwhile, or does not know what was asked; start this program again",
    "XX": "is damaged, or the server has a fault; see its log",
}
OTHER = "failed"


def store_error(error: Exception, name: str, rows: Iterable[Params] = ()) -> AloiError:
    """Our error for one of PostgreSQL's.

    Args:
        name: which database it is, without a password.
        rows: the parameters that were sent, to say which one was refused.
    """
    if isinstance(error, asyncpg.PostgresError):
        return _refused(error, name, rows)
    if isinstance(error, TimeoutError):
        return StoreUnavailable(
            f"the database {name} did not answer in time; see that the server runs, and is not busy"
        )
    if isinstance(error, asyncpg.ClientConfigurationError):
        return InvalidInput(f"the address of the database {name} cannot be used: {error}; mend its options")
    if isinstance(error, OSError):
        return StoreUnavailable(
            f"the database {name} cannot be reached ({error.strerror or error}); see that the server runs there"
        )
    return StoreUnavailable(f"the database {name} {LOST} ({error})")


def _refused(error: asyncpg.PostgresError, name: str, rows: Iterable[Params]) -> AloiError:
    state = str(error.sqlstate or "")
    if state.startswith("23"):
        return Conflict(f"the database refuses this: {error}; something it needs is gone, or it is there already")
    if state.startswith(("22", "54")):
        return _unfit(error, rows)
    reason = next((REASONS[key] for key in (state, state[:3], state[:2]) if key in REASONS), OTHER)
    return StoreUnavailable(f"the database {name} {reason} ({error})")


def _unfit(error: asyncpg.PostgresError, rows: Iterable[Params]) -> InvalidInput:
    """For a parameter that PostgreSQL does not take. It goes to callers, who need not know where the database is."""
    cause = error.__cause__
    if isinstance(cause, UnicodeEncodeError):
        return unstorable("a text for the database", cause)
    if isinstance(cause, OverflowError):
        return InvalidInput(f"a number for the database is too large: {cause}; it takes 64 bits")
    texts = (param for row in rows for param in row if isinstance(param, str) and "\x00" in param)
    if (text := next(texts, None)) is not None:
        return InvalidInput(
            f"the text {text!r:.100} cannot be stored in the database: PostgreSQL takes no NUL character "
            "(U+0000) in a key, a name or a description; remove it"
        )
    return InvalidInput(f"the database cannot store this: {error}; give it another value")
