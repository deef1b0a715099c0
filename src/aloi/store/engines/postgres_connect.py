"""A connection to PostgreSQL with our settings."""

from typing import Any

import asyncpg

from aloi.store.engines.postgres_address import PostgresAddress

CONNECT_SECONDS = 10.0
# Longer than any statement should take: it ends waiting for a server that went away without a word.
STATEMENT_SECONDS = 600.0
# Microseconds from 1970, where our times begin, to 2000, where PostgreSQL's do.
EPOCH = 946_684_800_000_000
# A client that went away without a word is seen after a minute, so that what it held is free.
SESSION = """
SET lock_timeout = {lock_milliseconds};
SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;
SET jit = off"""


async def connect(address: PostgresAddress, lock_seconds: float) -> "asyncpg.Connection[asyncpg.Record]":
    """A connection on which ids are bytes and times are microseconds, as in `codec`.

    Args:
        lock_seconds: how long to wait for what another transaction holds.
    """
    raw = await driver_connect(address)
    try:
        await raw.execute(SESSION.format(lock_milliseconds=round(lock_seconds * 1000)))
        await raw.set_type_codec("uuid", schema="pg_catalog", encoder=bytes, decoder=bytes, format="binary")
        await raw.set_type_codec(
            "timestamptz", schema="pg_catalog", encoder=_time, decoder=_microseconds, format="tuple"
        )
    except BaseException:
        raw.terminate()
        raise
    return raw


async def driver_connect(address: PostgresAddress) -> Any:
    """A connection as the driver makes it."""
    return await asyncpg.connect(
        address.dsn,
        host=address.host,
        port=address.port,
        user=address.user,
        password=address.password,
        database=address.database,
        timeout=CONNECT_SECONDS,
        command_timeout=STATEMENT_SECONDS,
        server_settings={"application_name": "aloi"},
    )


def _time(microseconds: int) -> tuple[int]:
    return (microseconds - EPOCH,)


def _microseconds(time: tuple[int]) -> int:
    return time[0] + EPOCH
