"""Files on cases, and which cases and revisions refer to them."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

Kind = sa.types.TypeEngine[Any]
ID: Kind = sa.BLOB().with_variant(sa.Uuid(), "postgresql")
HASH: Kind = sa.BLOB().with_variant(postgresql.BYTEA(), "postgresql")
TIME: Kind = sa.INTEGER().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
INTEGER: Kind = sa.INTEGER().with_variant(sa.BIGINT(), "postgresql")
TEXT: Kind = sa.TEXT().with_variant(sa.TEXT(collation="C"), "postgresql")

WITHOUT_ROWID: dict[str, Any] = {"sqlite_with_rowid": False}
FILE = ["workspace_id", "hash"]


def upgrade() -> None:
    """Add the tables, and a way from a revision to its runs."""
    op.create_table(
        "attachments",
        _column("workspace_id", ID, sa.ForeignKey("workspaces.id")),
        _column("hash", HASH),
        _column("blob_id", ID),
        _column("name", TEXT),
        _column("media_type", TEXT),
        _column("size", INTEGER),
        _column("created_by", TEXT),
        _column("created_at", TIME),
        sa.PrimaryKeyConstraint(*FILE),
        **WITHOUT_ROWID,
    )
    op.create_index("attachments_by_time", "attachments", ["workspace_id", "created_at"])
    _references("case_attachments", "case_id", sa.ForeignKey("cases.id", ondelete="CASCADE"), None)
    _references("revision_attachments", "revision_id", sa.ForeignKey("dataset_revisions.id"), "CASCADE")
    op.create_index("runs_by_revision", "runs", ["revision_id"])


def downgrade() -> None:
    """Take it back."""
    op.drop_index("runs_by_revision", "runs")
    for table in ("revision_attachments", "case_attachments", "attachments"):
        op.drop_table(table)


def _column(name: str, kind: Kind, *rules: sa.ForeignKey) -> sa.Column[Any]:
    return sa.Column(name, kind, *rules, nullable=False)


def _references(table: str, owner: str, of: sa.ForeignKey, on_delete: str | None) -> None:
    """A table of which owners refer to which files."""
    op.create_table(
        table,
        _column(owner, ID, of),
        _column("workspace_id", ID),
        _column("hash", HASH),
        sa.PrimaryKeyConstraint(owner, "hash"),
        sa.ForeignKeyConstraint(FILE, [f"attachments.{name}" for name in FILE], ondelete=on_delete),
        **WITHOUT_ROWID,
    )
    op.create_index(f"{table}_by_hash", table, FILE)
