"""Of which target usage is, and which members sent a file: what those who are narrowed to some targets see."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

Kind = sa.types.TypeEngine[Any]
ID: Kind = sa.BLOB().with_variant(sa.Uuid(), "postgresql")
HASH: Kind = sa.BLOB().with_variant(postgresql.BYTEA(), "postgresql")

WITHOUT_ROWID: dict[str, Any] = {"sqlite_with_rowid": False}
FILE = ["workspace_id", "hash"]
# Of runs and of executions that are there. What online rules used before is not known by its target any more.
TARGETS = """
UPDATE usage SET target_id = coalesce(
  (SELECT v.target_id FROM runs r JOIN target_versions v ON v.id = r.target_version_id WHERE r.id = usage.source_id),
  (SELECT e.target_id FROM executions e WHERE e.id = usage.source_id))"""
# Of members who are there under the name that they sent it by.
SENDERS = """
INSERT INTO attachment_senders (workspace_id, hash, member_id)
SELECT a.workspace_id, a.hash, m.id FROM attachments a
JOIN members m ON m.workspace_id = a.workspace_id AND m.email = a.created_by"""


def upgrade() -> None:
    """Add the column and the table, and fill them."""
    op.add_column("usage", sa.Column("target_id", ID, nullable=True))
    op.execute(TARGETS)
    op.create_table(
        "attachment_senders",
        *(sa.Column(name, kind, nullable=False) for name, kind in (("workspace_id", ID), ("hash", HASH))),
        sa.Column("member_id", ID, sa.ForeignKey("members.id", ondelete="CASCADE"), nullable=False),
        sa.PrimaryKeyConstraint(*FILE, "member_id"),
        sa.ForeignKeyConstraint(FILE, [f"attachments.{name}" for name in FILE], ondelete="CASCADE"),
        **WITHOUT_ROWID,
    )
    op.create_index("attachment_senders_by_member", "attachment_senders", ["member_id"])
    op.execute(SENDERS)


def downgrade() -> None:
    """Take it back."""
    op.drop_table("attachment_senders")
    # Not in a batch: SQLite would make the table anew.
    op.drop_column("usage", "target_id")
