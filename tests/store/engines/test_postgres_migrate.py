"""The migrations lead to the same schema on PostgreSQL as a fresh start does, and back."""

import asyncio

import asyncpg

from aloi.store.database import Database
from aloi.store.engines import postgres_migrate
from aloi.store.engines.address import parse_address
from aloi.store.engines.postgres_address import PostgresAddress
from aloi.store.engines.schema import versions
from tests.postgres_server import PostgresServer
from tests.store.samples import a_run

FACTS = {
    "columns": """
SELECT table_name, ordinal_position, column_name, data_type, is_nullable, column_default, collation_name
FROM information_schema.columns WHERE table_schema = 'public'""",
    # Alembic names the key of its own table.
    "constraints": """
SELECT conrelid::regclass::text, contype::text, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace""",
    "indexes": """
SELECT tablename, replace(indexdef, 'alembic_version_pkc', 'alembic_version_pkey') FROM pg_indexes
WHERE schemaname = 'public'""",
    "triggers": "SELECT tgname::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    "functions": "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
}


def address(postgres_url: str) -> PostgresAddress:
    parsed = parse_address(postgres_url)
    assert isinstance(parsed, PostgresAddress)
    return parsed


async def facts(postgres_url: str) -> dict[str, list[tuple[object, ...]]]:
    """Tables with their columns, rules and indexes."""
    raw = await asyncpg.connect(postgres_url)
    try:
        return {name: sorted((tuple(row) for row in await raw.fetch(sql)), key=repr) for name, sql in FACTS.items()}
    finally:
        await raw.close()


async def test_upgrading_from_nothing_gives_the_schema_of_a_fresh_database(postgres: PostgresServer, postgres_url: str):
    fresh = await postgres.fresh()
    await (await Database.open(fresh)).close()
    await postgres_migrate.upgrade(address(postgres_url))
    assert await facts(postgres_url) == await facts(fresh)
    assert len({row[0] for row in (await facts(postgres_url))["columns"]}) > 33
    postgres.drop(fresh)


async def test_every_step_goes_down_again_and_opening_migrates_once_for_all(postgres_url: str):
    await (await Database.open(postgres_url)).close()
    before = await facts(postgres_url)
    for version in [*reversed(versions()[:-1]), "base"]:
        await postgres_migrate.downgrade(address(postgres_url), version)
    left = await facts(postgres_url)
    assert {row[0] for row in left["columns"]} == {"alembic_version"} and not left["functions"]
    opened = await asyncio.gather(*(Database.open(postgres_url) for _ in range(4)))
    await a_run(opened[0])
    for db in opened:
        await db.close()
    after = await facts(postgres_url)
    assert (after["columns"], after["constraints"]) == (before["columns"], before["constraints"])
