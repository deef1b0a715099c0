"""Moves the schema of a PostgreSQL database with Alembic. Imported only when that must be done."""

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from aloi.store.engines.migrate import move
from aloi.store.engines.postgres_address import PostgresAddress
from aloi.store.engines.postgres_connect import driver_connect
from aloi.store.engines.schema import LOCK

HOLD = sa.text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))")


async def upgrade(address: PostgresAddress, revision: str = "head") -> None:
    """Bring a database up to a version, all steps in one transaction; another process that does the same is waited for.

    Raises:
        OSError, asyncpg.PostgresError: as the driver does.
    """
    await _migrate(address, revision, up=True)


async def downgrade(address: PostgresAddress, revision: str) -> None:
    """Take a database down to a version; `base` is nothing at all."""
    await _migrate(address, revision, up=False)


async def _migrate(address: PostgresAddress, revision: str, up: bool) -> None:
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: driver_connect(address), poolclass=sa.NullPool
    )
    try:
        async with engine.begin() as connection:
            await connection.execute(HOLD, {"name": LOCK})
            await connection.run_sync(move, revision, up)
    finally:
        await engine.dispose()
