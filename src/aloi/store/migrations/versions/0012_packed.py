"""Traces are packed, and indexes of executions are smaller. What is stored stays as it is; both are read."""

from typing import Any
from uuid import UUID

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from aloi.core.errors import StoreUnavailable
from aloi.store.packing import unpack_text

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

Kind = sa.types.TypeEngine[Any]
ID: Kind = sa.BLOB().with_variant(sa.Uuid(), "postgresql")
# SQLite's TEXT keeps bytes as they are.
PACKED: Kind = sa.TEXT().with_variant(postgresql.BYTEA(), "postgresql")

BATCH = 20
EXECUTIONS = sa.table("executions", sa.column("id", ID), sa.column("trace", PACKED))
OLD: dict[str, list[str]] = {
    "executions_by_version": ["target_version_id", "id"],
    "executions_by_time": ["workspace_id", "created_at", "id"],
    "executions_by_failed": ["workspace_id", "failed", "created_at", "id"],
    "executions_by_source": ["workspace_id", "source", "created_at", "id", "size"],
}
NEW: dict[str, list[str]] = {
    "executions_by_version": ["target_version_id"],
    "executions_by_time": ["workspace_id", "created_at", "failed"],
    "executions_by_failed": ["workspace_id", "failed", "created_at", "id"],
    "executions_by_source": ["workspace_id", "source", "created_at", "size"],
}
FAILED: dict[str, Any] = {"sqlite_where": sa.text("failed = 1"), "postgresql_where": sa.text("failed = 1")}


def upgrade() -> None:
    """Let the column hold bytes, and make the indexes anew."""
    for name in OLD:  # before the table is written anew, and they with it
        op.drop_index(name, "executions")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("ALTER TABLE executions ALTER COLUMN trace TYPE BYTEA USING convert_to(trace, 'UTF8')")
    for name, columns in NEW.items():
        op.create_index(name, "executions", columns, **(FAILED if name == "executions_by_failed" else {}))


def downgrade() -> None:
    """Take it back: traces are unpacked."""
    for name in NEW:
        op.drop_index(name, "executions")
    _unpack()
    if op.get_bind().dialect.name == "postgresql":
        text = """TEXT COLLATE "C" USING convert_from(trace, 'UTF8')"""
        op.execute(f"ALTER TABLE executions ALTER COLUMN trace TYPE {text}")
    for name, columns in OLD.items():
        op.create_index(name, "executions", columns)


def _unpack() -> None:
    """Write every trace as its text, a batch of them in memory."""
    connection, rows, last = op.get_bind(), EXECUTIONS.c, None
    as_bytes = connection.dialect.name == "postgresql"
    while True:
        query = sa.select(EXECUTIONS).where(rows.trace.is_not(None)).order_by(rows.id).limit(BATCH)
        found = connection.execute(query if last is None else query.where(rows.id > last)).all()
        if not found:
            return
        last = found[-1].id
        for row in found:
            plain = _plain(row.id, row.trace)
            text = plain if as_bytes else plain.decode()
            if text != row.trace:
                connection.execute(EXECUTIONS.update().where(rows.id == row.id).values(trace=text))


def _plain(execution: bytes | UUID, trace: bytes | str) -> bytes:
    try:
        return unpack_text(trace)
    except ValueError as error:
        digits = execution.hex if isinstance(execution, UUID) else execution.hex()
        raise StoreUnavailable(
            f"the database cannot go back: the trace of execution {UUID(digits)} cannot be read: {error}; nothing was "
            "changed; restore it from a backup, or delete what the execution belongs to"
        ) from error
