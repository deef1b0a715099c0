"""Traces that cases wait for, and simulated tools that are served to agents elsewhere."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

Kind = sa.types.TypeEngine[Any]
ID: Kind = sa.BLOB().with_variant(sa.Uuid(), "postgresql")
HASH: Kind = sa.BLOB().with_variant(postgresql.BYTEA(), "postgresql")
TIME: Kind = sa.INTEGER().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
INTEGER: Kind = sa.INTEGER().with_variant(sa.BIGINT(), "postgresql")
TEXT: Kind = sa.TEXT().with_variant(sa.TEXT(collation="C"), "postgresql")

WITHOUT_ROWID: dict[str, Any] = {"sqlite_with_rowid": False}
SERVED = ("served_sessions", "served_calls", "served_answers")


def upgrade() -> None:
    """Add what is served, what was called of it, and the traces that are expected."""
    _served()
    _expected()


def downgrade() -> None:
    """Take it back."""
    op.drop_table("expected_traces")
    for table in reversed(SERVED):
        op.drop_table(table)


def _column(name: str, kind: Kind, *rules: sa.ForeignKey, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind, *rules, nullable=null)


def _served() -> None:
    op.create_table(
        "served_sessions",
        sa.Column("token_hash", HASH, primary_key=True, nullable=False),
        _column("body", TEXT),
        _column("until", TIME),
        **WITHOUT_ROWID,
    )
    op.create_index("served_sessions_by_end", "served_sessions", ["until"])
    op.create_table(
        "served_calls",
        _column("token_hash", HASH, sa.ForeignKey("served_sessions.token_hash", ondelete="CASCADE")),
        _column("seq", INTEGER),
        _column("tool", TEXT),
        _column("turn_key", TEXT),
        _column("body", TEXT),
        sa.PrimaryKeyConstraint("token_hash", "seq"),
        **WITHOUT_ROWID,
    )
    op.create_table(
        "served_answers",
        _column("scope", ID),
        _column("call_hash", HASH),
        _column("answer", TEXT),
        _column("until", TIME),
        sa.PrimaryKeyConstraint("scope", "call_hash"),
        **WITHOUT_ROWID,
    )
    op.create_index("served_answers_by_end", "served_answers", ["until"])


def _expected() -> None:
    op.create_table(
        "expected_traces",
        _column("workspace_id", ID, sa.ForeignKey("workspaces.id")),
        _column("trace_id", HASH),
        _column("until", TIME),
        sa.PrimaryKeyConstraint("workspace_id", "trace_id"),
        **WITHOUT_ROWID,
    )
    op.create_index("expected_traces_by_end", "expected_traces", ["until"])
